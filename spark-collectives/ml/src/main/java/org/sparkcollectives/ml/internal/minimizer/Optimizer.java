package org.sparkcollectives.ml.internal.minimizer;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.ConvergenceCheck;
import breeze.optimize.LBFGS;
import breeze.optimize.LBFGSB;
import breeze.optimize.OWLQN;
import java.io.Serial;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import scala.Function1;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** What of Breeze's optimisers can travel: parameters that make one again. */
public final class Optimizer implements Serializable {
  @Serial private static final long serialVersionUID = 1L;
  private static final int LINE_SEARCH = 64; // steps of LBFGSB, where MLlib says nothing

  /** Where summands cancel out, any number of ranks agrees that it is less than this. */
  private static final double NEAR_ZERO = 1e-6;

  private final int maxIterations;
  private final int memory;
  private final double tolerance;
  private final @Nullable Function1<Object, Object> l1;
  private final double @Nullable [] lower;
  private final double @Nullable [] upper;

  private Optimizer(
      int maxIterations,
      int memory,
      double tolerance,
      @Nullable Function1<Object, Object> l1,
      double @Nullable [] lower,
      double @Nullable [] upper) {
    this.maxIterations = maxIterations;
    this.memory = memory;
    this.tolerance = tolerance;
    this.l1 = l1;
    this.lower = lower;
    this.upper = upper;
  }

  /**
   * What an optimiser minimises.
   *
   * @param evaluation its value and its gradient at a position
   * @return the function
   */
  public static DiffFunction<DenseVector<Object>> function(
      Function<DenseVector<Object>, Tuple2<Object, DenseVector<Object>>> evaluation) {
    return new RankFunction<>(evaluation);
  }

  /**
   * An optimiser's parameters.
   *
   * @param minimizer one of Breeze's optimisers
   * @return the parameters; nothing when the optimiser that they make would not be the same
   */
  public static Optional<Optimizer> of(FirstOrderMinimizer<?, ?> minimizer) {
    Class<?> type = minimizer.getClass();
    if (type != LBFGS.class && type != OWLQN.class && type != LBFGSB.class) {
      return Optional.empty();
    }
    Integer maxIterations = null;
    Double tolerance = null;
    for (ConvergenceCheck<?> check : checks(minimizer.convergenceCheck())) {
      if (check instanceof FirstOrderMinimizer.FunctionValuesConverged<?> values) {
        tolerance = values.tolerance();
      } else {
        maxIterations = maxIterations == null ? limit(check) : maxIterations;
      }
    }
    if (maxIterations == null || tolerance == null) {
      return Optional.empty();
    }
    Optimizer made =
        new Optimizer(
            maxIterations,
            (int) requireNonNull(Hidden.field(minimizer, "m")),
            tolerance,
            type == OWLQN.class ? l1(minimizer) : null,
            type == LBFGSB.class ? bounds(minimizer, "lowerBounds") : null,
            type == LBFGSB.class ? bounds(minimizer, "upperBounds") : null);
    boolean same =
        shape(made.make().convergenceCheck()).equals(shape(minimizer.convergenceCheck()));
    return same ? Optional.of(made) : Optional.empty();
  }

  /**
   * Makes an optimiser of these parameters.
   *
   * @return a new one of Breeze's: L-BFGS, OWL-QN or L-BFGS-B
   */
  public FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> make() {
    if (lower != null && upper != null) {
      return new LBFGSB(
          DenseVectors.over(lower),
          DenseVectors.over(upper),
          maxIterations,
          memory,
          tolerance,
          LINE_SEARCH,
          LINE_SEARCH);
    }
    return l1 != null
        ? new OWLQN<Object, DenseVector<Object>>(
            maxIterations, memory, l1, tolerance, DenseVector.space_Double())
        : new LBFGS<DenseVector<Object>>(
            maxIterations, memory, tolerance, DenseVector.space_Double());
  }

  /**
   * Whether its vectors can be divided among ranks.
   *
   * @return false for L-BFGS-B, else true
   */
  public boolean divisible() {
    return lower == null;
  }

  /**
   * The same where only some coefficients are, one after the other.
   *
   * @param index tells for each of them which of all it is
   * @return an optimiser that has no bounds, of those alone
   */
  public Optimizer on(IntUnaryOperator index) {
    Function1<Object, Object> all = l1;
    return new Optimizer(
        maxIterations, memory, tolerance, all == null ? null : new Some(all, index), null, null);
  }

  /** A function of indices, of some of them. */
  private static final class Some extends AbstractFunction1<Object, Object> {
    private final Function1<Object, Object> all;
    private final IntUnaryOperator index;

