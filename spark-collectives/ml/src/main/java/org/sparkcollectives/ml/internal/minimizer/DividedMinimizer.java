package org.sparkcollectives.ml.internal.minimizer;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.BacktrackingLineSearch;
import breeze.optimize.FirstOrderException;
import breeze.optimize.FirstOrderMinimizer.ConvergenceCheck;
import breeze.optimize.FirstOrderMinimizer.ConvergenceReason;
import breeze.optimize.FirstOrderMinimizer.State;
import breeze.optimize.StepSizeUnderflow;
import breeze.optimize.StrongWolfeLineSearch;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.objective.Evaluation;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.vector.ReduceOp;
import scala.Option;
import scala.Tuple2;

/**
 * Breeze's L-BFGS and OWL-QN where each rank has a part of every vector. Line searches and checks
 * of convergence are Breeze's own: they see numbers that are allreduced, the same on all ranks, and
 * so decide alike.
 */
public final class DividedMinimizer {
  private static final Logger LOG = LoggerFactory.getLogger(DividedMinimizer.class);

  /** As Breeze's L-BFGS searches. */
  private static final int SEARCH = 10;

  private static final double LEAST_STEP = 1e-10;

  // What an evaluation's message holds behind the objective's own.
  private static final int PENALTY = RankObjective.SUMMED;
  private static final int ABSOLUTE_VALUES = PENALTY + 1;
  private static final int SLOPE = ABSOLUTE_VALUES + 1;
  private static final int SQUARES = SLOPE + 1;
  private static final int ADJUSTED_SQUARES = SQUARES + 1;
  private static final int WISHES = ADJUSTED_SQUARES + 1;
  private static final int PRODUCTS = WISHES + 1;

  private final Communicator communicator;
  private final RankObjective objective;
  private final int memory;
  private final int[] counts;
  private final @Nullable OrthantWise l1;
  private final ConvergenceCheck<DenseVector<Object>> check;
  private final Object initialInfo;
  private final BooleanSupplier wish;
  private boolean wished;
  private boolean failedOnce;

  /**
   * The objective somewhere on a line.
   *
   * @param step how far from the line's beginning
   * @param x the position, this rank's part
   * @param gradient the gradient there, this rank's part
   * @param value the objective without the penalty on absolute values
   * @param sums the evaluation's message, summed over all ranks
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Trial(double step, double[] x, double[] gradient, double value, double[] sums) {
    double adjustedValue() {
      return value + sums[ABSOLUTE_VALUES];
    }

    double slope() {
      return sums[SLOPE];
    }

    /** The length of the gradient. */
    double gradientNorm() {
      return Math.sqrt(sums[SQUARES]);
    }

