package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;
import org.sparkcollectives.ml.internal.rows.RowFacts;

/** What the training of an estimator has brought: of a rank its part, at the driver all of it. */
public final class Fitted implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final RowFacts facts;
  private final Trained trained;
  private final double[] offsets;

  Fitted(RowFacts facts, Trained trained, double[] offsets) {
    this.facts = facts;
    this.trained = trained;
    this.offsets = offsets;
  }

  /**
   * What is known of the rows.
   *
   * @return the facts
   */
  public RowFacts facts() {
    return facts;
  }

  /**
   * The coefficients of the features as they are, 0 for features that do not vary, laid out feature
   * by feature, and behind them what belongs to no feature, as the optimiser left it.
   *
   * @return the solution, an array of its own
   */
  public double[] solution() {
    return trained.x;
  }

  /**
   * By how much the intercept of centred features is more than that of the features as they are.
   *
   * @return the product of the coefficients with the features' means, for each set of coefficients
   */
  public double[] offsets() {
    return offsets;
  }

  /**
   * The objective's value in each state.
   *
   * @return the values
   */
  public double[] history() {
    return trained.objective;
  }

  Trained trained() {
    return trained;
  }
}
