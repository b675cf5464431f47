package org.sparkcollectives.ml.internal.objective;

import java.io.Serializable;

/**
 * What an objective is for some coefficients, by which one of the same data is known again: where
 * penalised coefficients are all 0, its value alone says nothing of the features.
 *
 * @param value its value
 * @param slope the length of its gradient
 */
public record Evaluation(double value, double slope) implements Serializable {
  /** By how much a value may differ relatively that is the same: ranks may be others. */
  private static final double SAME_VALUE = 1e-8;

  /**
   * An evaluation.
   *
   * @param value the objective's value
   * @param gradient its gradient
   * @return the evaluation
   */
  public static Evaluation of(double value, double[] gradient) {
    double squares = 0;
    for (double each : gradient) {
      squares += each * each;
    }
    return new Evaluation(value, Math.sqrt(squares));
  }

  /**
   * Whether an objective is the same as when a state was kept.
   *
   * @param kept what it was then, for the same coefficients
   * @return whether value and slope are the same
   */
  public boolean isThatOf(Evaluation kept) {
    double scale = Math.abs(value) + slope;
    return same(kept.value, value) && Math.abs(slope - kept.slope) <= SAME_VALUE * scale;
  }

  /**
   * Whether two values of an objective are of the same data and coefficients.
   *
   * @param kept the value when a state was kept
   * @param now the value now
   * @return whether they differ by rounding alone
   */
  public static boolean same(double kept, double now) {
    return Math.abs(now - kept) <= SAME_VALUE * Math.max(Math.abs(now), Double.MIN_NORMAL);
  }
}
