package org.sparkcollectives.ml.internal.objective;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.rows.Support;
import scala.Function1;

/**
 * MLlib's objective: its own aggregator on each rank's rows.
 *
 * @param <T> the rows' class, which is that of blocks of rows
 * @param <A> the aggregator
 */
public final class MllibObjective<T, A extends DifferentiableLossAggregator<T, A>>
    extends RankObjective {
  /**
   * MLlib's aggregators for which features that no row has do not exist: they have the gradient 0,
   * whatever else there is.
   */
  private static final Set<String> LINEAR =
      Set.of(
          "BinaryLogisticBlockAggregator",
          "MultinomialLogisticBlockAggregator",
          "HingeBlockAggregator",
          "LeastSquaresBlockAggregator",
          "HuberBlockAggregator",
          "AFTBlockAggregator");

  private static final String AGGREGATORS = DifferentiableLossAggregator.class.getPackageName();

  /**
   * The aggregator that adds a block's margins, for a class whose offset is exactly 0, to what it
   * has left in its buffer at the block before (SPARK-59562). A rank gives one aggregator the
   * blocks of all its partitions, where MLlib has one for each.
   */
  private static final String STALE = "MultinomialLogisticBlockAggregator";

  private final Communicator communicator;
  private final List<T> rows;
  private final Function1<Broadcast<Vector>, A> aggregators;
  private final Penalty penalty;
  private final @Nullable Support support;

  /** All coefficients, where the objective is of some. */
  private final double[] all;

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
    this(communicator, rows, aggregators, penalty, null);
  }

  private MllibObjective(
      Communicator communicator,
      List<T> rows,
      Function1<Broadcast<Vector>, A> aggregators,
      Penalty penalty,
      @Nullable Support support) {
    super(communicator);
    this.communicator = communicator;
    this.rows = rows;
    this.aggregators = aggregators;
    this.penalty = penalty;
    this.support = support;
    this.all = new double[support == null ? 0 : support.length()];
  }

  @Override
  public @Nullable Support support(Vector initial) {
    Class<?> aggregator = aggregator(initial.toArray()).getClass();
    boolean linear = isMllibs(aggregator) && LINEAR.contains(aggregator.getSimpleName());
    return linear ? Support.find(communicator, rows, initial) : null;
  }

  @Override
  public MllibObjective<T, A> on(Support some) {
    return new MllibObjective<>(communicator, rows, aggregators, penalty.on(some), some);
  }

  private static boolean isMllibs(Class<?> aggregator) {
    return aggregator.getPackageName().equals(AGGREGATORS);
  }

  private A aggregator(double[] x) {
    return aggregators.apply(new HereBroadcast<>(Vectors.dense(x)));
  }

  @Override
  Sums own(double[] x) {
    if (support != null) {
      support.put(x, all);
    }
    A sums = aggregator(support == null ? x : all);
    boolean stale = isMllibs(sums.getClass()) && sums.getClass().getSimpleName().equals(STALE);
    TaskContext task = TaskContext.get();
    for (T row : rows) {
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      if (stale && Hidden.field(sums, "buffer") instanceof double[] left) {
        Arrays.fill(left, 0);
      }
      sums = sums.add(row);
    }
    aggregator = sums;
    double[] gradient = sums.gradientSumArray();
    return new Sums(
        support == null ? gradient : support.of(gradient), sums.lossSum(), sums.weightSum());
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
