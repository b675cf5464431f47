package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.CachedDiffFunction;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.ConvergenceReason;
import breeze.optimize.FirstOrderMinimizer.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.Evaluation;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.KeptState;
import org.sparkcollectives.ml.internal.state.KeptStates;
import org.sparkcollectives.ml.internal.state.Origin;
import org.sparkcollectives.ml.internal.state.SentState;
import scala.Option;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A rank's training, once its rows are there: from where states of an earlier attempt or
 * application allow, with vectors whole or divided.
 */
final class RankTraining {
  private static final Logger LOG = LoggerFactory.getLogger(RankTraining.class);

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java sees Scala's doubles as objects
  private static final ClassTag<Object> DOUBLE = (ClassTag) ClassTag$.MODULE$.Double();

  private final String training;
  private final Communicator communicator;
  private final RankObjective objective;
  private final Optimizer optimizer;
  private final Vector initial;
  private final String coordinates;
  private final @Nullable Checkpoints checkpoints;
  private final Placing placing;

  /**
   * A rank's training.
   *
   * @param training the name that its states are kept under
   * @param communicator the ranks
   * @param objective what is minimised
   * @param optimizer how
   * @param initial where it starts
   * @param coordinates which coefficients it has, in words; empty for all
   * @param checkpoints where states are kept beyond the application, or null
   * @param placing whether each rank has all of the optimiser's vectors or its part of them
   */
  RankTraining(
      String training,
      Communicator communicator,
      RankObjective objective,
      Optimizer optimizer,
      Vector initial,
      String coordinates,
      @Nullable Checkpoints checkpoints,
      Placing placing) {
    this.training = training;
    this.communicator = communicator;
    this.objective = objective;
    this.optimizer = optimizer;
    this.initial = initial;
    this.coordinates = coordinates;
    this.checkpoints = checkpoints;
    this.placing = placing;
  }

  /**
   * Trains; a collective call, after which states are kept.
   *
   * @return what it has brought: the same on all ranks, or of each its part
   */
  Trained train() throws IOException, ClassNotFoundException {
    Origin origin = Origin.of(training, communicator, checkpoints, optimizer.most());
    while (origin.kind() == Origin.Kind.DIVIDED && !optimizer.divisible()) { // another training's
      Checkpoints.Found found = origin.found();
      if (found == null) {
        origin = Origin.NOWHERE;
      } else {
        judged(found, false);
        origin = Origin.of(training, communicator, checkpoints, found.iteration() - 1);
      }
    }
    return isDivided(origin) ? divided(origin.found()) : whole(origin);
  }

  private Trained divided(Checkpoints.@Nullable Found found)
      throws IOException, ClassNotFoundException {
    int length = initial.size();
    DividedRun run =
        new DividedRun(
            training, communicator, objective, optimizer, length, checkpoints, description());
    if (!run.resume(found)) {
      boolean others = found != null;
      if (others && !placing.divides(communicator, optimizer, length)) {
        return whole(Origin.NOWHERE);
      }
      run.begin(initial);
    }
    return run.train();
  }

  /** Whether each rank has a part of the optimiser's vectors: as in the state it goes on from. */
  private boolean isDivided(Origin origin) {
    return switch (origin.kind()) {
      case WHOLE -> false;
      case DIVIDED -> true;
      case NONE -> placing.divides(communicator, optimizer, initial.size());
    };
  }

  private Trained whole(Origin origin) throws IOException, ClassNotFoundException {
    FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> minimizer =
        optimizer.make();
    DiffFunction<DenseVector<Object>> function =
        minimizer.adjustFunction(
            new CachedDiffFunction<>(
                Optimizer.function(objective::at), DenseVector.canCopyDenseVector(DOUBLE)));

    List<Double> values = new ArrayList<>();
    var state = resumed(minimizer, function, origin, values);
    if (state == null) {
      if (origin.kind() == Origin.Kind.WHOLE // by a state of another training
          && placing.divides(communicator, optimizer, initial.size())) {
        return divided(null);
      }
      state = minimizer.initialState(function, DenseVectors.over(initial.toArray().clone()));
      values.add(state.adjustedValue());
    }
    int resumedAt = state.iter();
    Taken first = Taken.now(objective);

    var states = minimizer.infiniteIterations(function, state);
    states.next(); // the state itself
    KeptStates.Newest newest = null;
    Option<ConvergenceReason> reason = ended(minimizer, state);
    while (reason.isEmpty()) {
      State<DenseVector<Object>, Object, Object> next = states.next();
      values.add(next.adjustedValue());
      if (next.iter() > state.iter()) { // not one that a failed search has left
        newest = new KeptStates.Newest(next, array(values));
        KeptStates.keep(training, newest);
        write(newest, false);
      }
      state = next;
      if (communicator.rank() == 0) {
        LOG.info("{}: iteration {}, objective {}", training, state.iter(), state.adjustedValue());
      }
      reason = ended(minimizer, state);
    }
    Taken iterations = Taken.now(objective).since(first);
    write(newest, true);
    return new Trained(
        DenseVectors.array(state.x()),
        array(values),
        state.iter(),
        reason.get().reason(),
        communicator.size(),
        resumedAt,
        objective,
        iterations);
  }

