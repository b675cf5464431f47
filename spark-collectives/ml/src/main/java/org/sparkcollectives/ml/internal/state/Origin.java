package org.sparkcollectives.ml.internal.state;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;

/**
 * Where a training begins, as all ranks know it: with the newest state that an earlier attempt has
 * left in the memory of any rank, or an earlier application in a folder, or from the start.
 *
 * @param kind how the optimiser's vectors lie in that state
 * @param holder the rank that has a whole state
 * @param found the state in the folder, if it is that one or one to fall back on
 * @param own what this rank has in memory, where a rank's memory has that state
 */
public record Origin(
    Kind kind, int holder, Checkpoints.@Nullable Found found, KeptStates.@Nullable Newest own) {

  /** How the vectors of a state lie. */
  public enum Kind {
    /** There is no state. */
    NONE,

    /** A rank has all of each vector. */
    WHOLE,

    /** Each rank has a part of each vector. */
    DIVIDED
  }

  /** No state: a training begins. */
  public static final Origin NOWHERE = new Origin(Kind.NONE, 0, null, null);

  /** Numbers that a rank tells of what it has. */
  private static final int NUMBERS = 4;

  /**
   * Looks for states; a collective call.
   *
   * @param training whose states
   * @param communicator the ranks
   * @param checkpoints where states may be kept beyond the application, or null
   * @param most the most iterations that a state in a folder may have; rank 0's counts
   * @return the origin, the same on all ranks
   */
  public static Origin of(
      String training, Communicator communicator, @Nullable Checkpoints checkpoints, int most) {
    KeptStates.Newest own = KeptStates.newest(training);
    Checkpoints.Found found =
        checkpoints != null && communicator.rank() == 0 ? checkpoints.newest(most) : null;
    int[] all =
        communicator.allGather(
            new int[] {
              own == null ? -1 : own.state().iter(),
              KeptParts.newest(training),
              found == null ? -1 : found.iteration(),
              found == null ? 0 : found.ranks()
            });
    Checkpoints.Found written =
        checkpoints == null || all[2] < 0 ? null : checkpoints.at(all[2], all[3]);
    boolean divided = written != null && written.ranks() > 0;
    int holder = 0;
    for (int rank = 1; rank < communicator.size(); rank++) {
      holder = all[NUMBERS * rank] > all[NUMBERS * holder] ? rank : holder;
    }
    if (all[NUMBERS * holder] >= 0) { // an attempt of this application knows better
      return new Origin(Kind.WHOLE, holder, null, own);
    }
    boolean parts =
        IntStream.range(0, communicator.size()).anyMatch(rank -> all[NUMBERS * rank + 1] >= 0);
    if (parts) {
      return new Origin(Kind.DIVIDED, 0, divided ? written : null, null);
    }
    Kind kind = written == null ? Kind.NONE : divided ? Kind.DIVIDED : Kind.WHOLE;
    return new Origin(kind, 0, written, null);
  }
}
