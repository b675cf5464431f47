package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.objective.MiniBatchObjective;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.StateKeeper;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/**
 * A rank of a training by mini batches: MLlib's updater takes the same steps on every rank, and one
 * allreduce sums up the gradients of each batch.
 */
final class MiniBatchProgram
    implements CollectiveFunction<PartitionRows<Tuple2<Object, Vector>>, Trained> {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(MiniBatchProgram.class);

  /** By how much a loss may differ relatively that is the same: ranks may be others. */
  private static final double SAME_VALUE = 1e-8;

  private final String training;
  private final MiniBatches how;
  private final int partitions;
  private final @Nullable Checkpoints checkpoints;

  /**
   * A program.
   *
   * @param training a name that no other training has
   * @param how the parameters
   * @param partitions how many partitions all ranks have
   * @param checkpoints where states are kept beyond the application, or null
   */
  MiniBatchProgram(
      String training, MiniBatches how, int partitions, @Nullable Checkpoints checkpoints) {
    this.training = training;
    this.how = how;
    this.partitions = partitions;
    this.checkpoints = checkpoints;
  }

  @Override
  public Iterator<Trained> call(
      Communicator communicator, Iterator<PartitionRows<Tuple2<Object, Vector>>> elements)
      throws IOException, ClassNotFoundException {
    DenseVectors.load();
    List<PartitionRows<Tuple2<Object, Vector>>> parts = new ArrayList<>();
    elements.forEachRemaining(parts::add);
    double[] rows = {parts.stream().mapToDouble(part -> part.rows().size()).sum()};
    communicator.allReduce(rows, ReduceOp.SUM);
    MiniBatchObjective objective = new MiniBatchObjective(communicator, parts, how, partitions);
    Step step = Step.first(how);
    int resumedAt = 0;
    String reason = "no data";
    if (rows[0] > 0) {
      StateKeeper<Step> keeper =
          new StateKeeper<>(communicator, training, how.description(), checkpoints);
      Step first = step;
      Step kept = keeper.newest(found -> sameStart(objective, first, found));
      if (kept != null) {
        step = kept;
        resumedAt = kept.iteration();
      }
      step = iterated(objective, step, keeper, communicator.rank() == 0);
      reason = step.converged() ? "step within tolerance" : "max iterations reached";
    }
    return communicator.rank() == 0
        ? List.of(
                new Trained(
                    step.weights().toArray(),
                    step.losses(),
                    reason,
                    communicator.size(),
                    resumedAt,
                    objective))
            .iterator()
        : Collections.emptyIterator();
  }

  private Step iterated(
      MiniBatchObjective objective, Step start, StateKeeper<Step> keeper, boolean tells)
      throws IOException {
    Step step = start;
    Step kept = start;
    while (!step.converged() && step.iteration() <= how.iterations()) {
      int number = step.iteration() + 1;
      RankObjective.Sums batch = objective.batch(step.weights(), number);
      if (tells && batch.weight() == 0) {
        LOG.warn("{}: batch {} of {} has no rows", training, number, how.iterations());
      } else if (tells) {
        LOG.info("{}: batch {}, loss {}", training, number, step.loss(batch));
      }
      step = step.after(batch, how);
      if (number <= how.iterations()) { // a step, and not a last loss alone
        kept = step;
        keeper.keep(step);
      }
    }
    keeper.end(kept);
    return step;
  }

  /** Whether a state comes from these data and this start: its first loss is that of the first. */
  private static boolean sameStart(MiniBatchObjective objective, Step first, Step found) {
    double now = first.loss(objective.batch(first.weights(), 1));
    double then = found.losses().length == 0 ? Double.NaN : found.losses()[0];
    return Math.abs(now - then) <= SAME_VALUE * Math.max(Math.abs(now), Double.MIN_NORMAL);
  }
}
