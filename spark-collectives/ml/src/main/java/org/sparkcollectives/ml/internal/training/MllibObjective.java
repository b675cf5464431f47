package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.BLAS;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import scala.Function1;
import scala.Tuple2;

/**
 * MLlib's objective: its own aggregator on each rank's rows.
 *
 * @param <T> the rows' class, which is that of blocks of rows
 * @param <A> the aggregator
 */
final class MllibObjective<T, A extends DifferentiableLossAggregator<T, A>> extends RankObjective {
  private final List<T> rows;
  private final Function1<Broadcast<Vector>, A> aggregators;
  private final Penalty penalty;
  private @Nullable A aggregator;

  MllibObjective(
      Communicator communicator,
      List<T> rows,
      Function1<Broadcast<Vector>, A> aggregators,
      Penalty penalty) {
    super(communicator);
    this.rows = rows;
    this.aggregators = aggregators;
    this.penalty = penalty;
  }

  @Override
  Sums own(DenseVector<Object> x) {
    A sums = aggregators.apply(new HereBroadcast<>(DenseVectors.mllib(x)));
    TaskContext task = TaskContext.get();
    for (T row : rows) {
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      sums = sums.add(row);
    }
    aggregator = sums;
    return new Sums(sums.gradientSumArray(), sums.lossSum(), sums.weightSum());
  }

  @Override
  Tuple2<Object, DenseVector<Object>> whole(DenseVector<Object> x, Sums all) {
    A sums = requireNonNull(aggregator); // it holds the array of sums
    sums.lossSum_$eq(all.value());
    sums.weightSum_$eq(all.weight());
    Vector gradient = sums.gradient();
    double value = sums.loss();
    Tuple2<Object, Vector> more = penalty.at(DenseVectors.mllib(x));
    if (more != null) {
      BLAS.axpy(1.0, more._2(), gradient);
      value += (double) more._1();
    }
    return new Tuple2<>(value, DenseVectors.over(gradient.toArray()));
  }
}
