package org.sparkcollectives.ml.internal.state;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;

/**
 * What an earlier attempt of this application has left of a training in the memory of executors, as
 * all ranks know it.
 *
 * @param kind how the optimiser's vectors lie in that state
 * @param holder the rank that has a whole state
 * @param own what this rank has of whole states, or null
 */
public record Origin(Kind kind, int holder, KeptStates.@Nullable Newest own) {

  /** How the vectors of a state lie. */
  public enum Kind {
    /** There is no state. */
    NONE,

    /** A rank has all of each vector. */
    WHOLE,

    /** Each rank has a part of each vector. */
    DIVIDED
  }

  /** Numbers that a rank tells of what it has. */
  private static final int NUMBERS = 2;

  /**
   * Looks for states; a collective call.
   *
   * @param training whose states
   * @param communicator the ranks
   * @return the origin, the same on all ranks but for what each has
   */
  public static Origin of(String training, Communicator communicator) {
    KeptStates.Newest own = KeptStates.newest(training);
    int[] all =
        communicator.allGather(
            new int[] {own == null ? -1 : own.state().iter(), KeptParts.newest(training)});
    int holder = 0;
    for (int rank = 1; rank < communicator.size(); rank++) {
      holder = all[NUMBERS * rank] > all[NUMBERS * holder] ? rank : holder;
    }
    if (all[NUMBERS * holder] >= 0) {
      return new Origin(Kind.WHOLE, holder, own);
    }
    boolean parts =
        IntStream.range(0, communicator.size()).anyMatch(rank -> all[NUMBERS * rank + 1] >= 0);
    return new Origin(parts ? Kind.DIVIDED : Kind.NONE, 0, null);
  }
}