    /** The length of the gradient of the objective with all penalties. */
    double adjustedNorm() {
      return Math.sqrt(sums[ADJUSTED_SQUARES]);
    }
  }

  /**
   * An optimiser's rank.
   *
   * @param communicator the ranks
   * @param optimizer L-BFGS or OWL-QN
   * @param objective what is minimised
   * @param counts how many coefficients each rank has
   * @param wish whether a state should be kept, as this rank sees it, asked once for each
   *     evaluation
   */
  public DividedMinimizer(
      Communicator communicator,
      Optimizer optimizer,
      RankObjective objective,
      int[] counts,
      BooleanSupplier wish) {
    this.communicator = communicator;
    this.objective = objective;
    this.memory = optimizer.memory();
    this.counts = counts;
    int first = Arrays.stream(counts, 0, communicator.rank()).sum();
    this.l1 = optimizer.orthantWise(first, counts[communicator.rank()]);
    var whole = optimizer.make();
    this.check = whole.convergenceCheck();
    this.initialInfo = requireNonNull(check.initialInfo());
    this.wish = wish;
  }

  /**
   * Whether any rank wished in the last evaluation that a state be kept.
   *
   * @return the same on all ranks
   */
  public boolean wished() {
    return wished;
  }

  /**
   * The first state; a collective call.
   *
   * @param x this rank's coefficients where it starts, which the state shares
   * @return the state of iteration 0
   */
  public DividedState initial(double[] x) {
    Trial trial = evaluated(0, x, null);
    Curvature curvature = new Curvature(memory);
    DividedState.Scalars scalars =
        new DividedState.Scalars(
            0,
            trial.value,
            trial.adjustedValue(),
            trial.adjustedValue(),
            trial.gradientNorm(),
            trial.adjustedNorm(),
            initialInfo,
            curvature.products());
    return new DividedState(scalars, x, trial.gradient, curvature);
  }

  /**
   * The objective without the penalty on absolute values; a collective call.
   *
   * @param x this rank's coefficients
   * @return what it is there, the same on all ranks
   */
  public Evaluation at(double[] x) {
    Trial there = evaluated(0, x, null);
    return new Evaluation(there.value, there.gradientNorm());
  }

  /**
   * The state after another one; where no better position is found, the same one without its
   * curvature, and after that the same one as failed. A collective call.
   *
   * @param state the newest state
   * @return the next one, of one iteration more unless none was found
   */
  public DividedState next(DividedState state) {
    try {
      double[] adjusted = adjusted(state.x(), state.gradient());
      DividedState.Scalars before = state.scalars();
      double squares = before.adjustedNorm * before.adjustedNorm;
      Curvature.Direction direction = state.curvature().direction(adjusted, squares);
      double[] moved = direction.vector();
      Trial trial =
          searched(state, adjusted, l1 == null ? direction : corrected(direction, adjusted));
      Curvature.Pair newest =
          new Curvature.Pair(
              difference(trial.x, state.x(), moved), // which nobody needs any more
              difference(trial.gradient, state.gradient(), new double[moved.length]));
      Curvature curvature = state.curvature().with(newest, trial.sums, PRODUCTS);
      Object convergence =
          check.update(
              vector(),
              vector(trial.adjustedNorm()),
              trial.adjustedValue(),
              shown(state),
              info(state));
      failedOnce = false;
      return new DividedState(
          new DividedState.Scalars(
              before.iteration + 1,
              trial.value,
              trial.adjustedValue(),
              before.initialValue,
              trial.gradientNorm(),
              trial.adjustedNorm(),
              convergence,
              curvature.products()),
          trial.x,
          trial.gradient,
          curvature);
    } catch (FirstOrderException e) {
      if (failedOnce) {
        LOG.warn("no better coefficients without the curvature either: {}", e.toString());
        return state.failed();
      }
      failedOnce = true;
      LOG.warn("no better coefficients, so the curvature is measured anew: {}", e.toString());
      return state.forgetful(memory);
    }
  }

  /**
   * Why an optimisation ends with a state, if it does.
   *
   * @param state the newest state
   * @return the reason, the same on all ranks; none while it goes on
   */
  public Option<ConvergenceReason> ended(DividedState state) {
    return check.apply(shown(state), info(state));
  }

  /** The direction without what leads out of the orthant, which no product tells the slope of. */
  private Curvature.Direction corrected(Curvature.Direction direction, double[] adjusted) {
    OrthantWise.correct(direction.vector(), adjusted);
    double[] slope = {Curvature.dot(adjusted, direction.vector())};
    return new Curvature.Direction(
        direction.vector(), communicator.allReduce(slope, ReduceOp.SUM)[0]);
  }

  private Trial searched(DividedState state, double[] adjusted, Curvature.Direction direction) {
    DividedState.Scalars at = state.scalars();
    Line line = new Line(state, adjusted, direction);
    RankFunction<Object> function = new RankFunction<>(step -> line.at((double) step));
    boolean first = at.iteration == 0;
    double step;
    if (l1 == null) {
      step =
          new StrongWolfeLineSearch(SEARCH, SEARCH)
              .minimize(function, first ? 1 / at.gradientNorm : 1);
      if (step * at.gradientNorm < LEAST_STEP) {
        throw new StepSizeUnderflow();
      }
    } else {
      step = backtracking(at).minimize(function, first ? 0.5 / at.gradientNorm : 1);
    }
    return line.trial(step);
  }

  private static BacktrackingLineSearch backtracking(DividedState.Scalars at) {
    return new BacktrackingLineSearch(
        at.value,
        BacktrackingLineSearch.$lessinit$greater$default$2(),
        at.iteration == 0 ? 0.1 : 0.5,
        BacktrackingLineSearch.$lessinit$greater$default$4(),
        BacktrackingLineSearch.$lessinit$greater$default$5(),
        BacktrackingLineSearch.$lessinit$greater$default$6(),
        BacktrackingLineSearch.$lessinit$greater$default$7(),
        BacktrackingLineSearch.$lessinit$greater$default$8(),
        BacktrackingLineSearch.$lessinit$greater$default$9(),
        BacktrackingLineSearch.$lessinit$greater$default$10());
  }

  /** The objective along a direction. */
  private final class Line {
    private final DividedState state;
    private final double[] adjusted;
    private final Curvature.Direction direction;
    private @Nullable Trial last;

    Line(DividedState state, double[] adjusted, Curvature.Direction direction) {
      this.state = state;
      this.adjusted = adjusted;
      this.direction = direction;
    }

    /** Value and slope. */
    Tuple2<Object, Object> at(double step) {
      if (step == 0) {
        return new Tuple2<>(state.scalars().adjustedValue, direction.slope());
      }
      Trial trial = trial(step);
      return new Tuple2<>(trial.adjustedValue(), trial.slope());
    }

    Trial trial(double step) {
      if (last == null || last.step != step) {
        last = null; // its vectors go before those of the next come
        last = evaluated(step, moved(step), this);
      }
      return last;
    }

    private double[] moved(double step) {
      double[] x = state.x();
      double[] along = direction.vector();
      double[] moved = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        moved[i] = x[i] + along[i] * step;
      }
      if (l1 != null) {
        OrthantWise.project(moved, x, adjusted);
      }
      return moved;
    }
  }

  /** The objective, with what the next direction needs where it is on a line. */
  private Trial evaluated(double step, double[] x, @Nullable Line line) {
    RankObjective.Part part = objective.at(x, counts);
    double[] gradient = part.gradient();
    double[] adjusted = adjusted(x, gradient);
    int described = line == null ? 0 : line.state.curvature().described();
    double[] sums = new double[PRODUCTS + described];
    sums[PENALTY] = part.penalty();
    sums[ABSOLUTE_VALUES] = l1 == null ? 0 : l1.value(x);
    sums[SQUARES] = Curvature.dot(gradient, gradient);
    sums[ADJUSTED_SQUARES] = l1 == null ? sums[SQUARES] : Curvature.dot(adjusted, adjusted);
    sums[WISHES] = wish.getAsBoolean() ? 1 : 0;
    if (line != null) {
      sums[SLOPE] = Curvature.dot(adjusted, line.direction.vector());
      Curvature.Place from = new Curvature.Place(line.state.x(), line.state.gradient());
      Curvature.Place to = new Curvature.Place(x, gradient);
      line.state.curvature().describe(from, to, adjusted, sums, PRODUCTS);
    }
    double value = objective.sum(part, step, sums) + sums[PENALTY];
    wished = sums[WISHES] > 0;
    return new Trial(step, x, gradient, value, sums);
  }

  private double[] adjusted(double[] x, double[] gradient) {
    return l1 == null ? gradient : l1.gradient(x, gradient);
  }

  /** Puts a - b into an array, and returns it. */
  private static double[] difference(double[] a, double[] b, double[] difference) {
    for (int i = 0; i < a.length; i++) {
      difference[i] = a[i] - b[i];
    }
    return difference;
  }

  /** A state as Breeze's checks need it: of the gradient they ask for its length alone. */
  private static State<DenseVector<Object>, Object, Object> shown(DividedState state) {
    DividedState.Scalars scalars = state.scalars();
    return new State<>(
        vector(),
        scalars.value,
        vector(scalars.gradientNorm),
        scalars.adjustedValue,
        vector(scalars.adjustedNorm),
        scalars.iteration,
        scalars.initialValue,
        state,
        scalars.convergence,
        state.searchFailed(),
        Option.empty());
  }

  private static Object info(DividedState state) {
    return state.scalars().convergence;
  }

  private static DenseVector<Object> vector(double... elements) {
    return DenseVectors.over(elements);
  }
}
