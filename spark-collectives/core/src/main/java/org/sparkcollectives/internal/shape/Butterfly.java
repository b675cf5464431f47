package org.sparkcollectives.internal.shape;

/**
 * A butterfly of any number of ranks: {@code floor(log2 p)} levels, in each of which neighbouring
 * members join in pairs and triples. Level 0 has a member for each rank. A member of a level stands
 * for a run of ranks whose vectors {@code 2^level} of them have combined, a part each; these ranks
 * are told from each other by their path, a bit for each level below: 0 for the lower of the two
 * that go on, 1 for the higher. In a triple one member is eliminated: it gives all it has to the
 * other two. Source: Rabenseifner, Träff 2004, whose eliminations these are (2 of 3); where they
 * stand is worked out here.
 *
 * <p>With p / q at most 3/2, q the largest power of two up to p, one level has triples: the first
 * one whose number of members is odd, and as many that a power of two is left. For more ranks that
 * level leaves {@code 3 · 2^e} members, which are halved down to the last three. So at most two
 * levels have triples: where the first odd number is, and where parts are smallest.
 *
 * <p>Triples come after the pairs of their level, and the first of three is eliminated, or the last
 * one where the first stands for the root: the root is not eliminated, nor is the rank whose path
 * is all ones without a root.
 *
 * <pre>
 *   p = 7, no root      level 0: (0 1) (2 3) (4 5 6), 4 is eliminated
 *                       level 1: ((01) (23) (456)), members of two ranks; 0 and 1 are eliminated
 *                       last: 2 with path 0, 3 with path 1, 5 with path 2, 6 with path 3
 * </pre>
 *
 * @param size p, the number of ranks, at least 1
 * @param root the rank that is not eliminated, or {@link #NONE}
 */
public record Butterfly(int size, int root) {

  /** No rank. */
  public static final int NONE = -1;

  /**
   * Members of one level that join to one of the next.
   *
   * @param low the lower member that goes on
   * @param high the higher one
   * @param out the member that is eliminated, or {@link #NONE} in a pair
   */
  public record Group(int low, int high, int out) {}

  /**
   * The number of levels.
   *
   * @return floor(log2 size)
   */
  public int levels() {
    return Powers.floorLog2(size);
  }

  /**
   * The number of members of a level.
   *
   * @param level 0 to {@code levels()}, where one is left
   * @return how many there are
   */
  public int members(int level) {
    int left = levels() - level;
    if (level <= Integer.numberOfTrailingZeros(size)) {
      return size >> level;
    }
    boolean three = size > 3L << (levels() - 1);
    return three && left > 0 ? 3 << (left - 1) : 1 << left;
  }

  /**
   * Whether a level has triples.
   *
   * @param level 0 to {@code levels() - 1}
   * @return true if a member is eliminated there
   */
  public boolean eliminates(int level) {
    return members(level) > 2 * members(level + 1);
  }

  /**
   * The member that a member of one level belongs to in the next.
   *
   * @param level 0 to {@code levels() - 1}
   * @param member a member of the level
   * @return a member of the next level
   */
  public int joined(int level, int member) {
    int pairs = pairs(level);
    return member < 2 * pairs ? member / 2 : (member + pairs) / 3;
  }

  /** How many pairs come before the triples of a level. */
  private int pairs(int level) {
    return 3 * members(level + 1) - members(level);
  }

  /**
   * The members that join to one of the next level.
   *
   * @param level 0 to {@code levels() - 1}
   * @param index a member of the next level
   * @return two members of the level or three
   */
  public Group group(int level, int index) {
    int pairs = pairs(level);
    if (index < pairs) {
      return new Group(2 * index, 2 * index + 1, NONE);
    }
    int first = 3 * index - pairs;
    return root != NONE && first == memberOf(root, level)
        ? new Group(first, first + 1, first + 2)
        : new Group(first + 1, first + 2, first);
  }

  private int memberOf(int rank, int level) {
    int member = rank;
    for (int below = 0; below < level; below++) {
      member = joined(below, member);
    }
    return member;
  }

  /**
   * How many levels a rank takes part in before it is eliminated.
   *
   * @param rank a rank
   * @return the level at which its member is eliminated, or {@code levels()}
   */
  public int eliminated(int rank) {
    int member = rank;
    for (int level = 0; level < levels(); level++) {
      int next = joined(level, member);
      if (group(level, next).out() == member) {
        return level;
      }
      member = next;
    }
    return levels();
  }

  /**
   * A rank's path.
   *
   * @param rank a rank
   * @return bit l is 1 where it belongs to the higher member that goes on from level l, for the
   *     levels before it is eliminated
   */
  public int path(int rank) {
    int path = 0;
    int member = rank;
    for (int level = 0; level < levels(); level++) {
      int next = joined(level, member);
      path |= group(level, next).high() == member ? 1 << level : 0;
      member = next;
    }
    return path;
  }

  /**
   * The rank of a path in a member.
   *
   * @param level 0 to {@code levels()}
   * @param member a member of the level
   * @param path a path, of which the lowest {@code level} bits count
   * @return the rank
   */
  public int rank(int level, int member, int path) {
    int found = member;
    for (int below = level - 1; below >= 0; below--) {
      Group group = group(below, found);
      found = (path >> below & 1) == 0 ? group.low() : group.high();
    }
    return found;
  }
}
