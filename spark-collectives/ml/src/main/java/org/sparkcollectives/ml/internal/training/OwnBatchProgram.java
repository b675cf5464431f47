package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.BatchFunction;
import org.sparkcollectives.ml.internal.objective.MiniBatchObjective;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.rows.RowsFunction;
import org.sparkcollectives.ml.internal.rows.Sampling;
import org.sparkcollectives.ml.internal.state.Checkpoints;

/**
 * A training of a user's objective by mini batches. All rows tell its value at the start and at the
 * end, and batches in between.
 *
 * @param <T> the rows' class
 */
final class OwnBatchProgram<T> extends MiniBatchProgram<T, OwnStep> {
  @Serial private static final long serialVersionUID = 1L;

  private final OwnBatches how;
  private final double[] initial;

  /**
   * A program.
   *
   * @param training a name that no other training has
   * @param how the parameters
   * @param partitions how many partitions all ranks have
   * @param objective what rows add to the objective
   * @param initial where it starts
   * @param checkpoints where states are kept beyond the application, or null
   */
  OwnBatchProgram(
      String training,
      OwnBatches how,
      int partitions,
      RowsFunction<T> objective,
      double[] initial,
      @Nullable Checkpoints checkpoints) {
    super(
        training,
        how.iterations(),
        new Sampling(how.fraction(), how.seed(), partitions),
        BatchFunction.of(objective),
        checkpoints);
    this.how = how;
    this.initial = initial;
  }

  @Override
  String description() {
    return how.description(initial.length) + Optimizer.start(initial);
  }

  @Override
  OwnStep first(MiniBatchObjective<T> objective) {
    return OwnStep.first(initial, objective.whole(initial), how);
  }

  @Override
  double value(OwnStep step, RankObjective.Sums batch) {
    return step.value(batch, how);
  }

  @Override
  OwnStep after(OwnStep step, RankObjective.Sums batch) {
    return step.after(batch, how);
  }

  @Override
  OwnStep last(OwnStep step, MiniBatchObjective<T> objective) {
    return step.iteration() == 0 ? step : step.ended(objective.whole(step.x()), how);
  }
}
