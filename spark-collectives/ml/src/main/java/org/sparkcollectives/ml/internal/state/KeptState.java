package org.sparkcollectives.ml.internal.state;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseMatrix;
import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.State;
import breeze.optimize.LBFGS;
import breeze.optimize.LBFGSB;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.jdk.javaapi.CollectionConverters;

/** What of an optimiser's state can travel: Breeze's own names its vector space and optimiser. */
public final class KeptState implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final double[] x;
  private final double value;
  private final double[] gradient;
  private final double adjustedValue;
  private final double[] adjustedGradient;
  private final int iteration;
  private final double initialValue;
  private final Object convergence;
  private final double[][] steps;
  private final double[][] changes;
  private final double theta;
  private final List<DenseMatrix<Object>> matrices;
  private final double[] objective;
  private final String description;

  /**
   * A copy of a state.
   *
   * @param state the state
   * @param objective the objective's history up to it
   * @param description what training has made it, for a state that is written; else empty
   */
  public KeptState(
      State<DenseVector<Object>, Object, Object> state, double[] objective, String description) {
    this.description = description;
    x = DenseVectors.array(state.x());
    value = state.value();
    gradient = DenseVectors.array(state.grad());
    adjustedValue = state.adjustedValue();
    adjustedGradient = DenseVectors.array(state.adjustedGradient());
    iteration = state.iter();
    initialValue = state.initialAdjVal();
    convergence = state.convergenceInfo();
    this.objective = objective;
    if (state.history() instanceof LBFGSB.History bounded) {
      steps = new double[0][];
      changes = steps;
      theta = bounded.theta();
      matrices =
          new ArrayList<>(
              List.of(bounded.W(), bounded.M(), bounded.yHistory(), bounded.sHistory()));
    } else {
      steps = arrays(state.history(), "memStep");
      changes = arrays(state.history(), "memGradDelta");
      theta = 0;
      matrices = new ArrayList<>();
    }
  }

  /**
   * The objective's history up to this state.
   *
   * @return a value for each state, this one's last
   */
  public double[] objective() {
    return objective;
  }

  /**
   * Whether a training of such a description has made it.
   *
   * @param training the training's description
   * @return whether it is the same
   */
  public boolean fits(String training) {
    return description.equals(training);
  }

  /**
   * Where it is.
   *
   * @return the coefficients, not to be changed
   */
  public double[] x() {
    return x;
  }

  /**
   * The objective there.
   *
   * @return the value without the penalty on absolute values
   */
  public double value() {
    return value;
  }

  /**
   * The gradient there.
   *
   * @return that of the value, not to be changed
   */
  public double[] gradient() {
    return gradient;
  }

  /**
   * The state again.
   *
   * @param minimizer the optimiser that goes on from it
   * @param memory of how many steps it approximates the curvature
   * @return a state of Breeze's, which shares the arrays
   */
  public State<DenseVector<Object>, Object, Object> restore(
      FirstOrderMinimizer<?, ?> minimizer, int memory) {
    Object history =
        minimizer instanceof LBFGSB bounded
            ? bounded
            .new History(theta, matrices.get(0), matrices.get(1), matrices.get(2), matrices.get(3))
            : new LBFGS.ApproximateInverseHessian<DenseVector<Object>>(
                memory, vectors(steps), vectors(changes), DenseVector.space_Double());
    return new State<>(
        DenseVectors.over(x),
        value,
        DenseVectors.over(gradient),
        adjustedValue,
        DenseVectors.over(adjustedGradient),
        iteration,
        initialValue,
        history,
        convergence,
        false,
        Option.empty());
  }

  @SuppressWarnings("unchecked")
  private static double[][] arrays(@Nullable Object history, String name) {
    Object field = requireNonNull(Hidden.field(requireNonNull(history), name));
    return CollectionConverters.asJava((IndexedSeq<DenseVector<Object>>) field).stream()
        .map(DenseVectors::array)
        .toArray(double[][]::new);
  }

  private static IndexedSeq<DenseVector<Object>> vectors(double[][] arrays) {
    List<DenseVector<Object>> all = new ArrayList<>();
    for (double[] array : arrays) {
      all.add(DenseVectors.over(array));
    }
    return CollectionConverters.asScala(all).toIndexedSeq();
  }
}
