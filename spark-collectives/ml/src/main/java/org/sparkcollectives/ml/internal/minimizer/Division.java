package org.sparkcollectives.ml.internal.minimizer;

/** How a vector is divided among ranks: into consecutive parts, in rank order. */
public final class Division {

  private Division() {}

  /**
   * How many elements each rank has: numbers that differ by one at most.
   *
   * @param length of the whole vector
   * @param ranks the number of parts
   * @return a number for each rank
   */
  public static int[] counts(int length, int ranks) {
    int[] counts = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      counts[rank] = first(length, ranks, rank + 1) - first(length, ranks, rank);
    }
    return counts;
  }

  /**
   * The index of a rank's first element.
   *
   * @param length of the whole vector
   * @param ranks the number of parts
   * @param rank whose part; the number of parts for the end of the last one
   * @return the index in the whole vector
   */
  public static int first(int length, int ranks, int rank) {
    return (int) ((long) length * rank / ranks);
  }

  /**
   * Copies the elements that a rank of one division and a rank of another have in common.
   *
   * @param from the part of rank {@code fromRank} of {@code fromRanks}
   * @param fromRank whose part it is
   * @param fromRanks the number of parts
   * @param to the part of rank {@code toRank} of {@code toRanks}, where the elements go
   * @param toRank whose part it is
   * @param toRanks the number of parts
   * @param length of the whole vector
   */
  public static void copy(
      double[] from,
      int fromRank,
      int fromRanks,
      double[] to,
      int toRank,
      int toRanks,
      int length) {
    int fromFirst = first(length, fromRanks, fromRank);
    int toFirst = first(length, toRanks, toRank);
    int begin = Math.max(fromFirst, toFirst);
    int end = Math.min(fromFirst + from.length, toFirst + to.length);
    if (begin < end) {
      System.arraycopy(from, begin - fromFirst, to, begin - toFirst, end - begin);
    }
  }
}
