package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;

/** What all rows are like: means, deviations and counts, as MLlib's summarizers tell them. */
public final class Summary implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final double[] means;
  private final double[] deviations;
  private final double labelMean;
  private final double labelDeviation;
  private final double weight;
  private final long count;
  private final double[] histogram;

  /**
   * A summary.
   *
   * @param means the mean of each feature, then that of the label
   * @param deviations the standard deviation of each feature, then that of the label
   * @param weight the sum of weights
   * @param count how many rows have a weight
   * @param histogram the weight of each label; empty where labels are no classes
   */
  Summary(double[] means, double[] deviations, double weight, long count, double[] histogram) {
    int features = means.length - 1;
    this.means = Arrays.copyOf(means, features);
    this.deviations = Arrays.copyOf(deviations, features);
    this.labelMean = means[features];
    this.labelDeviation = deviations[features];
    this.weight = weight;
    this.count = count;
    this.histogram = histogram;
  }

  /**
   * The number of features.
   *
   * @return how many
   */
  public int features() {
    return means.length;
  }

  /**
   * The features' means.
   *
   * @return a mean for each feature
   */
  public double[] means() {
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

  /**
   * The label's mean.
   *
   * @return the mean
   */
  public double labelMean() {
    return labelMean;
  }

  /**
   * The label's standard deviation.
   *
   * @return the deviation, exactly 0 when all labels are the same
   */
  public double labelDeviation() {
    return labelDeviation;
  }

  /**
   * The weight of all rows.
   *
   * @return the sum
   */
  public double weight() {
    return weight;
  }

  /**
   * The number of rows that have a weight.
   *
   * @return how many
   */
  public long count() {
    return count;
  }

  /**
   * The weight of each class.
   *
   * @return a weight for each label from 0 to the largest; empty where labels are no classes
   */
  public double[] histogram() {
    return histogram;
  }
}
