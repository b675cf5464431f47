package org.sparkcollectives.benchmarks.ml;

/** What is kept of coefficients, to compare them with others: some of them, and their lengths. */
final class Coefficients {
  private static final int KEPT = 10_000;

  private final double[] some;
  private final double largest;
  private final double norm;

  private Coefficients(double[] some, double largest, double norm) {
    this.some = some;
    this.largest = largest;
    this.norm = norm;
  }

  /** What is kept of all coefficients: of many, ten thousand at equal distances. */
  static Coefficients of(double[] all) {
    double[] some = new double[Math.min(all.length, KEPT)];
    for (int i = 0; i < some.length; i++) {
      some[i] = all[(int) ((long) i * all.length / some.length)];
    }
    double largest = Double.MIN_NORMAL;
    double squares = Double.MIN_NORMAL;
    for (double coefficient : all) {
      largest = Math.max(largest, Math.abs(coefficient));
      squares += coefficient * coefficient;
    }
    return new Coefficients(some, largest, Math.sqrt(squares));
  }

  /**
   * How far they are from as many others: the largest difference of those kept, over the others'
   * largest, or the relative difference of their norms if that is more.
   */
  double differenceTo(Coefficients other) {
    double difference = 0;
    for (int i = 0; i < some.length; i++) {
      difference = Math.max(difference, Math.abs(some[i] - other.some[i]));
    }
    return Math.max(difference / other.largest, Math.abs(norm - other.norm) / other.norm);
  }
}
