package org.sparkcollectives.ml.internal.minimizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.State;
import breeze.optimize.LBFGS;
import breeze.optimize.LBFGSB;
import breeze.optimize.OWLQN;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.training.Training;
import scala.Function1;
import scala.Tuple2;
import scala.runtime.AbstractFunction1;

/** Optimisers that are made again from their parameters. */
@Tag("cross-version")
class OptimizerTest {
  private static final Function1<Object, Object> L1 = new Constant();

  @Test
  void takesTheSameStepsAfterItHasTravelled() throws Exception {
    same(new LBFGS<>(30, 4, 1e-9, DenseVector.space_Double()));
    same(new LBFGS<>(3, 10, 1e-9, DenseVector.space_Double()));
    same(new OWLQN<>(30, 10, L1, 1e-9, DenseVector.space_Double()));
    same(
        new LBFGSB(
            DenseVectors.over(new double[] {-1, -1, -1}),
            DenseVectors.over(new double[] {0.5, 1, 2}),
            30,
            10,
            1e-9,
            64,
            64));
  }

  @Test
  void declinesAnOptimiserThatEndsInAnotherWay() {
    assertEquals(
        Optional.empty(),
        Optimizer.of(
            new LBFGS<DenseVector<Object>>(
                FirstOrderMinimizer.<DenseVector<Object>>defaultConvergenceCheck(
                    30, 1e-9, false, 20, DenseVector.space_Double()),
                10,
                DenseVector.space_Double())));
    assertEquals(
        Optional.empty(),
        Optimizer.of(
            new LBFGS<DenseVector<Object>>(
                FirstOrderMinimizer.maxIterationsReached(30), 10, DenseVector.space_Double())));
    assertEquals(
        Optional.empty(),
        Optimizer.of(new LBFGS<DenseVector<Object>>(30, 10, 1e-9, DenseVector.space_Double()) {}));
  }

  @Test
  void declinesAFunctionThatIsNotMllibs() {
    LBFGS<DenseVector<Object>> plain = new LBFGS<>(9, 10, 1e-9, DenseVector.space_Double());
    double[] start = {1, 1, 1};
    assertEquals(Optional.empty(), Training.iterations(plain, hills(), DenseVectors.over(start)));
  }

  @Test
  void saysWhichNameOfMllibIsUnknown() {
    LinkageError error = assertThrows(LinkageError.class, () -> Hidden.field("text", "nothing"));
    assertTrue(
        error.getMessage().startsWith("java.lang.String has no field nothing"), error.getMessage());
  }

  private static void same(
      FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> plain)
      throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(Optimizer.of(plain).orElseThrow());
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      Optimizer travelled = (Optimizer) in.readObject();
      double[] expected = path(plain);
      assertTrue(expected.length > 6, plain.getClass() + ": " + expected.length);
      assertArrayEquals(expected, path(travelled.make()), plain.getClass().toString());
    }
  }

  /** The objective in each state, and where it ends. */
  private static double[] path(
      FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> minimizer) {
    var states = minimizer.iterations(hills(), DenseVectors.over(new double[] {0.4, -0.9, 1.5}));
    List<Double> path = new ArrayList<>();
    State<DenseVector<Object>, ?, ?> last = null;
    while (states.hasNext()) {
      last = states.next();
      path.add(last.adjustedValue());
    }
    for (double x : DenseVectors.array(last.x())) {
      path.add(x);
    }
    return path.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Rosenbrock's function of three variables. */
  private static DiffFunction<DenseVector<Object>> hills() {
    return new RankFunction<>(
        vector -> {
          double[] x = DenseVectors.array(vector);
          double[] gradient = new double[x.length];
          double value = 0;
          for (int i = 0; i + 1 < x.length; i++) {
            double bend = x[i + 1] - x[i] * x[i];
            value += 100 * bend * bend + (1 - x[i]) * (1 - x[i]);
            gradient[i] += -400 * x[i] * bend - 2 * (1 - x[i]);
            gradient[i + 1] += 200 * bend;
          }
          return new Tuple2<>(value, DenseVectors.over(gradient));
        });
  }

  /** A penalty on each coefficient's absolute value. */
  private static final class Constant extends AbstractFunction1<Object, Object>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Object apply(Object index) {
      return 0.01;
    }
  }
}
