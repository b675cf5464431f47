package org.sparkcollectives.ml.internal.rows;

import java.io.Serial;
import java.io.Serializable;

/** What is known of all rows but what there is of each feature. */
public final class RowFacts implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final int features;
  private final double labelMean;
  private final double labelDeviation;
  private final double weight;
  private final long count;
  private final double[] histogram;
  private final boolean constants;

  /**
   * Facts.
   *
   * @param features the number of features
   * @param labelMean the label's mean
   * @param labelDeviation the label's standard deviation
   * @param weight the sum of weights
   * @param count how many rows have a weight
   * @param histogram the weight of each label; empty where labels are no classes
   * @param constants whether a feature has the same value in all rows, which is not 0
   */
  RowFacts(
      int features,
      double labelMean,
      double labelDeviation,
      double weight,
      long count,
      double[] histogram,
      boolean constants) {
    this.features = features;
    this.labelMean = labelMean;
    this.labelDeviation = labelDeviation;
    this.weight = weight;
    this.count = count;
    this.histogram = histogram;
    this.constants = constants;
  }

  /**
   * The number of features.
   *
   * @return how many
   */
  public int features() {
    return features;
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

  /**
   * Whether a feature does not vary.
   *
   * @return whether one has the same value in all rows, which is not 0
   */
  public boolean constants() {
    return constants;
  }
}
