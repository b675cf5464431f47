package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;
import org.sparkcollectives.ml.internal.objective.RankObjective;

/** What a training has brought, as one rank knows it, or put together at the driver. */
final class Trained implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** The coefficients of the last state: all of them, or this rank's part. */
  final double[] x;

  /** Whether each rank has a part of the coefficients, in rank order. */
  final boolean part;

  /** How many coefficients there are in all parts. */
  final int length;

  /** How many of them were trained: those that rows can move. */
  final int moved;

  /** The objective's value in each state, also in those that a failed search has left as it was. */
  final double[] objective;

  /** The iteration of the last state. */
  final int last;

  /** Why it ended. */
  final String reason;

  /** How many ranks there were. */
  final int ranks;

  /** How often the rank's last attempt asked for the objective. */
  final int evaluations;

  /** The iteration from which that attempt went on; 0 for the start. */
  final int resumedAt;

  /** Nanoseconds that the rank's rows took in it. */
  final long computing;

  /** Nanoseconds that the other ranks took in it. */
  final long communicating;

  /**
   * What all of its iterations took: from the first state, whose objective is known, to the last.
   */
  final Taken iterations;

  /** A rank's, with all coefficients. */
  Trained(
      double[] x,
      double[] objective,
      int last,
      String reason,
      int ranks,
      int resumedAt,
      RankObjective asked,
      Taken iterations) {
    this(x, false, x.length, objective, last, reason, ranks, resumedAt, asked, iterations);
  }

  /** A rank's. */
  Trained(
      double[] x,
      boolean part,
      int length,
      double[] objective,
      int last,
      String reason,
      int ranks,
      int resumedAt,
      RankObjective asked,
      Taken iterations) {
    this.x = x;
    this.part = part;
    this.length = length;
    this.moved = length;
    this.objective = objective;
    this.last = last;
    this.reason = reason;
    this.ranks = ranks;
    this.resumedAt = resumedAt;
    this.evaluations = asked.evaluations();
    this.computing = asked.computing();
    this.communicating = asked.communicating();
    this.iterations = iterations;
  }

  private Trained(Trained of, double[] x, boolean part, int length) {
    this.x = x;
    this.part = part;
    this.length = length;
    this.moved = of.moved;
    this.objective = of.objective;
    this.last = of.last;
    this.reason = of.reason;
    this.ranks = of.ranks;
    this.resumedAt = of.resumedAt;
    this.evaluations = of.evaluations;
    this.computing = of.computing;
    this.communicating = of.communicating;
    this.iterations = of.iterations;
  }

  /**
   * The objective's value at the start and after each iteration: none that is there for a failed
   * search.
   */
  double[] history() {
    int repeated = objective.length - 1 - last;
    if (repeated <= 0) {
      return objective;
    }
    double[] history = new double[last + 1];
    int known = 0;
    for (int i = 0; i < objective.length; i++) {
      if (repeated > 0 && i > 0 && Double.compare(objective[i], objective[i - 1]) == 0) {
        repeated--;
      } else {
        history[known++] = objective[i];
      }
    }
    return history;
  }

  /** The same with a part of other coefficients, of so many in all parts. */
  Trained withPart(double[] coefficients, int all) {
    return new Trained(this, coefficients, true, all);
  }

  /** The same with all coefficients. */
  Trained withAll(double[] coefficients) {
    return new Trained(this, coefficients, false, coefficients.length);
  }
}
