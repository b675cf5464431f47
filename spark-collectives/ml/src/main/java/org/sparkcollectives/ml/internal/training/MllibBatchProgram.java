package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import org.apache.spark.mllib.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.BatchFunction;
import org.sparkcollectives.ml.internal.objective.MiniBatchObjective;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.objective.RankObjective;
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
    double[] initial = how.initial().toArray();
    return MllibStep.first(how, leavesStates() ? Beginning.of(objective.whole(initial)) : null);
  }

  @Override
  double value(MllibStep step, RankObjective.Sums batch) {
    return step.loss(batch);
  }

  @Override
  MllibStep after(MllibStep step, RankObjective.Sums batch) {
    return step.after(batch, how);
  }

  /** With the loss of one batch more, if steps have not become short. */
  @Override
  MllibStep last(MllibStep step, MiniBatchObjective<Tuple2<Object, Vector>> objective) {
    return step.converged() ? step : step.withLoss(objective.batch(step.x(), step.iteration() + 1));
  }
}
