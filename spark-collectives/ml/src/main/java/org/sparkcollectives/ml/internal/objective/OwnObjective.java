package org.sparkcollectives.ml.internal.objective;

import java.util.List;
import org.apache.spark.TaskContext;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.rows.RowsFunction;

/**
 * A user's objective, with a penalty on the squares of all coefficients.
 *
 * @param <T> the rows' class
 */
public final class OwnObjective<T> extends RankObjective {
  private final List<T> rows;
  private final RowsFunction<T> objective;
  private final double l2;

  /**
   * An objective.
   *
   * @param communicator the ranks
   * @param rows those of this rank
   * @param objective what rows add to the objective
   * @param l2 the strength of the penalty: the factor of half of the squares
   */
  public OwnObjective(
      Communicator communicator, List<T> rows, RowsFunction<T> objective, double l2) {
    super(communicator);
    this.rows = rows;
    this.objective = objective;
    this.l2 = l2;
  }

  @Override
  Sums own(double[] x) {
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.killTaskIfInterrupted();
    }
    double[] gradient = new double[x.length];
    return new Sums(gradient, objective.add(x.clone(), rows, gradient), 0);
  }

  @Override
  double value(Sums all) {
    return all.value();
  }

  @Override
  double finish(double[] x, int first, double[] gradient, double weight) {
    double squares = 0;
    for (int i = 0; i < gradient.length; i++) {
      squares += x[i] * x[i];
      gradient[i] += l2 * x[i];
    }
    return l2 / 2 * squares;
  }
}
