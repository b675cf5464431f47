package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent$;
import org.apache.spark.mllib.optimization.Updater;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.BatchFunction;
import org.sparkcollectives.ml.internal.objective.MiniBatchObjective;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.objective.RowGradients;
import org.sparkcollectives.ml.internal.rows.Sampling;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import scala.Tuple2;

/** A training as {@code GradientDescent.runMiniBatchSGD} does it, with its values and its end. */
final class MllibBatchProgram extends MiniBatchProgram<Tuple2<Object, Vector>, MllibStep> {
  @Serial private static final long serialVersionUID = 1L;

  /** MLlib's own. */
  private static final int SEED = 42;

  private final MiniBatches how;

  /**
   * A program.
   *
   * @param training a name that no other training has
   * @param how the parameters
   * @param partitions how many partitions all ranks have
   * @param checkpoints where states are kept beyond the application, or null
   */
  MllibBatchProgram(
      String training, MiniBatches how, int partitions, @Nullable Checkpoints checkpoints) {
    super(
        training,
        how.iterations(),
        new Sampling(how.fraction(), SEED, partitions),
        BatchFunction.of(how.gradient()),
        checkpoints);
    this.how = how;
  }

  @Override
  String description() {
    return how.description() + Optimizer.start(how.initial().toArray());
  }

  @Override
  MllibStep first(MiniBatchObjective<Tuple2<Object, Vector>> objective) {
    Beginning began =
        leavesStates() ? Beginning.of(objective.whole(how.initial().toArray())) : null;
    Vector weights = Vectors.dense(how.initial().toArray().clone());
    Updater updater = RowGradients.apart(how.updater());
    Vector zeros = Vectors.zeros(weights.size());
    double penalty = (double) updater.compute(weights, zeros, 0, 1, how.regParam())._2();
    return new MllibStep(0, weights, penalty, updater, new Losses(), false, began);
  }

  /** The loss of a batch. */
  @Override
  double value(MllibStep step, RankObjective.Sums batch) {
    return batch.value() / batch.weight() + step.penalty();
  }

  /** As {@code GradientDescent} goes on from a batch. */
  @Override
  MllibStep after(MllibStep step, RankObjective.Sums batch) {
    int number = step.iteration() + 1;
    double rows = batch.weight();
    if (rows == 0) {
      return step.with(number, step.losses());
    }
    double[] gradient = batch.gradient();
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] /= rows;
    }
    Updater next = RowGradients.apart(step.updater());
    Tuple2<Vector, Object> update =
        next.compute(
            step.weights(), Vectors.dense(gradient), how.stepSize(), number, how.regParam());
    Vector moved = update._1();
    // As in MLlib, the first step is not compared.
    boolean converged = step.losses().count() > 0 && converged(step.weights(), moved);
    return new MllibStep(
        number,
        moved,
        (double) update._2(),
        next,
        step.losses().and(value(step, batch)),
        converged,
        step.began());
  }

  private boolean converged(Vector before, Vector now) {
    return Boolean.TRUE.equals(
        Hidden.call(
            GradientDescent$.class,
            GradientDescent$.MODULE$,
            "isConverged",
            before,
            now,
            how.tolerance()));
  }

  /** With the loss of one batch more, if steps have not become short. */
  @Override
  MllibStep last(MllibStep step, MiniBatchObjective<Tuple2<Object, Vector>> objective) {
    if (step.converged()) {
      return step;
    }
    RankObjective.Sums batch = objective.batch(step.x(), step.iteration() + 1);
    return batch.weight() == 0
        ? step
        : step.with(step.iteration(), step.losses().and(value(step, batch)));
  }
}
