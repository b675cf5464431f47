package org.sparkcollectives.benchmarks.chaos;

import java.util.List;

/**
 * What has come of a fault.
 *
 * @param fault what happened
 * @param end how the collectives ended that ran
 * @param recoveryMillis from the fault to the right result of the next call on all ranks
 * @param message what a rank said, empty where none failed
 * @param complaints what is not as promised, none if all is
 */
public record Outcome(
    Case fault, End end, long recoveryMillis, String message, List<String> complaints) {

  /** How collectives end. */
  public enum End {
    /** Right on all ranks. */
    RIGHT,
    /** With an exception on all ranks that live. */
    FAILED,
    /** Right on the ranks that had finished, with an exception on the others. */
    PARTLY,
    /** Right on all ranks, before the fault could happen. */
    MISSED,
    /** Nobody knows: a process has not answered. */
    UNKNOWN
  }

  /** Copies the list. */
  public Outcome {
    complaints = List.copyOf(complaints);
  }

  @Override
  public String toString() {
    return fault
        + ": "
        + end
        + ", "
        + recoveryMillis
        + " ms"
        + (message.isEmpty() ? "" : ", " + message)
        + (complaints.isEmpty() ? "" : ", NOT AS PROMISED: " + complaints);
  }
}
