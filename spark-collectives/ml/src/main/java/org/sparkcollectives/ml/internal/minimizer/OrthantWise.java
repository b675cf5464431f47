package org.sparkcollectives.ml.internal.minimizer;

import scala.Function1;

/**
 * What OWL-QN adds to L-BFGS (Andrew and Gao, Scalable training of L1-regularized log-linear
 * models, 2007), element by element and so on each rank's part alone: a penalty on absolute values,
 * and steps that end where a coefficient changes its sign.
 */
final class OrthantWise {
  private final double[] strengths;

  /**
   * Penalties on some coefficients.
   *
   * @param l1 the strength for each index
   * @param first the index of the first coefficient
   * @param length how many there are
   */
  OrthantWise(Function1<Object, Object> l1, int first, int length) {
    strengths = new double[length];
    for (int i = 0; i < length; i++) {
      strengths[i] = (double) l1.apply(first + i);
      if (!(strengths[i] >= 0)) {
        throw new IllegalArgumentException(
            "requirement failed: the penalty on coefficient "
                + (first + i)
                + " is "
                + strengths[i]);
      }
    }
  }

  /** The penalty on these coefficients. */
  double value(double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += Math.abs(strengths[i] * x[i]);
    }
    return sum;
  }

  /** The gradient with the penalty's, towards the orthant where the objective falls. */
  double[] gradient(double[] x, double[] gradient) {
    double[] adjusted = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      double strength = strengths[i];
      if (strength == 0) {
        adjusted[i] = gradient[i];
      } else if (x[i] == 0) {
        double right = gradient[i] + strength;
        double left = gradient[i] - strength;
        adjusted[i] = left > 0 ? left : right < 0 ? right : 0;
      } else {
        adjusted[i] = gradient[i] + Math.signum(x[i]) * strength;
      }
    }
    return adjusted;
  }

  /** Takes what does not go down the gradient from a direction. */
  static void correct(double[] direction, double[] gradient) {
    for (int i = 0; i < direction.length; i++) {
      if (!(direction[i] * gradient[i] < 0)) {
        direction[i] = 0;
      }
    }
  }

  /** Keeps a position in the orthant of the step's beginning. */
  static void project(double[] position, double[] x, double[] gradient) {
    for (int i = 0; i < position.length; i++) {
      double orthant = x[i] != 0 ? Math.signum(x[i]) : Math.signum(-gradient[i]);
      position[i] *= Math.signum(position[i]) == orthant ? 1 : 0;
    }
  }
}
