package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;
import org.sparkcollectives.ml.internal.objective.RankObjective;

/**
 * What a rank's training has taken, up to a moment or between two moments.
 *
 * @param nanos this rank's clock
 * @param evaluations how often it asked for the objective
 * @param computing nanoseconds of these that the rank's rows took
 * @param communicating nanoseconds of these that the other ranks took
 */
record Taken(long nanos, int evaluations, long computing, long communicating)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** Of no iteration. */
  static final Taken NOTHING = new Taken(0, 0, 0, 0);

  /** Up to this moment, by a clock that starts anywhere. */
  static Taken now(RankObjective asked) {
    return new Taken(
        System.nanoTime(), asked.evaluations(), asked.computing(), asked.communicating());
  }

  /** From an earlier moment to this one. */
  Taken since(Taken earlier) {
    return new Taken(
        nanos - earlier.nanos,
        evaluations - earlier.evaluations,
        computing - earlier.computing,
        communicating - earlier.communicating);
  }
}
