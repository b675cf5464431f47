package org.sparkcollectives.internal.shape;

/**
 * Whom each rank sends to and hears from, one distance after another, so that it has met every
 * other one (Thakur, Rabenseifner, Gropp 2005, Sections 4.3 and 4.4). In pairs two ranks meet whose
 * numbers differ by exclusive or with the distance; otherwise a rank sends to the one so many
 * places further on, and hears from the one so many places back.
 *
 * @param size p, the number of ranks, a power of two where they meet in pairs
 * @param pairs whether they meet in pairs
 */
public record DirectPeers(int size, boolean pairs) {

  /**
   * In pairs where that is possible.
   *
   * @param size p, the number of ranks, at least 1
   * @param ordered whether operands must stay in rank order, which pairs do not keep
   * @return the peers
   */
  public static DirectPeers of(int size, boolean ordered) {
    return new DirectPeers(size, !ordered && Powers.isPowerOfTwo(size));
  }

  /**
   * Whom a rank sends to.
   *
   * @param rank the rank
   * @param distance 1 to p - 1
   * @return another rank
   */
  public int target(int rank, int distance) {
    return pairs ? rank ^ distance : new Ring(size).shift(rank, distance);
  }

  /**
   * Whom a rank hears from.
   *
   * @param rank the rank
   * @param distance 1 to p - 1
   * @return another rank
   */
  public int source(int rank, int distance) {
    return pairs ? rank ^ distance : new Ring(size).shift(rank, -distance);
  }
}
