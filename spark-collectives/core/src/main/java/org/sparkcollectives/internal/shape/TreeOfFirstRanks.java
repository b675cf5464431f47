package org.sparkcollectives.internal.shape;

import static org.sparkcollectives.internal.shape.InOrderTree.NONE;

/**
 * A balanced tree of the hosts' first ranks, under which balanced trees of the hosts' other ranks
 * hang where they belong in order: a host's other ranks right below its first rank if that has no
 * right child among the first ranks, else left below the next host's first rank. The whole is of
 * height {@code ceil(log2(P + 1)) + ceil(log2 m) - 1} at most for P hosts of up to m ranks, and no
 * host has more than two ranks with edges to other hosts. Source: Sanders, Träff 2006, Section 4,
 * Fig. 2.
 *
 * <p>A place takes O(log p) time, the farthest distances O(P log P).
 *
 * @param runs the hosts' ranks
 */
public record TreeOfFirstRanks(HostRuns runs) implements RankTree {

  @Override
  public TreePlace place(int rank) {
    int host = runs.host(rank);
    int first = runs.first(host);
    if (rank == first) {
      return placeOfFirst(host);
    }
    TreePlace above = rootOfOthers(host);
    TreePlace local = others(host).place(rank - first - 1);
    return new TreePlace(
        local.parent() == NONE ? above.parent() : first + 1 + local.parent(),
        local.left() == NONE ? NONE : first + 1 + local.left(),
        local.right() == NONE ? NONE : first + 1 + local.right(),
        above.lefts() + local.lefts(),
        above.rights() + local.rights());
  }

  private TreePlace placeOfFirst(int host) {
    TreePlace global = firsts().place(host);
    int left = NONE;
    if (global.left() != NONE) {
      left = runs.first(global.left());
    } else if (host > 0 && runs.length(host - 1) > 1) {
      left = rootRank(host - 1);
    }
    int right = NONE;
    if (global.right() != NONE) {
      right = runs.first(global.right());
    } else if (runs.length(host) > 1) {
      right = rootRank(host);
    }
    return new TreePlace(
        global.parent() == NONE ? NONE : runs.first(global.parent()),
        left,
        right,
        global.lefts(),
        global.rights());
  }

  /** The place of the root of a host's ranks but the first one, without its children. */
  private TreePlace rootOfOthers(int host) {
    TreePlace own = firsts().place(host);
    if (own.right() == NONE) {
      return new TreePlace(runs.first(host), NONE, NONE, own.lefts(), own.rights() + 1);
    }
    TreePlace next = firsts().place(host + 1);
    return new TreePlace(runs.first(host + 1), NONE, NONE, next.lefts() + 1, next.rights());
  }

  private int rootRank(int host) {
    return runs.first(host) + 1 + others(host).root();
  }

  private BalancedTree others(int host) {
    return new BalancedTree(runs.length(host) - 1);
  }

  private BalancedTree firsts() {
    return new BalancedTree(runs.hosts());
  }

  @Override
  public int farthestUp() {
    int farthest = firsts().farthestUp();
    for (int host = 0; host < runs.hosts() && !runs.isFlat(); host++) {
      if (runs.length(host) > 1) {
        farthest = Math.max(farthest, others(host).farthestUp(rootOfOthers(host)));
      }
    }
    return farthest;
  }

  @Override
  public int farthestDown() {
    int farthest = firsts().farthestDown();
    for (int host = 0; host < runs.hosts() && !runs.isFlat(); host++) {
      if (runs.length(host) > 1) {
        farthest = Math.max(farthest, others(host).farthestDown(rootOfOthers(host)));
      }
    }
    return farthest;
  }
}
