package org.sparkcollectives.ml.internal.objective;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import scala.Function1;

/**
 * MLlib's objective: its own aggregator on each rank's rows.
 *
 * @param <T> the rows' class, which is that of blocks of rows
 * @param <A> the aggregator
 */
public final class MllibObjective<T, A extends DifferentiableLossAggregator<T, A>>
    extends RankObjective {
  private final List<T> rows;
  private final Function1<Broadcast<Vector>, A> aggregators;
  private final Penalty penalty;
  private @Nullable A aggregator;

  /**
   * An objective.
   *
   * @param communicator the ranks
   * @param rows those of this rank
   * @param aggregators MLlib's aggregator for given coefficients
   * @param penalty MLlib's regularisation
   */
  public MllibObjective(
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
  Sums own(double[] x) {
    A sums = aggregators.apply(new HereBroadcast<>(Vectors.dense(x)));
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
  double value(Sums all) {
    A sums = requireNonNull(aggregator); // it says best what is wrong with a weight
    aggregator = null;
    sums.lossSum_$eq(all.value());
    sums.weightSum_$eq(all.weight());
    if (!(all.weight() > 0)) {
      Vector unused = sums.gradient();
    }
    return sums.loss();
  }

  @Override
  double finish(double[] x, int first, double[] gradient, double weight) {
    double scale = 1 / weight;
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] *= scale;
    }
    return penalty.add(x, first, gradient);
  }
}
