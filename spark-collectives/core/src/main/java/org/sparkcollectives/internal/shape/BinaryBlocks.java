package org.sparkcollectives.internal.shape;

/**
 * The ranks 0 to {@code size - 1} cut into runs whose lengths are the powers of two in the binary
 * form of {@code size}, the longest first: 13 ranks are 0-7, 8-11 and 12. Source: Thakur,
 * Rabenseifner, Gropp 2005, Section 5.2.
 *
 * @param size the number of ranks, at least 1
 */
public record BinaryBlocks(int size) {

  /**
   * The number of runs.
   *
   * @return the number of ones in the binary form of {@code size}
   */
  public int count() {
    return Integer.bitCount(size);
  }

  /**
   * The run that holds a rank.
   *
   * @param rank a rank
   * @return the run's index, 0 for the longest
   */
  public int indexOf(int rank) {
    int index = 0;
    while (rank >= first(index) + (1 << exponent(index))) {
      index++;
    }
    return index;
  }

  /**
   * The logarithm of a run's length.
   *
   * @param index a run, 0 to {@code count() - 1}
   * @return e where the run has {@code 2^e} ranks
   */
  public int exponent(int index) {
    return Powers.floorLog2(rest(index));
  }

  /**
   * The lowest rank of a run.
   *
   * @param index a run, 0 to {@code count() - 1}
   * @return a rank
   */
  public int first(int index) {
    return size - rest(index);
  }

  /**
   * When a run is done with a reduction to the longest run: every run halves the vector as often as
   * its exponent says, one halving in a round; from the shortest run on, each rank then sends its
   * part in pieces, one in a round, to the ranks of the next longer run that hold them.
   *
   * @param index a run, 0 to {@code count() - 1}
   * @return the round from which on its ranks hold their parts, with all shorter runs' in them
   */
  public int gathered(int index) {
    int last = count() - 1;
    int round = exponent(last);
    for (int i = last - 1; i >= index; i--) {
      int pieces = 1 << (exponent(i) - exponent(i + 1));
      round = Math.max(round, exponent(i)) + pieces;
    }
    return round;
  }

  /** The number of ranks in a run and all later ones. */
  private int rest(int index) {
    int rest = size;
    for (int i = 0; i < index; i++) {
      rest -= Integer.highestOneBit(rest);
    }
    return rest;
  }
}
