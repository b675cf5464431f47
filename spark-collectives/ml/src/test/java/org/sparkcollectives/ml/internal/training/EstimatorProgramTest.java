package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.aggregator.MultinomialLogisticBlockAggregator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

  /** Rows have 40 features of 30,000, and then these alone, at the same places. */
  @ParameterizedTest
  @EnumSource(
      value = Placing.class,
      names = {"WHOLE", "DIVIDED"})
  void featuresThatNoRowHasAreLeftOut(Placing placing) {
    int all = 30_000;
    int[] places = new Random(1).ints(40, 0, all).distinct().sorted().toArray();
    for (boolean binary : new boolean[] {true, false}) {
      int sets = binary ? 1 : 3;
      double[] few =
          solution(fitted(placing, binary, rank -> hashed(rank, places.length, null, binary)));
      double[] spread = new double[sets * (all + 1)];
      for (int i = 0; i < few.length; i++) {
        int feature = i / sets;
        int place = feature < places.length ? places[feature] : all;
        spread[place * sets + i % sets] = few[i];
      }
      List<@Nullable Fitted> found =
          fitted(placing, binary, rank -> hashed(rank, all, places, binary));
      assertArrayEquals(spread, solution(found), 1e-8);
      assertEquals(all, assertPresent(found.get(0)).facts().features());
    }
  }

  private static double[] solution(List<@Nullable Fitted> found) {
    return found.stream()
        .filter(Objects::nonNull)
        .flatMapToDouble(part -> Arrays.stream(part.solution()))
        .toArray();
  }

  /** Rows of as many features, some of them at given places; the last rank has none. */
  private static Iterator<Instance> hashed(
      int rank, int features, int @Nullable [] places, boolean binary) {
    Random random = new Random(rank);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < (rank == RANKS - 1 ? 0 : 60); i++) {
      int[] own = random.ints(6, 0, 40).distinct().sorted().toArray();
      double[] values = random.doubles(own.length, -1, 1).toArray();
      int[] indices = places == null ? own : Arrays.stream(own).map(k -> places[k]).toArray();
      double margin = Arrays.stream(values).sum() + random.nextGaussian();
      int label = margin > 0.7 && !binary ? 2 : margin > -0.7 ? 1 : 0;
      rows.add(new Instance(label, 1, Vectors.sparse(features, indices, values)));
    }
    return rows.iterator();
  }

  private static List<@Nullable Fitted> fitted(Placing placing) {
    return fitted(placing, true, EstimatorProgramTest::rows);
  }

  private static List<@Nullable Fitted> fitted(
      Placing placing, boolean binary, IntFunction<Iterator<Instance>> rows) {
    Recipe recipe =
        summary -> {
          HereBroadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
          LBFGS<DenseVector<Object>> minimizer =
              new LBFGS<>(5, 10, 1e-9, DenseVector.space_Double());
          return binary
              ? new MinimizationProblem<BinaryLogisticBlockAggregator>(
                  x -> new BinaryLogisticBlockAggregator(means, means, true, true, x),
                  Option.empty(),
                  minimizer,
                  new double[summary.features() + 1],
                  1)
              : new MinimizationProblem<MultinomialLogisticBlockAggregator>(
                  x -> new MultinomialLogisticBlockAggregator(means, means, true, true, x),
                  Option.empty(),
                  minimizer,
                  new double[3 * (summary.features() + 1)],
                  3);
        };
    EstimatorProgram program =
        new EstimatorProgram(
            "returned " + placing, recipe, RowKind.CLASSES, true, 1 << 20, null, placing);
    return Group.<@Nullable Fitted>threads(
        RANKS,
        OPTIONS,
        communicator -> {
          Iterator<Fitted> results = program.call(communicator, rows.apply(communicator.rank()));
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
