package org.sparkcollectives.ml.internal.training;

import java.io.Serializable;

/**
 * How a user's objective is minimised by mini batches.
 *
 * @param rule moves the coefficients
 * @param iterations how many batches at most
 * @param fraction which part of the rows is in a batch, more than 0 and at most 1
 * @param seed of the batches
 * @param l2 the strength of a penalty: the factor of half of the squares
 * @param tolerance the length of a step, relative to the coefficients', below which it ends
 */
public record OwnBatches(
    StepRule rule, int iterations, double fraction, long seed, double l2, double tolerance)
    implements Serializable {

  /** All but data and start on which a state depends, without the number of batches. */
  String description(int coefficients) {
    return rule
        + " of "
        + coefficients
        + ", fraction "
        + fraction
        + ", seed "
        + seed
        + ", penalty "
        + l2
        + ", tolerance "
        + tolerance;
  }

  /** The penalty on coefficients. */
  double penalty(double[] x) {
    double squares = 0;
    for (double each : x) {
      squares += each * each;
    }
    return l2 / 2 * squares;
  }
}
