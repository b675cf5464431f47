package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.minimizer.Division;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.MllibObjective;
import org.sparkcollectives.ml.internal.objective.ObjectiveOf;
import org.sparkcollectives.ml.internal.objective.Penalty;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.rows.Support;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.KeptParts;
import org.sparkcollectives.ml.internal.state.KeptStates;
import org.sparkcollectives.spark.CollectiveFunction;
import scala.Function1;

/**
 * A rank of a training: Breeze's optimiser runs on every rank, takes the same steps on each, and
 * asks for an objective that all ranks compute together.
 *
 * @param <T> the rows' class
 */
final class RankProgram<T> implements CollectiveFunction<T, Trained> {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RankProgram.class);

  private final String training;
  private final ObjectiveOf<T> objectives;
  private final Optimizer optimizer;
  private final Vector initial;
  private final @Nullable Checkpoints checkpoints;
  private final Placing placing;

  /** Which coefficients there are, of those that its caller knows; empty for all. */
  private final String coordinates;

  /**
   * A program.
   *
   * @param training a name that no other training has
   * @param objectives what is minimised
   * @param optimizer how
   * @param initial where it starts
   * @param checkpoints where states are kept beyond the application, or null
   * @param placing whether each rank has all of the optimiser's vectors or its part of them
   */
  RankProgram(
      String training,
      ObjectiveOf<T> objectives,
      Optimizer optimizer,
      Vector initial,
      @Nullable Checkpoints checkpoints,
      Placing placing) {
    this(training, objectives, optimizer, initial, checkpoints, placing, "");
  }

  private RankProgram(
      String training,
      ObjectiveOf<T> objectives,
      Optimizer optimizer,
      Vector initial,
      @Nullable Checkpoints checkpoints,
      Placing placing,
      String coordinates) {
    this.training = training;
    this.objectives = objectives;
    this.optimizer = optimizer;
    this.initial = initial;
    this.checkpoints = checkpoints;
    this.placing = placing;
    this.coordinates = coordinates;
  }

  /**
   * The same where rows, objective and optimiser are of some coefficients already.
   *
   * @param support which these are
   * @return the program, whose states are of no others
   */
  RankProgram<T> of(Support support) {
    return new RankProgram<>(
        training, objectives, optimizer, initial, checkpoints, placing, coordinates(support));
  }

  /**
   * A program that minimises MLlib's objective.
   *
   * @param training a name that no other training has
   * @param aggregators MLlib's aggregator for given coefficients
   * @param penalty MLlib's regularisation
   * @param optimizer how it is minimised
   * @param initial where it starts
   * @param checkpoints where states are kept beyond the application, or null
   * @param placing whether each rank has all of the optimiser's vectors or its part of them
   * @param <T> the rows' class
   * @param <A> the aggregator
   */
  static <T, A extends DifferentiableLossAggregator<T, A>> RankProgram<T> ofMllib(
      String training,
      Function1<Broadcast<Vector>, A> aggregators,
      Penalty penalty,
      Optimizer optimizer,
      Vector initial,
      @Nullable Checkpoints checkpoints,
      Placing placing) {
    return new RankProgram<>(
        training,
        (communicator, rows) -> new MllibObjective<>(communicator, rows, aggregators, penalty),
        optimizer,
        initial,
        checkpoints,
        placing);
  }

  @Override
  public Iterator<Trained> call(Communicator communicator, Iterator<T> elements)
      throws IOException, ClassNotFoundException {
    DenseVectors.load();
    TrainingProgress.readsRows(training);
    List<T> rows = new ArrayList<>();
    elements.forEachRemaining(rows::add);
    Trained trained = train(communicator, rows);
    end(communicator);
    return trained.part || communicator.rank() == 0
        ? List.of(trained).iterator()
        : Collections.emptyIterator();
  }

  /**
   * Trains; a collective call, after which states are kept until {@link #end}.
   *
   * @param communicator the ranks
   * @param rows those of this rank
   * @return what it has brought: the same on all ranks, or of each its part
   */
  Trained train(Communicator communicator, List<T> rows)
      throws IOException, ClassNotFoundException {
    RankObjective objective = objectives.over(communicator, rows);
    Support support =
        coordinates.isEmpty() && optimizer.divisible() ? objective.support(initial) : null;
    if (support == null) {
      return trained(communicator, objective, optimizer, initial, coordinates);
    }
    if (communicator.rank() == 0) {
      LOG.info("{}: rows can move {}", training, support);
    }
    Trained some =
        trained(
            communicator,
            objective.on(support),
            optimizer.on(support::index),
            support.of(initial),
            coordinates(support));
    return all(communicator, some, support);
  }

  private Trained trained(
      Communicator communicator,
      RankObjective objective,
      Optimizer optimizer,
      Vector initial,
      String coordinates)
      throws IOException, ClassNotFoundException {
    return new RankTraining(
            training + coordinates,
            communicator,
            objective,
            optimizer,
            initial,
            coordinates,
            checkpoints,
            placing)
        .train();
  }

  /** Which coefficients there are, behind a name. */
  private static String coordinates(Support support) {
    return ", " + support;
  }

  /** What a training of some coefficients has brought, with all of them; a collective call. */
  static Trained all(Communicator communicator, Trained some, Support support) {
    int length = support.length();
    if (!some.part) {
      return some.withAll(support.part(some.x, 0, length));
    }
    int size = communicator.size();
    int rank = communicator.rank();
    double[] these = communicator.allGather(some.x, Division.counts(support.size(), size));
    int first = Division.first(length, size, rank);
    int count = Division.first(length, size, rank + 1) - first;
    return some.withPart(support.part(these, first, count), length);
  }

  /** Ends the training, whose states nobody needs any more; a collective call. */
  void end(Communicator communicator) {
    communicator.barrier(); // until then another may need the state
    KeptStates.forget(training);
    KeptParts.forget(training);
  }
}
