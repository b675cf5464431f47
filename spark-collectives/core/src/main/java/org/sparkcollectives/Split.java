package org.sparkcollectives;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.sparkcollectives.internal.engine.Operation;

/**
 * Which ranks are in a communicator made by {@link Communicator#split}, and its number.
 *
 * <p>The number tells its messages from those of every other communicator over the same links. Each
 * rank knows the numbers of its own communicators, all below its next one; the highest next one of
 * all ranks is therefore above all that any of them has, and they agree on it. Communicators made
 * by one split have no link in common, and the same number. After 4095 splits numbers come round.
 *
 * @param members its ranks, by their old numbers, in the sequence of their new ones
 * @param number the communicator's number, from 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Split(int[] members, int number) {
  /** How many numbers each rank says: colour, key, and its next number. */
  private static final int SAID = 3;

  /**
   * The communicator of a colour.
   *
   * @param wishes what each rank says, in rank order
   * @param colour the colour; no rank is in that of a negative one
   */
  static Split of(long[] wishes, int colour) {
    int size = wishes.length / SAID;
    int[] members =
        IntStream.range(0, size)
            .filter(rank -> colour >= 0 && wishes[SAID * rank] == colour)
            .boxed()
            .sorted(Comparator.comparingLong(rank -> wishes[SAID * rank + 1]))
            .mapToInt(Integer::intValue)
            .toArray();
    long number = IntStream.range(0, size).mapToLong(r -> wishes[SAID * r + 2]).max().orElse(1);
    return new Split(members, (int) ((number - 1) % Operation.LAST_COMMUNICATOR) + 1);
  }
}
