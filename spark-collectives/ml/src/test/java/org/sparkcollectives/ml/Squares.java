package org.sparkcollectives.ml;

import java.util.List;

/** Half of the squared errors of a linear model, whose rows are features, then a response. */
final class Squares {
  private Squares() {}

  static double sum(double[] x, List<double[]> rows, double[] gradient) {
    double value = 0;
    for (double[] row : rows) {
      double error = -row[x.length];
      for (int j = 0; j < x.length; j++) {
        error += x[j] * row[j];
      }
      value += error * error / 2;
      for (int j = 0; j < x.length; j++) {
        gradient[j] += error * row[j];
      }
    }
    return value;
  }
}
