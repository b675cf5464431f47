package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import breeze.optimize.FirstOrderMinimizer.ConvergenceReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;
import org.sparkcollectives.ml.internal.minimizer.DividedMinimizer;
import org.sparkcollectives.ml.internal.minimizer.DividedState;
import org.sparkcollectives.ml.internal.minimizer.Division;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.KeptParts;
import org.sparkcollectives.vector.ReduceOp;
import scala.Option;

/** A rank of a training in which each rank has a part of every vector of the optimiser. */
final class DividedRun {
  private static final Logger LOG = LoggerFactory.getLogger(DividedRun.class);

  /** Position, gradient, and the step to them with its change. */
  private static final int FIRST_VECTORS = 4;

  /** Between two states that are kept, training takes at least so many times as long as keeping. */
  private static final int LEAST_TRAINING_PER_KEEPING = 20;

  /** And so many times, where that is no more than {@link #LITTLE_NANOS}. */
  private static final int TRAINING_PER_KEEPING = 100;

  /** What a lost executor may cost, however little it takes to keep states. */
  private static final double LITTLE_NANOS = 5e9;

  /** A first state of which rank 0 has no more is kept at once. */
  private static final long PROMPT_BYTES = 1L << 18;

  private final String training;
  private final Communicator communicator;
  private final RankObjective objective;
  private final @Nullable Checkpoints checkpoints;
  private final String description;
  private final TrainingProgress progress;
  private final int[] counts;
  private final int memory;
  private final DividedMinimizer minimizer;
  private final List<Double> values = new ArrayList<>();

  /** Where the run starts, until {@link #train} takes it, so that its vectors can go after that. */
  private @Nullable DividedState start;

  /** When the last state had been kept, or the run began, by this rank's clock. */
  private long keptAt = System.nanoTime();

  /** What keeping has taken for each vector of that state. */
  private double nanosPerVector;

  /** How many vectors the newest state has: more with each step until the memory is full. */
  private int vectors = FIRST_VECTORS;

  /** The iteration of the state that was kept last; -1 for none. */
  private int kept = -1;

  /**
   * A rank's run.
   *
   * @param training a name that no other training has
   * @param communicator the ranks
   * @param objective what is minimised
   * @param optimizer how, by L-BFGS or OWL-QN
   * @param length how many coefficients there are
   * @param checkpoints where states are kept beyond the application, or null
   * @param description what else than its data makes a state one of this training
   */
  DividedRun(
      String training,
      Communicator communicator,
      RankObjective objective,
      Optimizer optimizer,
      int length,
      @Nullable Checkpoints checkpoints,
      String description) {
    this.training = training;
    this.communicator = communicator;
    this.objective = objective;
    this.checkpoints = checkpoints;
    this.description = description;
    this.counts = Division.counts(length, communicator.size());
    this.memory = optimizer.memory();
    this.progress = new TrainingProgress(training, communicator, "iteration", optimizer.most());
    this.minimizer = new DividedMinimizer(communicator, optimizer, objective, counts, this::wish);
  }

  /**
   * Trains from where one of the others has put it; a collective call.
   *
   * @return what it has brought, with this rank's part of the coefficients, which others may need
   *     until {@link KeptParts#forget}
   */
  Trained train() {
    DividedState state = requireNonNull(start);
    start = null;
    int resumedAt = state.iteration();
    Taken first = Taken.now(objective);
    Option<ConvergenceReason> reason = minimizer.ended(state);
    DividedState newest = null;
    while (reason.isEmpty()) {
      DividedState next = minimizer.next(state);
      values.add(next.scalars().adjustedValue);
      if (kept >= 0) {
        KeptParts.settle(training, kept); // all ranks have been in a call since they kept it
      }
      if (next.iteration() > state.iteration()) { // not one that a failed search has left
        newest = next;
        vectors = next.vectors().size();
        keep(next);
        write(next, false);
      }
      state = next;
      progress.at(state.iteration(), state.scalars().adjustedValue);
      reason = minimizer.ended(state);
    }
    Taken iterations = Taken.now(objective).since(first);
    if (newest != null) {
      write(newest, true);
    }
    return new Trained(
        state.x(),
        true,
        Arrays.stream(counts).sum(),
        history(),
        state.iteration(),
        reason.get().reason(),
        communicator.size(),
        resumedAt,
        objective,
        iterations);
  }

  /**
   * Starts from what an earlier attempt has left in memory; a collective call.
   *
   * @return whether ranks have all parts of a state
   */
  boolean resume() throws IOException, ClassNotFoundException {
    KeptParts.Part part = KeptParts.newestOfAll(training, communicator, counts);
    if (part == null) {
      return false;
    }
    if (communicator.rank() == 0) {
      LOG.info("{}: goes on from iteration {}", training, part.scalars().iteration);
    }
    restore(DividedState.of(part.scalars(), part.vectors(), memory), part.objective());
    return true;
  }

