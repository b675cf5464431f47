package org.sparkcollectives.ml.internal.iteration;

import org.jspecify.annotations.Nullable;

/** A row where it lies, as k-means sees it; moved from row to row. */
final class Point {
  private double[] values = {};
  private int @Nullable [] indices;
  private int from;
  private int to;
  private int features;
  private double weight;
  private double squaredNorm;
  private double scale;

  /** Moves it to numbers of an array, one for each feature. */
  void dense(double[] all, int first, int count) {
    values = all;
    indices = null;
    from = first;
    to = first + count;
    features = count;
  }

  /** Moves it to numbers of an array, with the features to which they belong. */
  void sparse(int[] which, double[] all, int first, int end, int size) {
    values = all;
    indices = which;
    from = first;
    to = end;
    features = size;
  }

  /**
   * Says what counts.
   *
   * @param rowWeight the row's weight
   * @param factor what the numbers are multiplied by
   * @param square the sum of their squares, then
   */
  void counts(double rowWeight, double factor, double square) {
    weight = rowWeight;
    scale = factor;
    squaredNorm = square;
  }

  double[] values() {
    return values;
  }

  /** The features of the values; null where each feature has one. */
  int @Nullable [] indices() {
    return indices;
  }

  /** Where the values begin. */
  int from() {
    return from;
  }

  /** Where they end. */
  int to() {
    return to;
  }

  int features() {
    return features;
  }

  double weight() {
    return weight;
  }

  /** What the values are multiplied by. */
  double scale() {
    return scale;
  }

  double squaredNorm() {
    return squaredNorm;
  }
}
