package org.sparkcollectives.internal.shape;

/**
 * {@link InOrderTree} as a tree over ranks. A place takes O(log size).
 *
 * @param size p, the number of ranks, at least 1
 */
public record BalancedTree(int size) implements RankTree {
  private static final TreePlace ROOT =
      new TreePlace(InOrderTree.NONE, InOrderTree.NONE, InOrderTree.NONE, 0, 0);

  /**
   * The number of edges on the longest path from the root down.
   *
   * @return floor(log2 size), which is ceil(log2(size + 1)) - 1
   */
  public int height() {
    return tree().height();
  }

  /**
   * The root.
   *
   * @return a rank
   */
  public int root() {
    return tree().root();
  }

  /**
   * The number of edges from the root to the last rank.
   *
   * @return a number of right edges
   */
  public int rightSpine() {
    return Integer.bitCount(size) - 1;
  }

  /**
   * The least {@link TreePlace#downDistance} of the nodes that have nodes before their subtrees.
   *
   * @return a number of rounds, 0 if there is no such node
   */
  public int nearestDown() {
    if (Powers.isPowerOfTwo(size)) {
      return size <= 2 ? 0 : 3;
    }
    return 2;
  }

  @Override
  public TreePlace place(int rank) {
    InOrderTree tree = tree();
    int lefts = 0;
    int rights = 0;
    int node = rank;
    int parent = tree.parent(node);
    while (parent != InOrderTree.NONE) {
      if (node < parent) {
        lefts++;
      } else {
        rights++;
      }
      node = parent;
      parent = tree.parent(node);
    }
    return new TreePlace(tree.parent(rank), tree.left(rank), tree.right(rank), lefts, rights);
  }

  @Override
  public int farthestUp() {
    return farthestUp(ROOT);
  }

  @Override
  public int farthestDown() {
    return farthestDown(ROOT);
  }

  /** {@link RankTree#farthestUp} of this tree's nodes where it is a part of another tree. */
  int farthestUp(TreePlace root) {
    return size == 1 && !root.isOffRightSpine() ? 0 : root.upDistance() + 2 * height();
  }

  /** {@link RankTree#farthestDown} of this tree's nodes where it is a part of another tree. */
  int farthestDown(TreePlace root) {
    int farthest = root.isOffLeftSpine() ? root.downDistance() : 0;
    int before = root.rights();
    // Down the right spine: the left subtrees are complete, so their last leaves are farthest.
    for (int rest = size; rest > 0; rest -= Integer.highestOneBit(rest)) {
      int height = Powers.floorLog2(rest);
      int spine = root.lefts() + 2 * before;
      if (before > 0) {
        farthest = Math.max(farthest, spine);
      }
      if (height > 0 && (before > 0 || height > 1)) {
        farthest = Math.max(farthest, spine + 1 + 2 * (height - 1));
      }
      before++;
    }
    return farthest;
  }

  private InOrderTree tree() {
    return new InOrderTree(size, false);
  }
}
