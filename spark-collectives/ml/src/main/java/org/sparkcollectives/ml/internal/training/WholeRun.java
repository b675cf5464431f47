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

/** A rank of a training in which each rank has all of every vector of Breeze's optimiser. */
final class WholeRun {
  private static final Logger LOG = LoggerFactory.getLogger(WholeRun.class);

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java sees Scala's doubles as objects
  private static final ClassTag<Object> DOUBLE = (ClassTag) ClassTag$.MODULE$.Double();

  private final String training;
  private final Communicator communicator;
  private final RankObjective objective;
  private final @Nullable Checkpoints checkpoints;
  private final String description;
  private final TrainingProgress progress;
  private final int memory;
  private final FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>
      minimizer;
  private final DiffFunction<DenseVector<Object>> function;
  private final List<Double> values = new ArrayList<>();

  /** Where the run starts, until {@link #train} takes it, so that its vectors can go after that. */
  private @Nullable State<DenseVector<Object>, Object, Object> start;

  /**
   * A rank's run.
   *
   * @param training a name that no other training has
   * @param communicator the ranks
   * @param objective what is minimised
   * @param optimizer how
   * @param checkpoints where states are kept beyond the application, or null
   * @param description what else than its data makes a state one of this training
   */
  WholeRun(
      String training,
      Communicator communicator,
      RankObjective objective,
      Optimizer optimizer,
      @Nullable Checkpoints checkpoints,
      String description) {
    this.training = training;
    this.communicator = communicator;
    this.objective = objective;
    this.checkpoints = checkpoints;
    this.description = description;
    this.memory = optimizer.memory();
    this.progress = new TrainingProgress(training, communicator, "iteration", optimizer.most());
    this.minimizer = optimizer.make();
    this.function =
        minimizer.adjustFunction(
            new CachedDiffFunction<>(
                Optimizer.function(objective::at), DenseVector.canCopyDenseVector(DOUBLE)));
  }

  /**
   * Trains from where one of the others has put it; a collective call.
   *
   * @return what it has brought
   */
  Trained train() {
    State<DenseVector<Object>, Object, Object> state = requireNonNull(start);
    start = null;
    int resumedAt = state.iter();
    Taken first = Taken.now(objective);
    var states = minimizer.infiniteIterations(function, state);
    states.next(); // the state itself
    KeptStates.Newest newest = null;
    Option<ConvergenceReason> reason = ended(state);
    while (reason.isEmpty()) {
      State<DenseVector<Object>, Object, Object> next = states.next();
      values.add(next.adjustedValue());
      if (next.iter() > state.iter()) { // not one that a failed search has left
        newest = new KeptStates.Newest(next, history());
        KeptStates.keep(training, newest);
        write(newest, false);
      }
      state = next;
      progress.at(state.iter(), state.adjustedValue());
      reason = ended(state);
    }
    Taken iterations = Taken.now(objective).since(first);
    write(newest, true);
    return new Trained(
        DenseVectors.array(state.x()),
        history(),
        state.iter(),
        reason.get().reason(),
        communicator.size(),
        resumedAt,
        objective,
        iterations);
  }

  private Option<ConvergenceReason> ended(State<DenseVector<Object>, Object, Object> state) {
    return minimizer.convergenceCheck().apply(state, state.convergenceInfo());
  }

  /**
   * Starts before the first iteration; a collective call.
   *
   * @param initial where that is
   */
  void begin(Vector initial) {
    start = minimizer.initialState(function, DenseVectors.over(initial.toArray().clone()));
    values.add(start.adjustedValue());
  }

  /**
   * Starts from what an earlier attempt has left in memory; a collective call.
   *
   * @param origin which rank has it
   * @return whether that rank could send it
   */
  boolean resume(Origin origin) throws IOException, ClassNotFoundException {
    byte[] bytes = null;
    if (communicator.rank() == origin.holder()) {
      KeptStates.Newest own = requireNonNull(origin.own());
      LOG.info("{}: goes on from iteration {}", training, own.state().iter());
      bytes = SentState.of(training, new KeptState(own.state(), own.objective(), ""));
    }
    byte[] received = SentState.received(communicator, bytes, origin.holder());
    if (received.length == 0) {
      return false;
    }
    restore((KeptState) JavaBytes.read(received));
    return true;
  }

  private void restore(KeptState kept) {
    Arrays.stream(kept.objective()).forEach(values::add);
    start = kept.restore(minimizer, memory);
  }

  // ---- states in a folder ----------------------------------------------------------------------

  /**
   * Starts from a state of the folder; a collective call.
   *
   * @param found a whole state
   * @return whether it could be read and is of this training; one of another is removed
   */
  boolean resume(Checkpoints.Found found) {
    Checkpoints folder = requireNonNull(checkpoints);
    byte[] received = folder.read(communicator, found);
    if (received.length == 0) {
      return false;
    }
    KeptState kept = JavaBytes.readIf(KeptState.class, received);
    boolean fits = kept != null && kept.fits(description) && isAt(kept);
    folder.judged(communicator, training, found, fits);
    if (kept != null && fits) {
      restore(kept);
    }
    return fits;
  }

  /** Whether the objective is for the state's coefficients what it was; a collective call. */
  private boolean isAt(KeptState kept) {
    Tuple2<Object, DenseVector<Object>> now =
        function.calculate(DenseVectors.over(kept.x().clone()));
    return Evaluation.of((double) now._1(), DenseVectors.array(now._2()))
        .isThatOf(Evaluation.of(kept.value(), kept.gradient()));
  }

  /** Writes a state to the folder, those between only when their time has come. */
  private void write(KeptStates.@Nullable Newest newest, boolean last) {
    if (checkpoints == null || newest == null || communicator.rank() != 0) {
      return;
    }
    int iteration = newest.state().iter();
    if (checkpoints.due(iteration) != last) {
      checkpoints.write(iteration, new KeptState(newest.state(), newest.objective(), description));
    }
  }

  private double[] history() {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
