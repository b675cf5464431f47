package org.sparkcollectives.internal.shape;

/**
 * Ranks 0 to {@code size - 1} reduced to a power of two: of the first 2r ranks, r of which are too
 * many, each odd one stands back for the even one before it. The ranks that stay are the members,
 * numbered in rank order. Source: Thakur, Rabenseifner, Gropp 2005, Section 5.1, Fig. 12.
 *
 * <p>For size 6: r = 2, the members are ranks 0, 2, 4, 5.
 *
 * @param size the number of ranks, at least 1
 */
public record FoldedRanks(int size) {

  /**
   * The logarithm of the number of members.
   *
   * @return floor(log2 size)
   */
  public int levels() {
    return Powers.floorLog2(size);
  }

  /**
   * The longest chain of messages, each of which needs the one before, where ranks that stand back
   * hand over what they have first and get the result last. Only where more than half of the
   * members have a partner, one is as far as can be from another with a partner.
   *
   * @return the number of levels, with one or two more where ranks stand back
   */
  public int longestChain() {
    return extra() == 0 ? levels() : Powers.doublingChain(size) + 1;
  }

  /**
   * The number of ranks that stand back.
   *
   * @return r, 0 where {@code size} is a power of two
   */
  public int extra() {
    return size - Integer.highestOneBit(size);
  }

  /**
   * Whether a rank stands back for the one before it.
   *
   * @param rank a rank
   * @return true for the odd ranks below 2r
   */
  public boolean isFoldedAway(int rank) {
    return rank < 2 * extra() && (rank & 1) == 1;
  }

  /**
   * Whether the next rank stands back for this one.
   *
   * @param rank a rank
   * @return true for the even ranks below 2r
   */
  public boolean hasPartner(int rank) {
    return rank < 2 * extra() && (rank & 1) == 0;
  }

  /**
   * The number of a rank among the members.
   *
   * @param rank a rank that does not stand back
   * @return 0 to {@code 2^levels() - 1}
   */
  public int member(int rank) {
    return rank < 2 * extra() ? rank / 2 : rank - extra();
  }

  /**
   * The rank of a member.
   *
   * @param member 0 to {@code 2^levels() - 1}
   * @return its rank
   */
  public int rank(int member) {
    return member < extra() ? 2 * member : member + extra();
  }
}
