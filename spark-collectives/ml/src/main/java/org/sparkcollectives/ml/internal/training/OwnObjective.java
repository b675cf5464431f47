package org.sparkcollectives.ml.internal.training;

import breeze.linalg.DenseVector;
import java.util.List;
import org.apache.spark.TaskContext;
import org.sparkcollectives.Communicator;
import scala.Tuple2;

/**
 * A user's objective, with a penalty on the squares of all coefficients.
 *
 * @param <T> the rows' class
 */
final class OwnObjective<T> extends RankObjective {
  private final List<T> rows;
  private final RowsFunction<T> objective;
  private final double l2;

  OwnObjective(Communicator communicator, List<T> rows, RowsFunction<T> objective, double l2) {
    super(communicator);
    this.rows = rows;
    this.objective = objective;
    this.l2 = l2;
  }

  @Override
  Sums own(DenseVector<Object> x) {
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.killTaskIfInterrupted();
    }
    double[] coefficients = DenseVectors.array(x).clone();
    double[] gradient = new double[coefficients.length];
    return new Sums(gradient, objective.add(coefficients, rows, gradient), 0);
  }

  @Override
  Tuple2<Object, DenseVector<Object>> whole(DenseVector<Object> x, Sums all) {
    double[] coefficients = DenseVectors.array(x);
    double[] gradient = all.gradient();
    double squares = 0;
    for (int i = 0; i < gradient.length; i++) {
      squares += coefficients[i] * coefficients[i];
      gradient[i] += l2 * coefficients[i];
    }
    return new Tuple2<>(all.value() + l2 / 2 * squares, DenseVectors.over(gradient));
  }
}
