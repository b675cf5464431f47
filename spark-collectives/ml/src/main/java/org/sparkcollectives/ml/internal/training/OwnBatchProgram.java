package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.util.Arrays;
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
 * end, and batches in between. Its steps are those of the objective divided by the number of rows,
 * so that their size does not depend on how many rows there are.
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
    RankObjective.Sums all = objective.whole(initial);
    double[][] memory = new double[how.rule().vectors()][initial.length];
    Losses start = new Losses(all.value() + how.penalty(initial));
    return new OwnStep(0, 0, initial, memory, start, false, Beginning.of(all));
  }

  @Override
  double value(OwnStep step, RankObjective.Sums batch) {
    return batch.value() * (step.began().rows() / batch.weight()) + how.penalty(step.x());
  }

  /** One without rows moves nothing. */
  @Override
  OwnStep after(OwnStep step, RankObjective.Sums batch) {
    int number = step.iteration() + 1;
    boolean empty = batch.weight() == 0;
    Losses losses = step.losses(); // of the start it is known
    if (number > 1) {
      losses = losses.and(empty ? losses.last() : value(step, batch));
    }
    if (empty) {
      return step.with(number, losses);
    }
    double[] x = step.x();
    double[] change = batch.gradient();
    for (int i = 0; i < x.length; i++) {
      change[i] = change[i] / batch.weight() + how.l2() / step.began().rows() * x[i];
    }
    double[][] memory = Arrays.stream(step.memory()).map(double[]::clone).toArray(double[][]::new);
    how.rule().step(number, step.steps() + 1, change, memory);
    double[] moved = x.clone();
    double length = 0;
    double norm = 0;
    for (int i = 0; i < x.length; i++) {
      moved[i] -= change[i];
      length += change[i] * change[i];
      norm += moved[i] * moved[i];
    }
    boolean near = Math.sqrt(length) < how.tolerance() * Math.max(Math.sqrt(norm), 1);
    return new OwnStep(number, step.steps() + 1, moved, memory, losses, near, step.began());
  }

  /** With the value there, by the sums over all rows. */
  @Override
  OwnStep last(OwnStep step, MiniBatchObjective<T> objective) {
    if (step.iteration() == 0) {
      return step;
    }
    double value = objective.whole(step.x()).value() + how.penalty(step.x());
    return step.with(step.iteration(), step.losses().and(value));
  }
}
