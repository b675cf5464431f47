package org.sparkcollectives.benchmarks.report;

import java.util.Arrays;
import java.util.Collection;

/**
 * The spread of a series of samples.
 *
 * @param count how many samples there are, at least 1
 * @param min the smallest
 * @param median the middle one, or the mean of the two in the middle
 * @param max the largest
 */
public record Summary(int count, double min, double median, double max) {

  /**
   * Summarises samples.
   *
   * @param samples at least one, none NaN
   * @return their spread
   */
  public static Summary of(Collection<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("a summary needs at least one sample");
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (Double.isNaN(sorted[sorted.length - 1])) {
      throw new IllegalArgumentException("a sample is NaN: " + Arrays.toString(sorted));
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Summary(sorted.length, sorted[0], median, sorted[sorted.length - 1]);
  }
}
