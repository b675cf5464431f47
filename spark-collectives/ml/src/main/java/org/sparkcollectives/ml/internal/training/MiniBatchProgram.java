package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.objective.BatchFunction;
import org.sparkcollectives.ml.internal.objective.MiniBatchObjective;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.rows.Sampling;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.StateKeeper;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A rank of a training by mini batches: every rank takes the same steps, and one allreduce sums up
 * the gradients of each batch.
 *
 * @param <T> the rows' class
 * @param <S> where it stands
 */
abstract class MiniBatchProgram<T, S extends MiniBatchProgram.Step>
    implements CollectiveFunction<PartitionRows<T>, MiniBatchProgram.Ended> {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(MiniBatchProgram.class);

  private final String training;
  private final int iterations;
  private final Sampling sampling;
  private final BatchFunction<T> function;
  private final @Nullable Checkpoints checkpoints;

  /**
   * What a training has come to.
   *
   * @param trained what it has brought
   * @param rows how many rows all ranks have
   * @param empty how many batches of the last attempt had none
   */
  record Ended(Trained trained, long rows, int empty) implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** Where a training stands: it does not change, the next step is another one. */
  interface Step extends StateKeeper.Kept {
    /** The coefficients, not to be changed. */
    double[] x();

    /** The objective's values so far, as a new array. */
    double[] history();

    /** What all rows say at the start; null where no state goes to a folder. */
    @Nullable Beginning began();

    /** Whether no batch is to follow. */
    boolean converged();
  }

  /**
   * A program.
   *
   * @param training a name that no other training has
   * @param iterations how many steps at most
   * @param sampling which rows are in a batch
   * @param function what rows add
   * @param checkpoints where states are kept beyond the application, or null
   */
  MiniBatchProgram(
      String training,
      int iterations,
      Sampling sampling,
      BatchFunction<T> function,
      @Nullable Checkpoints checkpoints) {
    this.training = training;
    this.iterations = iterations;
    this.sampling = sampling;
    this.function = function;
    this.checkpoints = checkpoints;
  }

  /** All but data on which a state depends, without the number of steps. */
  abstract String description();

  /** Before the first batch; a collective call. */
  abstract S first(MiniBatchObjective<T> objective);

  /** What a batch, which has rows, says of the objective where a training stands. */
  abstract double value(S step, RankObjective.Sums batch);

  /** After a batch, whose gradient may be overwritten. */
  abstract S after(S step, RankObjective.Sums batch);

  /** After the last batch, with the last value; a collective call. */
  abstract S last(S step, MiniBatchObjective<T> objective);

  /** Whether another application may go on with what this one leaves in a folder. */
  final boolean leavesStates() {
    return checkpoints != null;
  }

  /** Whether a state from a folder comes from these data; a collective call. */
  private boolean sameStart(MiniBatchObjective<T> objective, S found) {
    Beginning kept = found.began();
    Beginning began = first(objective).began();
    return kept != null && began != null && began.isThatOf(kept);
  }

  @Override
  public final Iterator<Ended> call(Communicator communicator, Iterator<PartitionRows<T>> elements)
      throws IOException, ClassNotFoundException {
    DenseVectors.load();
    TrainingProgress.readsRows(training);
    List<PartitionRows<T>> parts = new ArrayList<>();
    elements.forEachRemaining(parts::add);
    double[] rows = {parts.stream().mapToDouble(part -> part.rows().size()).sum()};
    communicator.allReduce(rows, ReduceOp.SUM);
    MiniBatchObjective<T> objective =
        new MiniBatchObjective<>(communicator, parts, function, sampling);
    StateKeeper<S> keeper = new StateKeeper<>(communicator, training, description(), checkpoints);
    boolean empty = rows[0] == 0;
    S kept = empty ? null : keeper.newest(iterations, found -> sameStart(objective, found));
    Iterated<S> iterated = new Iterated<>(kept == null ? first(objective) : kept, Taken.NOTHING, 0);
    String reason = "no data";
    if (!empty) {
      iterated = iterated(objective, iterated.step, keeper, communicator);
      reason = iterated.step.converged() ? "step within tolerance" : "max iterations reached";
    }
    int resumedAt = kept == null ? 0 : kept.iteration();
    if (communicator.rank() > 0) {
      return Collections.emptyIterator();
    }
    Trained trained =
        new Trained(
            iterated.step.x(),
            iterated.step.history(),
            iterated.step.iteration(),
            reason,
            communicator.size(),
            resumedAt,
            objective,
            iterated.taken);
    return List.of(new Ended(trained, Math.round(rows[0]), iterated.empty)).iterator();
  }

  /**
   * What iterations have brought.
   *
   * @param step the last one
   * @param taken what they took, from when the first batch was summed up, which makes a loss known
   * @param empty how many batches had no rows
   */
  private record Iterated<S>(S step, Taken taken, int empty) {}

  private Iterated<S> iterated(
      MiniBatchObjective<T> objective, S start, StateKeeper<S> keeper, Communicator communicator) {
    var progress = new TrainingProgress(training, communicator, "batch", iterations);
    boolean tells = communicator.rank() == 0;
    S step = start;
    Taken first = null;
    int empty = 0;
    while (!step.converged() && step.iteration() < iterations) {
      int number = step.iteration() + 1;
      RankObjective.Sums batch = objective.batch(step.x(), number);
      first = first == null ? Taken.now(objective) : first;
      empty += batch.weight() == 0 ? 1 : 0;
      if (tells && batch.weight() == 0) {
        LOG.warn("{}: batch {} of {} has no rows", training, number, iterations);
      } else if (tells) {
        progress.at(number, value(step, batch));
      }
      step = after(step, batch);
      keeper.keep(step);
    }
    S last = last(step, objective);
    Taken taken = first == null ? Taken.NOTHING : Taken.now(objective).since(first);
    keeper.end(step);
    return new Iterated<>(last, taken, empty);
  }
}
