package org.sparkcollectives.ml.internal.rows;

import java.util.Arrays;

/**
 * Makes coefficients of the features as they are of those of scaled features: for a part of all
 * coefficients, which are laid out feature by feature, with what belongs to no feature behind them.
 */
public final class Unscaling {
  private final int features;
  private final int sets;

  /** The index of the first coefficient of the part. */
  private final int first;

  /** The first feature that has one. */
  private final int feature;

  /** Of the features of the part. */
  private final double[] means;

  private final double[] deviations;

  /**
   * Of a part.
   *
   * @param summary what all rows are like, of which it copies what the part needs
   * @param sets how many coefficients each feature has, one after the other
   * @param first the index of the part's first coefficient
   * @param count how many the part has
   */
  public Unscaling(Summary summary, int sets, int first, int count) {
    this.features = summary.features();
    this.sets = sets;
    this.first = first;
    this.feature = Math.min(first / sets, features);
    int end = Math.max(feature, Math.min((first + count + sets - 1) / sets, features));
    this.means = Arrays.copyOfRange(summary.means(), feature, end);
    this.deviations = Arrays.copyOfRange(summary.deviations(), feature, end);
  }

  /**
   * Divides each coefficient by its feature's deviation; it is 0 where that is.
   *
   * @param part coefficients of scaled features, overwritten
   * @return the product of each set's coefficients with the features' means, as far as the part
   *     goes
   */
  public double[] unscale(double[] part) {
    double[] offsets = new double[sets];
    int end = (int) Math.min(part.length, (long) features * sets - first);
    for (int i = 0; i < end; i++) {
      int at = (first + i) / sets - feature;
      part[i] = deviations[at] != 0 ? part[i] / deviations[at] : 0;
      offsets[(first + i) % sets] += part[i] * means[at];
    }
    return offsets;
  }
}
