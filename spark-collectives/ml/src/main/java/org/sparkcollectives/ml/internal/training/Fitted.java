package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;

/** What the training of an estimator has brought. */
public final class Fitted implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final Summary summary;
  private final Trained trained;

  Fitted(Summary summary, Trained trained) {
    this.summary = summary;
    this.trained = trained;
  }

  /**
   * What the rows are like.
   *
   * @return the summary
   */
  public Summary summary() {
    return summary;
  }

  /**
   * The coefficients of scaled features.
   *
   * @return the solution, an array of its own
   */
  public double[] solution() {
    return trained.x;
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