  private static Option<ConvergenceReason> ended(
      FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> minimizer,
      State<DenseVector<Object>, Object, Object> state) {
    return minimizer.convergenceCheck().apply(state, state.convergenceInfo());
  }

  /** The optimiser's state to go on from, with the objective's values so far; null to start. */
  private @Nullable State<DenseVector<Object>, Object, Object> resumed(
      FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> minimizer,
      DiffFunction<DenseVector<Object>> function,
      Origin origin,
      List<Double> values)
      throws IOException, ClassNotFoundException {
    KeptState kept = resumable(function, origin);
    if (kept == null) {
      return null;
    }
    values.addAll(Arrays.stream(kept.objective()).boxed().toList());
    return kept.restore(minimizer, optimizer.memory());
  }

  private @Nullable KeptState resumable(DiffFunction<DenseVector<Object>> function, Origin origin)
      throws IOException, ClassNotFoundException {
    if (origin.kind() != Origin.Kind.WHOLE) {
      return null;
    }
    Checkpoints.Whole read = null;
    byte[] bytes = null;
    if (communicator.rank() == origin.holder()) {
      Checkpoints.Found found = origin.found();
      if (found != null) {
        read = requireNonNull(checkpoints).readWhole(found);
        bytes = read == null ? null : read.bytes();
      } else {
        KeptStates.Newest own = requireNonNull(origin.own());
        LOG.info("{}: goes on from iteration {}", training, own.state().iter());
        bytes = SentState.of(training, new KeptState(own.state(), own.objective(), ""));
      }
    }
    byte[] received = SentState.received(communicator, bytes, origin.holder());
    if (received.length == 0) {
      return null;
    }
    KeptState kept = JavaBytes.readIf(KeptState.class, received);
    boolean own = kept != null && !kept.written();
    if (own) {
      return kept;
    }
    Checkpoints.Found found = read == null ? requireNonNull(origin.found()) : read.found();
    boolean fits = kept != null && kept.fits(description()) && isAt(kept, function);
    judged(found, fits);
    return fits
        ? kept
        : resumable(
            function, Origin.of(training, communicator, checkpoints, found.iteration() - 1));
  }

  /** Whether the objective is for the state's coefficients what it was; a collective call. */
  private static boolean isAt(KeptState kept, DiffFunction<DenseVector<Object>> function) {
    Tuple2<Object, DenseVector<Object>> now =
        function.calculate(DenseVectors.over(kept.x().clone()));
    return Evaluation.of((double) now._1(), DenseVectors.array(now._2()))
        .isThatOf(Evaluation.of(kept.value(), kept.gradient()));
  }

  private void judged(Checkpoints.Found found, boolean fits) {
    if (communicator.rank() == 0) {
      requireNonNull(checkpoints).judged(training, found, fits);
    }
  }

  /** Writes a state to the folder, those between only when their time has come. */
  private void write(KeptStates.@Nullable Newest newest, boolean last) {
    if (checkpoints == null || newest == null || communicator.rank() != 0) {
      return;
    }
    int iteration = newest.state().iter();
    if (checkpoints.due(iteration) != last) {
      KeptState state = new KeptState(newest.state(), newest.objective(), description());
      checkpoints.write(iteration, state);
    }
  }

  /** What else than its data makes a state in a folder one of this training. */
  private String description() {
    return checkpoints == null ? "" : optimizer.description(initial.toArray()) + coordinates;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