    Some(Function1<Object, Object> all, IntUnaryOperator index) {
      this.all = all;
      this.index = index;
    }

    @Override
    public Object apply(Object i) {
      return all.apply(index.applyAsInt((int) i));
    }
  }

  /**
   * What it does with absolute values of some coefficients.
   *
   * @param first the index of the first of them
   * @param length how many there are
   * @return the penalty of OWL-QN; null for others
   */
  @Nullable OrthantWise orthantWise(int first, int length) {
    return l1 == null ? null : new OrthantWise(l1, first, length);
  }

  /**
   * Which one it is, where it starts, and all of its parameters that a state depends on: of the
   * start, of penalties on absolute values and of bounds, which the objective's value does not
   * show, the digits in which any number of ranks agrees.
   *
   * @param initial the coefficients where it starts
   * @return its name, its memory and hashes, in words
   */
  public String description(double[] initial) {
    int length = initial.length;
    String name = lower != null ? "L-BFGS-B" : l1 != null ? "OWL-QN" : "L-BFGS";
    String limits =
        lower != null || l1 != null ? ", limits " + Long.toHexString(limits(length)) : "";
    return name + " with " + memory + " steps of " + length + start(initial) + limits;
  }

  /**
   * What a description says of the coefficients where a training starts.
   *
   * @param initial the coefficients
   * @return a hash of the digits in which any number of ranks agrees, in words
   */
  public static String start(double[] initial) {
    long hash = 1;
    for (double value : initial) {
      hash = 31 * hash + (Math.abs(value) < NEAR_ZERO ? 0 : rounded(value));
    }
    return ", start " + Long.toHexString(hash);
  }

  private long limits(int length) {
    long hash = 1;
    for (int i = 0; i < length; i++) {
      if (l1 != null) {
        hash = 31 * hash + rounded((double) l1.apply(i));
      } else {
        hash = 31 * hash + rounded(requireNonNull(lower)[i]);
        hash = 31 * hash + rounded(requireNonNull(upper)[i]);
      }
    }
    return hash;
  }

  private static int rounded(double value) {
    return Float.hashCode((float) value);
  }

  /**
   * How many iterations it makes.
   *
   * @return the most iterations; the largest number where there is no limit
   */
  public int most() {
    return maxIterations < 0 ? Integer.MAX_VALUE : maxIterations;
  }

  /**
   * How many steps the approximation of the curvature is made of.
   *
   * @return the most steps
   */
  public int memory() {
    return memory;
  }

  @SuppressWarnings("unchecked")
  private static Function1<Object, Object> l1(Object minimizer) {
    return (Function1<Object, Object>) requireNonNull(Hidden.field(minimizer, "l1reg"));
  }

  @SuppressWarnings("unchecked")
  private static double[] bounds(Object minimizer, String name) {
    return DenseVectors.array((DenseVector<Object>) requireNonNull(Hidden.field(minimizer, name)))
        .clone();
  }

  private static List<ConvergenceCheck<?>> checks(ConvergenceCheck<?> check) {
    List<ConvergenceCheck<?>> all = new ArrayList<>();
    if (check instanceof FirstOrderMinimizer.SequenceConvergenceCheck<?> sequence) {
      CollectionConverters.asJava(sequence.checks()).forEach(c -> all.addAll(checks(c)));
    } else {
      all.add(check);
    }
    return all;
  }

  private static @Nullable Integer limit(ConvergenceCheck<?> check) {
    Object condition = requireNonNull(Hidden.field(check, "pf$1"));
    for (Field field : condition.getClass().getDeclaredFields()) {
      if (field.getName().equals("maxIter$1")) {
        return (Integer) Hidden.field(condition, field.getName());
      }
    }
    return null;
  }

  /** All that tells one check from another: its classes and numbers. */
  private static List<String> shape(ConvergenceCheck<?> whole) {
    List<String> shape = new ArrayList<>();
    for (ConvergenceCheck<?> check : checks(whole)) {
      if (check instanceof FirstOrderMinimizer.FunctionValuesConverged<?> values) {
        shape.add(values.toString());
        continue;
      }
      shape.add(check.getClass().getName());
      Object condition = requireNonNull(Hidden.field(check, "pf$1"));
      shape.add(condition.getClass().getName());
      for (Field field : condition.getClass().getDeclaredFields()) {
        if (field.getType() == int.class
            || field.getType() == double.class
            || field.getType() == boolean.class) {
          shape.add(field.getName() + "=" + Hidden.field(condition, field.getName()));
        }
      }
    }
    return shape;
  }
}
