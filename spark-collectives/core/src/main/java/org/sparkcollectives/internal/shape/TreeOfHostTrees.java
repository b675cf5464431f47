package org.sparkcollectives.internal.shape;

import static org.sparkcollectives.internal.shape.InOrderTree.NONE;

/**
 * A tree of hosts whose nodes are trees of ranks, so that the whole numbers ranks in order. The
 * ranks of a host are a balanced tree, the hosts are another one. The root of the host before,
 * below a host, hangs under that host's first rank, the root of the host after under its last rank:
 * no host has more than three ranks with edges to other hosts, and there are as few such edges as
 * possible. Source: Sanders, Träff 2006, Section 4, Fig. 2.
 *
 * <p>A place takes O(log p) time, the farthest distances O(P log P) for P hosts.
 *
 * @param runs the hosts' ranks
 */
public record TreeOfHostTrees(HostRuns runs) implements RankTree {

  @Override
  public TreePlace place(int rank) {
    int host = runs.host(rank);
    int first = runs.first(host);
    TreePlace above = root(host);
    TreePlace local = new BalancedTree(runs.length(host)).place(rank - first);
    TreePlace outer = hosts().place(host);
    int left = local.left() == NONE ? NONE : first + local.left();
    int right = local.right() == NONE ? NONE : first + local.right();
    if (rank == first && outer.left() != NONE) {
      left = rootRank(outer.left());
    }
    if (rank == runs.last(host) && outer.right() != NONE) {
      right = rootRank(outer.right());
    }
    return new TreePlace(
        local.parent() == NONE ? above.parent() : first + local.parent(),
        left,
        right,
        above.lefts() + local.lefts(),
        above.rights() + local.rights());
  }

  /** The place of the root of a host's ranks, without its children. */
  private TreePlace root(int host) {
    InOrderTree tree = new InOrderTree(runs.hosts(), false);
    int lefts = 0;
    int rights = 0;
    int child = host;
    int parent = tree.parent(host);
    while (parent != NONE) {
      BalancedTree ranks = new BalancedTree(runs.length(parent));
      if (child < parent) {
        lefts += ranks.height() + 1;
      } else {
        rights += ranks.rightSpine() + 1;
      }
      child = parent;
      parent = tree.parent(parent);
    }
    int outer = tree.parent(host);
    int above = outer == NONE ? NONE : host < outer ? runs.first(outer) : runs.last(outer);
    return new TreePlace(above, NONE, NONE, lefts, rights);
  }

  private int rootRank(int host) {
    return runs.first(host) + new BalancedTree(runs.length(host)).root();
  }

  private BalancedTree hosts() {
    return new BalancedTree(runs.hosts());
  }

  @Override
  public int farthestUp() {
    if (runs.isFlat()) {
      return hosts().farthestUp();
    }
    int farthest = 0;
    for (int host = 0; host < runs.hosts(); host++) {
      BalancedTree ranks = new BalancedTree(runs.length(host));
      farthest = Math.max(farthest, ranks.farthestUp(root(host)));
    }
    return farthest;
  }

  @Override
  public int farthestDown() {
    if (runs.isFlat()) {
      return hosts().farthestDown();
    }
    int farthest = 0;
    for (int host = 0; host < runs.hosts(); host++) {
      BalancedTree ranks = new BalancedTree(runs.length(host));
      farthest = Math.max(farthest, ranks.farthestDown(root(host)));
    }
    return farthest;
  }
}
