package org.sparkcollectives.ml.internal.rows;

import java.io.Serializable;
import java.util.List;

/**
 * What rows add to an objective.
 *
 * @param <T> the rows' class
 */
@FunctionalInterface
public interface RowsFunction<T> extends Serializable {
  /**
   * The value for some of the rows.
   *
   * @param x the coefficients
   * @param rows the rows of one rank
   * @param gradient zeros, to which the gradient is added
   * @return the value for these rows
   */
  double add(double[] x, List<T> rows, double[] gradient);
}
