package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.ml.clustering.KMeansAggregator;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.mllib.clustering.DistanceMeasure;
import org.apache.spark.mllib.clustering.DistanceMeasure$;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** Rows and their nearest centres, beside what MLlib's own code finds. */
class NearestCentresTest {
  private static final double NEAR = 1e-11;
  private static final int ITERATIONS = 12;

  private final SplittableRandom random = new SplittableRandom(20261122);

  @ParameterizedTest
  @ValueSource(strings = {"euclidean", "cosine"})
  void rowsAsMllibHasThem(String measure) {
    int least = measure.equals("cosine") ? 2 : 1; // of length 1 all are at the same place
    for (int features : new int[] {least, 3, 4, 9, 31}) {
      for (int clusters : new int[] {1, 2, 7, 40}) {
        List<VectorWithNorm> rows = rows(700, features, 10, 0);
        compare(rows, clusters, features, measure);
      }
    }
  }

  /** Squared distances by products have no correct digit here. */
  @Test
  void rowsFarFromTheOriginAsMllibHasThem() {
    compare(rows(500, 6, 12, 1e7), 9, 6, "euclidean");
  }

  @ParameterizedTest
  @ValueSource(strings = {"euclidean", "cosine"})
  void blocksAsMllibHasThem(String measure) {
    int features = 13;
    int clusters = 11;
    List<VectorWithNorm> rows = rows(900, features, 8, 0);
    List<InstanceBlock> blocks = blocks(rows, measure.equals("cosine"));
    BlockAssignment assignment = new BlockAssignment(measure, 0);
    Centres centres = start(measure.equals("cosine") ? ofLengthOne(rows) : rows, clusters);
    NearestCentres<InstanceBlock> nearest = new NearestCentres<>(assignment, blocks, centres);
    assertEquals(rows.size(), nearest.rows());
    for (int i = 0; i < ITERATIONS; i++) {
      double[] message = new double[clusters * (features + 1)];
      double cost = nearest.assign(centres, message);
      KMeansAggregator mllib =
          new KMeansAggregator(
              new DenseMatrix(clusters, features, centres.coordinates(), true),
              clusters,
              features,
              measure);
      blocks.forEach(mllib::add);
      assertEquals(mllib.costSum(), cost, NEAR * cost);
      double[] weights =
          Arrays.copyOfRange(message, clusters * features, clusters * (features + 1));
      assertArrayEquals(mllib.weightSumVec().values(), weights, NEAR);
      for (int c = 0; c < clusters; c++) {
        for (int j = 0; j < features; j++) {
          assertEquals(mllib.sumMat().apply(c, j), message[c * features + j], NEAR * rows.size());
        }
      }
      centres = moved(assignment, centres, message);
    }
  }

  /** What is known of rows from before changes no bit. */
  @Test
  void bitsDoNotDependOnWhatIsKept() {
    int features = 10;
    int clusters = 25;
    List<VectorWithNorm> rows = rows(2000, features, 25, 0);
    RowAssignment assignment = new RowAssignment("euclidean", 0);
    Centres centres = start(rows, clusters);
    NearestCentres<VectorWithNorm> kept = new NearestCentres<>(assignment, rows, centres);
    for (int i = 0; i < ITERATIONS; i++) {
      double[] expected = new double[clusters * (features + 1)];
      double[] actual = new double[expected.length];
      double cost = new NearestCentres<>(assignment, rows, centres).assign(centres, expected);
      assertEquals(cost, kept.assign(centres, actual));
      assertArrayEquals(expected, actual);
      centres = moved(assignment, centres, actual);
    }
  }

