package org.sparkcollectives.ml.internal.objective;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.sparkcollectives.ml.internal.rows.RowsFunction;
import scala.Tuple2;

/**
 * What a batch of rows adds to an objective.
 *
 * @param <T> the rows' class
 */
@FunctionalInterface
public interface BatchFunction<T> extends Serializable {
  /**
   * The sums over a rank's rows of a batch.
   *
   * @param x the coefficients
   * @param batch the rows
   * @return gradient and value, and as weight how many rows there were
   */
  RankObjective.Sums sums(double[] x, Iterator<T> batch);

  /**
   * What MLlib's gradient of single rows adds.
   *
   * @param gradient of one row, a label and features each
   * @return the function
   */
  static BatchFunction<Tuple2<Object, Vector>> of(Gradient gradient) {
    return (x, batch) -> RowGradients.sums(gradient, batch, Vectors.dense(x));
  }

  /**
   * What a user's objective adds.
   *
   * @param objective of some of the rows
   * @param <T> the rows' class
   * @return the function
   */
  static <T> BatchFunction<T> of(RowsFunction<T> objective) {
    return (x, batch) -> {
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      List<T> rows = new ArrayList<>();
      batch.forEachRemaining(rows::add);
      double[] gradient = new double[x.length];
      double value = objective.add(x.clone(), rows, gradient);
      return new RankObjective.Sums(gradient, value, rows.size());
    };
  }
}
