package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;

/** What a training has brought. */
final class Trained implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** The coefficients of the last state. */
  final double[] x;

  /** The objective's value in each state. */
  final double[] objective;

  /** Why it ended. */
  final String reason;

  /** How many ranks there were. */
  final int ranks;

  /** How often rank 0's last attempt asked for the objective. */
  final int evaluations;

  /** The iteration from which that attempt went on; 0 for the start. */
  final int resumedAt;

  /** Nanoseconds that rank 0's rows took in it. */
  final long computing;

  /** Nanoseconds that the other ranks took in it. */
  final long communicating;

  Trained(
      double[] x,
      double[] objective,
      String reason,
      int ranks,
      int resumedAt,
      RankObjective asked) {
    this.x = x;
    this.objective = objective;
    this.reason = reason;
    this.ranks = ranks;
    this.resumedAt = resumedAt;
    this.evaluations = asked.evaluations();
    this.computing = asked.computing();
    this.communicating = asked.communicating();
  }
}
