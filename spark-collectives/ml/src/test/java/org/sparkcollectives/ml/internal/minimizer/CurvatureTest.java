package org.sparkcollectives.ml.internal.minimizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import breeze.linalg.DenseVector;
import breeze.optimize.LBFGS;
import breeze.optimize.NaNHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.vector.ReduceOp;

/** Directions by products of divided vectors. */
@Timeout(60)
class CurvatureTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));

  /** Where products begin in a message. */
  private static final int AT = 2;

  @Test
  void directionsAreBreezes() {
    Random random = new Random(2);
    for (int length : new int[] {2, 7, 2500}) {
      for (int memory : new int[] {1, 4}) {
        List<double[]> steps = new ArrayList<>();
        List<double[]> changes = new ArrayList<>();
        List<double[]> gradients = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
          double[] step = random.doubles(length, -1, 1).toArray();
          steps.add(step);
          changes.add(Arrays.stream(step).map(s -> s * (1 + random.nextDouble())).toArray());
          gradients.add(random.doubles(length, -1, 1).toArray());
        }
        List<double[]> expected = breezes(memory, steps, changes, gradients);
        for (int ranks : new int[] {1, 3, 4}) {
          List<List<double[]>> parts =
              Group.threads(
                  ranks,
                  OPTIONS,
                  communicator -> {
                    int rank = communicator.rank();
                    Curvature curvature = new Curvature(memory);
                    List<double[]> directions = new ArrayList<>();
                    for (int i = 0; i < steps.size(); i++) {
                      double[] gradient = part(gradients.get(i), rank, ranks);
                      Curvature.Pair pair =
                          new Curvature.Pair(
                              part(steps.get(i), rank, ranks), part(changes.get(i), rank, ranks));
                      double[] message = described(curvature, pair, gradient);
                      communicator.allReduce(message, ReduceOp.SUM);
                      curvature = curvature.with(pair, message, AT);
                      double squares = dot(gradients.get(i), gradients.get(i));
                      Curvature.Direction direction = curvature.direction(gradient, squares);
                      double[] slope = {dot(gradient, direction.vector())};
                      communicator.allReduce(slope, ReduceOp.SUM);
                      assertEquals(slope[0], direction.slope(), 1e-9);
                      directions.add(direction.vector());
                    }
                    return directions;
                  });
          for (int i = 0; i < expected.size(); i++) {
            double[] whole = new double[length];
            for (int rank = 0; rank < ranks; rank++) {
              Division.copy(parts.get(rank).get(i), rank, ranks, whole, 0, 1, length);
            }
            assertNear(expected.get(i), whole);
          }
        }
      }
    }
  }

  @Test
  void ofNothingItIsTheGradient() {
    Curvature.Direction direction = new Curvature(3).direction(new double[] {2, -1}, 5);
    assertNear(new double[] {-2, 1}, direction.vector());
    assertEquals(-5, direction.slope());
  }

  @Test
  void aCurvatureThatIsNotOfAMinimumIsRefused() {
    Curvature.Pair up = new Curvature.Pair(new double[] {1, 0}, new double[] {-1, 0});
    Curvature.Pair unknown = new Curvature.Pair(new double[] {1, 0}, new double[] {Double.NaN, 0});
    for (Curvature.Pair pair : List.of(up, unknown)) {
      Curvature nothing = new Curvature(3);
      double[] message = described(nothing, pair, new double[2]);
      Curvature curvature = nothing.with(pair, message, AT);
      assertThrows(NaNHistory.class, () -> curvature.direction(new double[2], 0));
    }
  }

  /** The products that a pair more needs, behind other numbers of a message. */
  private static double[] described(Curvature before, Curvature.Pair pair, double[] gradient) {
    double[] message = new double[AT + before.described()];
    double[] zeros = new double[gradient.length];
    before.describe(
        new Curvature.Place(zeros, zeros),
        new Curvature.Place(pair.step(), pair.change()),
        gradient,
        message,
        AT);
    return message;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static List<double[]> breezes(
      int memory, List<double[]> steps, List<double[]> changes, List<double[]> gradients) {
    LBFGS.ApproximateInverseHessian<DenseVector<Object>> hessian =
        new LBFGS<DenseVector<Object>>(1, memory, 1e-6, DenseVector.space_Double())
            .initialHistory(null, null);
    List<double[]> directions = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      hessian = hessian.updated(DenseVectors.over(steps.get(i)), DenseVectors.over(changes.get(i)));
      directions.add(DenseVectors.array(hessian.$times(DenseVectors.over(gradients.get(i)))));
    }
    return directions;
  }

  private static double[] part(double[] vector, int rank, int ranks) {
    int first = Division.first(vector.length, ranks, rank);
    return Arrays.copyOfRange(vector, first, Division.first(vector.length, ranks, rank + 1));
  }

  private static void assertNear(double[] expected, double[] actual) {
    assertEquals(expected.length, actual.length);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], actual[i], 1e-11);
    }
  }
}
