package org.sparkcollectives.ml.internal.objective;

import java.io.Serializable;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;

/**
 * The parameters of {@code GradientDescent.runMiniBatchSGD}.
 *
 * @param gradient of one row
 * @param updater takes the steps
 * @param stepSize of the first step
 * @param iterations how many steps at most
 * @param regParam the strength of the updater's penalty
 * @param fraction which part of the rows is in a batch, more than 0 and at most 1
 * @param initial the coefficients where it starts
 * @param tolerance the length of a step, relative to the coefficients', below which it ends
 */
public record MiniBatches(
    Gradient gradient,
    Updater updater,
    double stepSize,
    int iterations,
    double regParam,
    double fraction,
    Vector initial,
    double tolerance)
    implements Serializable {

  /**
   * All but data and start on which a state depends.
   *
   * @return the parameters in words, without the number of steps
   */
  public String description() {
    return gradient.getClass().getName()
        + " and "
        + updater.getClass().getName()
        + " of "
        + initial.size()
        + ", step "
        + stepSize
        + ", penalty "
        + regParam
        + ", fraction "
        + fraction
        + ", tolerance "
        + tolerance;
  }
}
