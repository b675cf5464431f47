package org.sparkcollectives.ml;

import java.io.Serializable;
import java.util.List;

/**
 * A function of coefficients that is a sum over rows: what a {@link Trainer} minimises.
 *
 * @param <T> the rows' class
 */
@FunctionalInterface
public interface Objective<T> extends Serializable {

  /**
   * The value for some of the rows; the values and gradients of all ranks are summed.
   *
   * @param x the coefficients, the same on all ranks
   * @param rows the rows of one rank, the same list in every call, or those of them that are in a
   *     mini batch; empty where a rank has none
   * @param gradient zeros, as many as coefficients, to which the gradient is added
   * @return the value for these rows
   */
  double add(double[] x, List<T> rows, double[] gradient);
}