  /**
   * Starts before the first iteration; a collective call.
   *
   * @param initial where that is
   */
  void begin(Vector initial) {
    int first = Arrays.stream(counts, 0, communicator.rank()).sum();
    double[] x = new double[counts[communicator.rank()]];
    for (int i = 0; i < x.length; i++) {
      x[i] = initial.apply(first + i); // which may be a sparse one
    }
    start = minimizer.initial(x);
    values.add(start.scalars().adjustedValue);
  }

  private void restore(DividedState state, double[] history) {
    Arrays.stream(history).forEach(values::add);
    start = state;
  }

  private double[] history() {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Whether rank 0's clock says that a state should be kept. */
  private boolean wish() {
    boolean first = kept < 0;
    double cost = vectors * (first ? likelyNanosPerVector() : nanosPerVector);
    boolean prompt = first && (long) vectors * counts[0] * Double.BYTES <= PROMPT_BYTES;
    double seldom = Math.min(LITTLE_NANOS, TRAINING_PER_KEEPING * cost);
    double wait = prompt ? 0 : Math.max(LEAST_TRAINING_PER_KEEPING * cost, seldom);
    return communicator.rank() == 0 && System.nanoTime() - keptAt >= wait;
  }

  /** An evaluation moves as many parts of vectors to a rank and from it as there are others. */
  private double likelyNanosPerVector() {
    int others = Math.max(1, communicator.size() - 1);
    return objective.leastCommunicating() / (2.0 * others);
  }

  /** Keeps a state on the executors when it is time. */
  private void keep(DividedState state) {
    if (!minimizer.wished()) {
      return;
    }
    long begin = System.nanoTime();
    KeptParts.keep(
        training,
        communicator,
        counts,
        new KeptParts.Part(
            communicator.size(), communicator.rank(), state.scalars(), history(), state.vectors()));
    kept = state.iteration();
    keptAt = System.nanoTime();
    nanosPerVector = (double) (keptAt - begin) / vectors;
  }

  // ---- states in a folder ----------------------------------------------------------------------

  /** Writes a state to the folder, those between only when their time has come. */
  private void write(DividedState state, boolean last) {
    if (checkpoints == null || checkpoints.due(state.iteration()) == last) {
      return;
    }
    int size = communicator.size();
    boolean mine =
        checkpoints.writePart(state.iteration(), size, communicator.rank(), state.vectors());
    int all = communicator.allReduce(new int[] {mine ? 1 : 0}, ReduceOp.MIN)[0];
    if (all == 1 && communicator.rank() == 0) {
      Object[] common = {description, state.scalars(), history()};
      checkpoints.write(state.iteration(), size, common);
    }
  }

  /**
   * Starts from a state of the folder; a collective call.
   *
   * @param found a divided state
   * @return whether it could be read and is of this training; one of another is removed
   */
  boolean resume(Checkpoints.Found found) {
    Checkpoints folder = requireNonNull(checkpoints);
    byte[] received = folder.read(communicator, found);
    if (received.length == 0) {
      return false;
    }
    Object[] common = JavaBytes.readIf(Object[].class, received);
    boolean fits = false;
    if (common != null && common[0].equals(description)) {
      List<double[]> vectors = readParts(folder, found);
      if (vectors == null) {
        return false;
      }
      DividedState state = DividedState.of((DividedState.Scalars) common[1], vectors, memory);
      fits = minimizer.at(state.x()).isThatOf(state.evaluation());
      if (fits) {
        restore(state, (double[]) common[2]);
      }
    }
    folder.judged(communicator, training, found, fits);
    return fits;
  }

  /** This rank's vectors; null on all ranks if one cannot read its own. A collective call. */
  private @Nullable List<double[]> readParts(Checkpoints folder, Checkpoints.Found found) {
    List<double[]> vectors = null;
    try {
      vectors = vectors(folder, found);
    } catch (IOException | ClassNotFoundException e) {
      folder.unreadable(found, e);
    }
    int all = communicator.allReduce(new int[] {vectors == null ? 0 : 1}, ReduceOp.MIN)[0];
    return all == 1 ? vectors : null;
  }

  /** This rank's vectors, of those that other numbers of ranks may have written. */
  private List<double[]> vectors(Checkpoints folder, Checkpoints.Found found)
      throws IOException, ClassNotFoundException {
    int rank = communicator.rank();
    int size = communicator.size();
    int length = Arrays.stream(counts).sum();
    int first = Division.first(length, size, rank);
    List<double[]> vectors = new ArrayList<>();
    for (int other = 0; other < found.ranks(); other++) {
      boolean overlaps =
          Division.first(length, found.ranks(), other + 1) > first
              && Division.first(length, found.ranks(), other) < first + counts[rank];
      if (!overlaps && (other < found.ranks() - 1 || !vectors.isEmpty())) {
        continue; // the last one tells a rank without coefficients how many vectors there are
      }
      double[][] part = folder.readPart(found, other);
      while (vectors.size() < part.length) {
        vectors.add(new double[counts[rank]]);
      }
      for (int v = 0; v < part.length; v++) {
        Division.copy(part[v], other, found.ranks(), vectors.get(v), rank, size, length);
      }
    }
    return vectors;
  }
}
