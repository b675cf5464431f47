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
 * by one split have no link in common, and the same number. Ranks count without end; in messages
 * numbers come round after 4095.
 *
 * @param members its ranks, by their old numbers, in the sequence of their new ones
 * @param count the communicator's number, from 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Split(int[] members, long count) {
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
    long count = IntStream.range(0, size).mapToLong(r -> wishes[SAID * r + 2]).max().orElse(1);
    return new Split(members, count);
  }

  /** The communicator's number in messages, 1 to {@link Operation#LAST_COMMUNICATOR}. */
  int number() {
    return (int) ((count - 1) % Operation.LAST_COMMUNICATOR) + 1;
  }
}
