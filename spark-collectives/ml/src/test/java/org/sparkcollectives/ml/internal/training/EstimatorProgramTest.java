package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.optimize.LBFGS;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;
import org.sparkcollectives.ml.internal.rows.RowKind;
import scala.Option;

/** What the ranks of an estimator's training return. */
@Timeout(120)
class EstimatorProgramTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int RANKS = 4;
  private static final int FEATURES = 4000;

  @Test
  void eachRankReturnsItsPartOfTheCoefficientsAndNoOtherVector() throws Exception {
    List<@Nullable Fitted> whole = fitted(Placing.WHOLE);
    List<@Nullable Fitted> divided = fitted(Placing.DIVIDED);
    Fitted expected = assertPresent(whole.get(0));
    assertEquals(FEATURES + 1, expected.solution().length);
    assertNull(whole.get(1), "rank 1 of whole vectors");
    int known = 0;
    for (@Nullable Fitted found : divided) {
      Fitted part = assertPresent(found);
      for (double coefficient : part.solution()) {
        assertEquals(expected.solution()[known++], coefficient, 1e-8);
      }
      assertEquals(expected.offsets()[0], part.offsets()[0], 1e-8);
      int bytes = JavaBytes.of(part).length;
      assertTrue(bytes < Double.BYTES * (FEATURES / RANKS + 500), bytes + " bytes");
    }
    assertEquals(FEATURES + 1, known);
  }

  private static Fitted assertPresent(@Nullable Fitted fitted) {
    assertNotNull(fitted);
    return fitted;
  }

  private static List<@Nullable Fitted> fitted(Placing placing) {
    Recipe recipe =
        summary -> {
          HereBroadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
          return new MinimizationProblem<BinaryLogisticBlockAggregator>(
              x -> new BinaryLogisticBlockAggregator(means, means, true, true, x),
              Option.empty(),
              new LBFGS<>(5, 10, 1e-9, DenseVector.space_Double()),
              new double[FEATURES + 1],
              1);
        };
    EstimatorProgram program =
        new EstimatorProgram(
            "returned " + placing, recipe, RowKind.CLASSES, true, 1 << 20, null, placing);
    return Group.<@Nullable Fitted>threads(
        RANKS,
        OPTIONS,
        communicator -> {
          Iterator<Fitted> results = program.call(communicator, rows(communicator.rank()));
          return results.hasNext() ? results.next() : null;
        });
  }

  private static Iterator<Instance> rows(int rank) {
    Random random = new Random(rank);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      double[] x = random.doubles(FEATURES, -1, 1).toArray();
      double margin = Arrays.stream(x).limit(5).sum() + random.nextGaussian();
      rows.add(new Instance(margin > 0 ? 1 : 0, 1, Vectors.dense(x)));
    }
    return rows.iterator();
  }
}
