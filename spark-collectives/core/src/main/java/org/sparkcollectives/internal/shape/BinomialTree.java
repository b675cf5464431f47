package org.sparkcollectives.internal.shape;

/**
 * A binomial tree over ranks 0 to {@code size - 1} in which every subtree is a run of consecutive
 * ranks, for any root. At level s the ranks form groups of {@code 2^s} (the last may be smaller);
 * the leader of a group is the root where the group holds it, else its lowest rank. At level s the
 * leader of one of two sibling groups is the parent of the other's leader: the root if it is one of
 * them, else the lower one.
 *
 * <p>For size 5 and root 3: level 0 has the edges 0-1 and 3-2, level 1 has 3-0, level 2 has 3-4.
 *
 * @param size the number of ranks, at least 1
 * @param root the root's rank
 */
public record BinomialTree(int size, int root) {

  /** No rank. */
  public static final int NONE = -1;

  /**
   * The number of levels, which is the number of rounds that a whole vector needs.
   *
   * @return ceil(log2 size)
   */
  public int levels() {
    return Powers.ceilLog2(size);
  }

  /**
   * The most edges between the root and a rank: those of a full group's leader are one more than
   * its sibling group's.
   *
   * @return floor(log2 size) where the root is rank 0, at most {@link #levels()}
   */
  public int depth() {
    int depth = 0;
    for (int level = 0; level < levels(); level++) {
      int first = ((root >> level) ^ 1) << level;
      int ranks = Math.min(1 << level, size - first);
      if (ranks > 0) {
        depth = Math.max(depth, 1 + Powers.floorLog2(ranks));
      }
    }
    return depth;
  }

  /**
   * Up to which level a rank leads its group; at this level it has its parent.
   *
   * @param rank a rank
   * @return a level, {@link #levels()} for the root
   */
  public int parentLevel(int rank) {
    int level = 0;
    while (level < levels() && leader(level + 1, rank >> (level + 1)) == rank) {
      level++;
    }
    return level;
  }

  /**
   * The leader of the sibling group, a child of the rank below its {@link #parentLevel} and its
   * parent at that level.
   *
   * @param rank a rank that leads its group at this level
   * @param level a level below {@link #levels()}
   * @return a rank, or {@link #NONE} where the sibling group is empty
   */
  public int partner(int rank, int level) {
    int sibling = (rank >> level) ^ 1;
    return (long) sibling << level < size ? leader(level, sibling) : NONE;
  }

  private int leader(int level, int group) {
    return root >> level == group ? root : group << level;
  }
}
