package org.sparkcollectives.ml.internal.rows;

import org.jspecify.annotations.Nullable;

/**
 * What all rows are like: means, deviations and counts, as MLlib's summarizers tell them. It stays
 * where rows are; the driver learns the {@link RowFacts facts} alone.
 */
public final class Summary {
  private final double[] means;
  private final double[] deviations;
  private final RowFacts facts;
  private final @Nullable Support support;

  /**
   * A summary.
   *
   * @param means the mean of each feature
   * @param deviations the standard deviation of each feature
   * @param facts what else there is
   * @param support which of all features it is of; null for all
   */
  Summary(double[] means, double[] deviations, RowFacts facts, @Nullable Support support) {
    this.means = means;
    this.deviations = deviations;
    this.facts = facts;
    this.support = support;
  }

  /**
   * How many features the summary is of, and the rows that it was made of have since.
   *
   * @return all, or those that some row has
   */
  public int features() {
    return means.length;
  }

  /**
   * Which features these are.
   *
   * @return those that some row has; null for all
   */
  public @Nullable Support support() {
    return support;
  }

  /**
   * What is no vector of features.
   *
   * @return the facts
   */
  public RowFacts facts() {
    return facts;
  }

  /**
   * The features' means.
   *
   * @return a mean for each feature
   */
  double[] means() {
    return means;
  }

  /**
   * The features' standard deviations.
   *
   * @return a deviation for each feature; exactly 0 for one that has the same value in all rows
   */
  public double[] deviations() {
    return deviations;
  }

  /**
   * What features are multiplied by.
   *
   * @return the inverse of each deviation, 0 for that of 0
   */
  public double[] scales() {
    double[] scales = new double[deviations.length];
    for (int i = 0; i < scales.length; i++) {
      scales[i] = deviations[i] != 0 ? 1 / deviations[i] : 0;
    }
    return scales;
  }

  /**
   * The means of scaled features.
   *
   * @return a mean for each feature
   */
  public double[] scaledMeans() {
    double[] scaled = scales();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= means[i];
    }
    return scaled;
  }
}
