package org.sparkcollectives.ml.internal.iteration;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Centres as distances to them are computed best: centre after centre for single distances, and
 * feature after feature for scalar products with all centres at once, whose inner loops run over
 * the centres and have no sum of their own, so that the JVM makes vector instructions of them.
 *
 * <p>For cosine distances rows and centres are of length 1: such a distance is half of the squared
 * one.
 */
final class CentreTable {
  /** So many features are multiplied in one run over the centres. */
  private static final int STRIP = 4;

  /** The relative error of a squared distance from which on it is computed by differences. */
  private static final double PRECISION = 1e-6;

  /** The relative error of a sum of products, for each of them. */
  private static final double ROUNDING = 0x1p-50;

  private final int clusters;
  private final int features;
  private final boolean cosine;
  private final double[][] byFeature;
  private final double[] squaredNorms;
  private double[] byCentre = {};
  private double largestSquare;

  CentreTable(int clusters, int features, boolean cosine) {
    this.clusters = clusters;
    this.features = features;
    this.cosine = cosine;
    this.byFeature = new double[features][clusters];
    this.squaredNorms = new double[clusters];
  }

  /**
   * Takes centres.
   *
   * @param centres as many as ever
   * @return how far each has moved; infinitely far where there were none before
   */
  double[] take(Centres centres) {
    double[] now = cosine ? ofLengthOne(centres) : centres.coordinates();
    double[] moved = new double[clusters];
    largestSquare = 0;
    for (int i = 0; i < clusters; i++) {
      int at = i * features;
      moved[i] =
          byCentre.length == 0
              ? Double.POSITIVE_INFINITY
              : Math.sqrt(differences(now, at, byCentre, at, features, 1));
      double square = 0;
      for (int j = 0; j < features; j++) {
        byFeature[j][i] = now[at + j];
        square += now[at + j] * now[at + j];
      }
      squaredNorms[i] = square;
      largestSquare = Math.max(largestSquare, square);
    }
    byCentre = now;
    return moved;
  }

  private double[] ofLengthOne(Centres centres) {
    double[] scaled = centres.coordinates().clone();
    for (int k = 0; k < scaled.length; k++) {
      scaled[k] /= centres.norms()[k / features];
    }
    return scaled;
  }

  /** The sum of squares of a centre's coordinates. */
  double squaredNorm(int centre) {
    return squaredNorms[centre];
  }

  /** By how much the squared distance of a row to a centre may be wrong that products tell. */
  double error(Point point) {
    int terms = point.to() - point.from() + STRIP;
    double sums = terms * (point.squaredNorm() + largestSquare) + features * largestSquare;
    return ROUNDING * sums;
  }

  /**
   * Scalar products with all centres, as values are, without their scale.
   *
   * @param points rows, all of which have a value for each feature
   * @param count how many of them
   * @param products gets the products of each row
   */
  void productsOfDense(Point[] points, int count, double[][] products) {
    for (int p = 0; p < count; p++) {
      Arrays.fill(products[p], 0);
    }
    int j = 0;
    for (; j + STRIP <= features; j += STRIP) {
      for (int p = 0; p < count; p++) {
        add(points[p], j, j, j + 1, j + 2, j + 3, products[p]);
      }
    }
    for (; j < features; j++) {
      for (int p = 0; p < count; p++) {
        add(byFeature[j], points[p].values()[points[p].from() + j], products[p]);
      }
    }
  }

  /**
   * Scalar products with all centres, as values are, without their scale.
   *
   * @param point a row
   * @param indices the features of its values
   * @param products gets the products
   */
  void productsOfSparse(Point point, int[] indices, double[] products) {
    Arrays.fill(products, 0);
    int from = point.from();
    int to = point.to();
    int k = from;
    for (; k + STRIP <= to; k += STRIP) {
      int at = k - from;
      add(point, at, indices[k], indices[k + 1], indices[k + 2], indices[k + 3], products);
    }
    for (; k < to; k++) {
      add(byFeature[indices[k]], point.values()[k], products);
    }
  }

  /** Adds four values' products, those from a place on, which belong to four features. */
  private void add(Point point, int at, int f0, int f1, int f2, int f3, double[] products) {
    double[] values = point.values();
    int from = point.from() + at;
    add(byFeature[f0], byFeature[f1], byFeature[f2], byFeature[f3], values, from, products);
  }

  private static void add(
      double[] c0,
      double[] c1,
      double[] c2,
      double[] c3,
      double[] values,
      int from,
      double[] products) {
    double v0 = values[from];
    double v1 = values[from + 1];
    double v2 = values[from + 2];
    double v3 = values[from + 3];
    for (int i = 0; i < products.length; i++) {
      products[i] += v0 * c0[i] + v1 * c1[i] + v2 * c2[i] + v3 * c3[i];
    }
  }

  private static void add(double[] coordinates, double value, double[] products) {
    for (int i = 0; i < products.length; i++) {
      products[i] += value * coordinates[i];
    }
  }

  /** The squared distance of a row to a centre; its bits depend on these and all centres alone. */
  double squaredDistance(Point point, int centre) {
    int @Nullable [] indices = point.indices();
    int at = centre * features;
    if (indices == null) {
      return differences(byCentre, at, point.values(), point.from(), features, point.scale());
    }
    double product = 0;
    for (int k = point.from(); k < point.to(); k++) {
      product += point.values()[k] * byCentre[at + indices[k]];
    }
    double squares = point.squaredNorm() + squaredNorms[centre];
    double distance = squares - 2 * point.scale() * product;
    boolean exact = error(point) <= PRECISION * distance;
    return exact ? distance : sparseDifferences(point, indices, at);
  }

  private double sparseDifferences(Point point, int[] indices, int at) {
    double sum = 0;
    int k = point.from();
    for (int j = 0; j < features; j++) {
      double value = 0;
      if (k < point.to() && indices[k] == j) {
        value = point.values()[k++] * point.scale();
      }
      double difference = byCentre[at + j] - value;
      sum += difference * difference;
    }
    return sum;
  }

  /**
   * The sum of squares of a[...] - scale * b[...], in four sums that do not wait for each other.
   */
  private static double differences(
      double[] a, int fromA, double[] b, int fromB, int count, double scale) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int j = 0;
    for (; j + STRIP <= count; j += STRIP) {
      double d0 = a[fromA + j] - scale * b[fromB + j];
      double d1 = a[fromA + j + 1] - scale * b[fromB + j + 1];
      double d2 = a[fromA + j + 2] - scale * b[fromB + j + 2];
      double d3 = a[fromA + j + 3] - scale * b[fromB + j + 3];
      s0 += d0 * d0;
      s1 += d1 * d1;
      s2 += d2 * d2;
      s3 += d3 * d3;
    }
    for (; j < count; j++) {
      double d = a[fromA + j] - scale * b[fromB + j];
      s0 += d * d;
    }
    return (s0 + s1) + (s2 + s3);
  }
}
