package org.sparkcollectives.ml;

import java.util.Arrays;

/** What a {@link Trainer} has found. */
public final class Minimum {
  private final double[] x;
  private final double[] history;
  private final String reason;
  private final int resumedAt;

  Minimum(double[] x, double[] history, String reason, int resumedAt) {
    this.x = x;
    this.history = history;
    this.reason = reason;
    this.resumedAt = resumedAt;
  }

  /**
   * The coefficients.
   *
   * @return the coefficients, an array of the caller's
   */
  public double[] x() {
    return x.clone();
  }

  /**
   * The objective at the coefficients.
   *
   * @return its value, penalties included
   */
  public double value() {
    return history[history.length - 1];
  }

  /**
   * The objective's value at the start and after each iteration. By mini batches the first and the
   * last are those of all rows, and each between them is estimated by the next batch; where that
   * has no rows, it is the one before.
   *
   * @return the values, penalties included
   */
  public double[] history() {
    return history.clone();
  }

  /**
   * The number of iterations, those before a state from which it went on included.
   *
   * @return how many
   */
  public int iterations() {
    return history.length - 1;
  }

  /**
   * Why it ended.
   *
   * @return a phrase
   */
  public String reason() {
    return reason;
  }

  /**
   * The iteration from which it went on, after an executor was lost or from a checkpoint.
   *
   * @return the iteration; 0 when it ran from the start
   */
  public int resumedAt() {
    return resumedAt;
  }

  @Override
  public String toString() {
    return "minimum "
        + value()
        + " after "
        + iterations()
        + " iterations ("
        + reason
        + ") at "
        + (x.length <= 8 ? Arrays.toString(x) : x.length + " coefficients");
  }
}