  /** Of centres at the same place the first gets all rows, and rows without weight go nowhere. */
  @Test
  void theFirstOfEquals() {
    double[][] same = {{2, 1, 5}, {2, 1, 5}, {0, 0, 0}, {0, 0, 0}};
    List<VectorWithNorm> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(weighed(Vectors.dense(2, 1, 5 + random.nextDouble(0.1)), i % 2));
    }
    Centres centres = Centres.of(same);
    double[] message = new double[16];
    new NearestCentres<>(new RowAssignment("euclidean", 0), rows, centres).assign(centres, message);
    assertArrayEquals(new double[] {150, 0, 0, 0}, Arrays.copyOfRange(message, 12, 16));
  }

  @Test
  void refusesRowsOfAnotherLength() {
    Centres centres = Centres.of(new double[][] {{1, 2}, {3, 4}});
    List<VectorWithNorm> rows = List.of(new VectorWithNorm(Vectors.dense(1, 2, 3)));
    var nearest = new NearestCentres<>(new RowAssignment("euclidean", 0), rows, centres);
    var thrown =
        assertThrows(IllegalArgumentException.class, () -> nearest.assign(centres, new double[6]));
    assertTrue(String.valueOf(thrown.getMessage()).contains("3 features"), thrown.toString());
  }

  private void compare(List<VectorWithNorm> rows, int clusters, int features, String measure) {
    DistanceMeasure distances = DistanceMeasure$.MODULE$.decodeFromString(measure);
    RowAssignment assignment = new RowAssignment(measure, 0);
    Centres centres = start(rows, clusters);
    NearestCentres<VectorWithNorm> nearest = new NearestCentres<>(assignment, rows, centres);
    for (int i = 0; i < ITERATIONS; i++) {
      double[] actual = new double[clusters * (features + 1)];
      double cost = nearest.assign(centres, actual);
      double[] expected = new double[actual.length];
      Centres now = centres;
      VectorWithNorm[] all =
          IntStream.range(0, clusters)
              .mapToObj(c -> new VectorWithNorm(Vectors.dense(now.centre(c)), now.norms()[c], 1))
              .toArray(VectorWithNorm[]::new);
      double expectedCost = 0;
      for (VectorWithNorm row : rows) {
        Tuple2<Object, Object> best = distances.findClosest(all, row);
        int centre = (int) best._1();
        expectedCost += row.weight() * (double) best._2();
        Vector sum = Vectors.zeros(features);
        distances.updateClusterSum(row, sum);
        for (int j = 0; j < features; j++) {
          expected[centre * features + j] += sum.apply(j);
        }
        expected[clusters * features + centre] += row.weight();
      }
      String what = measure + " of " + features + ", " + clusters + " centres, iteration " + i;
      double size = Arrays.stream(expected).map(Math::abs).max().orElse(0);
      assertEquals(expectedCost, cost, 1e-6 * expectedCost + NEAR * rows.size(), what);
      assertArrayEquals(expected, actual, NEAR * size, what);
      centres = moved(assignment, centres, actual);
    }
  }

  private static Centres start(List<VectorWithNorm> rows, int clusters) {
    double[][] first = new double[clusters][];
    Arrays.setAll(first, i -> rows.get(i * 3 + 1).vector().toArray().clone());
    return Centres.of(first);
  }

  private static <T> Centres moved(Assignment<T> assignment, Centres centres, double[] message) {
    int clusters = centres.clusters();
    double[] coordinates = centres.coordinates().clone();
    double[] norms = centres.norms().clone();
    for (int i = 0; i < clusters; i++) {
      if (message[clusters * centres.features() + i] > 0) {
        Assignment.Moved moved = assignment.move(i, centres, message);
        System.arraycopy(
            moved.coordinates(), 0, coordinates, i * centres.features(), centres.features());
        norms[i] = moved.norm();
      }
    }
    double[] costs = Arrays.copyOf(centres.objective(), centres.iteration() + 1);
    return new Centres(clusters, coordinates, norms, costs, 0, 0, 0, 0, 0);
  }

  /** Rows in groups; every third is sparse, every seventh has no weight. */
  private List<VectorWithNorm> rows(int count, int features, int groups, double far) {
    double[][] middles = new double[groups][];
    Arrays.setAll(middles, i -> random.doubles(features, far, far + 4).toArray());
    List<VectorWithNorm> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double[] row = middles[random.nextInt(groups)].clone();
      for (int j = 0; j < features; j++) {
        row[j] += random.nextDouble();
        if (i % 3 == 0 && j > 0 && random.nextBoolean()) {
          row[j] = 0;
        }
      }
      Vector dense = Vectors.dense(row);
      rows.add(weighed(i % 3 == 0 ? dense.toSparse() : dense, i % 7 == 0 ? 0 : i % 4));
    }
    return rows;
  }

  private static List<VectorWithNorm> ofLengthOne(List<VectorWithNorm> rows) {
    return rows.stream()
        .map(row -> Arrays.stream(row.vector().toArray()).map(x -> x / row.norm()).toArray())
        .map(values -> new VectorWithNorm(Vectors.dense(values)))
        .toList();
  }

  private static VectorWithNorm weighed(Vector vector, double weight) {
    return new VectorWithNorm(vector, Vectors.norm(vector, 2), weight);
  }

  /** Blocks of rows, the last of sparse ones. */
  private static List<InstanceBlock> blocks(List<VectorWithNorm> rows, boolean cosine) {
    List<Instance> dense = new ArrayList<>();
    List<Instance> sparse = new ArrayList<>();
    for (VectorWithNorm row : rows) {
      double factor = cosine ? 1 / row.norm() : 1;
      double[] values = Arrays.stream(row.vector().toArray()).map(x -> x * factor).toArray();
      double square = Arrays.stream(values).map(x -> x * x).sum();
      var vector = org.apache.spark.ml.linalg.Vectors.dense(values);
      boolean few = vector.numNonzeros() < values.length;
      Instance instance = new Instance(square, row.weight(), few ? vector.toSparse() : vector);
      (few ? sparse : dense).add(instance);
    }
    List<InstanceBlock> blocks = new ArrayList<>();
    for (List<Instance> all : List.of(dense, sparse)) {
      CollectionConverters.asJava(
              InstanceBlock$.MODULE$.blokifyWithMaxMemUsage(
                  CollectionConverters.asScala(all.iterator()), 20_000))
          .forEachRemaining(blocks::add);
    }
    return blocks;
  }
}
