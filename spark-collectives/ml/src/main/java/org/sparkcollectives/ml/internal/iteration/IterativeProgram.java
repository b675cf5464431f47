package org.sparkcollectives.ml.internal.iteration;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.objective.Evaluation;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.StateKeeper;
import org.sparkcollectives.ml.internal.training.Training;
import org.sparkcollectives.ml.internal.training.TrainingProgress;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.spark.internal.ui.Publisher;

/**
 * A training in one stage whose iterations take the same small state on all ranks to the next: each
 * rank sums up its rows, one allreduce adds these sums, and every rank makes the same state of
 * them. It goes on from states that are kept.
 *
 * @param <T> the rows' class
 * @param <S> the state's class
 */
abstract class IterativeProgram<T, S extends IterativeProgram.State>
    implements CollectiveFunction<T, IterativeProgram.Ended<S>> {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(IterativeProgram.class);
  private static final double MILLIS = 1e-6;

  private final String name;
  private final String training;
  private final S start;
  private final int maxIterations;
  private final @Nullable Checkpoints checkpoints;

  /**
   * What a training has come to.
   *
   * @param state the last state
   * @param nanos what the iterations of the last attempt took, by rank 0's clock
   * @param <S> the state's class
   */
  record Ended<S extends State>(S state, long nanos) implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** What an iteration makes of the one before; it does not change. */
  abstract static class State implements StateKeeper.Kept {
    @Serial private static final long serialVersionUID = 1L;

    private final double[] objective;
    private final long rows;
    private final double weight;
    private final int resumedAt;

    /**
     * A state after iterations.
     *
     * @param objective the value of each iteration
     * @param rows how many rows there are; 0 where nobody asks
     * @param weight the rows' weight; 0 where nobody asks
     * @param resumedAt the iteration from which they went on; 0 for the start
     */
    State(double[] objective, long rows, double weight, int resumedAt) {
      this.objective = objective;
      this.rows = rows;
      this.weight = weight;
      this.resumedAt = resumedAt;
    }

    /** The values so far, and one more. */
    final double[] objectiveAnd(double next) {
      double[] all = Arrays.copyOf(objective, objective.length + 1);
      all[objective.length] = next;
      return all;
    }

    /**
     * What is to become least or largest.
     *
     * @return the value of each iteration, not to be changed
     */
    public final double[] objective() {
      return objective;
    }

    /**
     * The iterations.
     *
     * @return how many there were
     */
    @Override
    public final int iteration() {
      return objective.length;
    }

    /**
     * The rows.
     *
     * @return how many there are; 0 before the first iteration
     */
    public final long rows() {
      return rows;
    }

    /**
     * The rows' weight.
     *
     * @return the sum; 0 before the first iteration
     */
    public final double weight() {
      return weight;
    }

    final int resumedAt() {
      return resumedAt;
    }
  }

  /**
   * An iteration of all ranks, with what a rank knows of its rows.
   *
   * @param <S> the state's class
   */
  interface Step<S> {
    /** The next state; a collective call. */
    S after(S state, int resumedAt);
  }

  /**
   * A program.
   *
   * @param name what is trained, for people
   * @param start the first state
   * @param maxIterations the most iterations
   * @param checkpoints where states are kept beyond the application, or null
   */
  IterativeProgram(String name, S start, int maxIterations, @Nullable Checkpoints checkpoints) {
    this.name = name;
    this.training = TrainingProgress.unique(name);
    this.start = start;
    this.maxIterations = maxIterations;
    this.checkpoints = checkpoints;
  }

  /** What else than its data and its start makes a state one of this training. */
  abstract String description();

  /**
   * Before rows are read; a collective call.
   *
   * @throws org.sparkcollectives.error.InvalidInputException if there is no use in reading them
   */
  void prepare(Communicator communicator) {}

  /** Reads a rank's rows. */
  abstract Step<S> step(Communicator communicator, List<T> rows);

  /** Whether no iteration is to follow. */
  abstract boolean converged(S state);

  /**
   * Whether a state from a folder, of the same description, is of the same data and start; a
   * collective call.
   */
  boolean same(Step<S> step, S found) {
    return Evaluation.same(found.objective()[0], step.after(start, 0).objective()[0]);
  }

  /** What of the last state the driver is to have. */
  S result(S last) {
    return last;
  }

  /** The first state. */
  final S start() {
    return start;
  }

  /** Runs all iterations, and says what they have brought. */
  final S over(RDD<T> rows) {
    long began = System.nanoTime();
    Ended<S> ended = Training.ran(rows, this).get(0);
    S found = ended.state;
    double millis = (System.nanoTime() - began) * MILLIS;
    double[] objective = found.objective();
    LOG.info(
        "{}: {} iterations in {} ms, objective {}",
        name,
        found.iteration(),
        Math.round(millis),
        objective.length == 0 ? "unknown" : objective[objective.length - 1]);
    TrainingEvent event = new TrainingEvent();
    event.name = name;
    event.iterations = found.iteration();
    event.resumedAt = found.resumedAt();
    event.reason = converged(found) ? "converged" : "";
    event.millis = millis;
    event.iterationsMillis = ended.nanos * MILLIS;
    event.objective(objective);
    Publisher.of(rows.context()).publish(event);
    return found;
  }

  @Override
  public final Iterator<Ended<S>> call(Communicator communicator, Iterator<T> elements)
      throws IOException, ClassNotFoundException {
    prepare(communicator);
    TrainingProgress.readsRows(training);
    List<T> rows = new ArrayList<>();
    elements.forEachRemaining(rows::add);
    Step<S> step = step(communicator, rows);
    StateKeeper<S> keeper = new StateKeeper<>(communicator, training, description(), checkpoints);
    S kept = keeper.newest(maxIterations, found -> same(step, found));
    S state = kept == null ? start : kept;
    int resumedAt = state.iteration();
    long first = System.nanoTime();
    var progress = new TrainingProgress(training, communicator, "iteration", maxIterations);
    while (state.iteration() < maxIterations && !converged(state)) {
      state = step.after(state, resumedAt);
      keeper.keep(state);
      progress.at(state.iteration(), state.objective()[state.iteration() - 1]);
    }
    long nanos = System.nanoTime() - first;
    keeper.end(state);
    return communicator.rank() == 0
        ? List.of(new Ended<>(result(state), nanos)).iterator()
        : Collections.emptyIterator();
  }
}
