package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.regression.AdamWUpdater;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.ml.internal.iteration.IterationCases;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.rows.RowsFunction;
import scala.Tuple2;

/**
 * Trainings by mini batches, k-means, mixtures and words that lose an executor, in the application
 * of {@link TrainingIT}.
 */
@Timeout(240)
abstract class AttemptsCases extends IterationCases {
  private static final int ROWS = 60;
  private static final int PARTITIONS = 4;

  private static JavaSparkContext context;
  private static JavaRDD<Tuple2<Object, Vector>> rows;

  @BeforeAll
  static void start() {
    context = TrainingIT.context();
    Random random = new Random(5);
    List<List<Tuple2<Object, Vector>>> dealt = new ArrayList<>();
    for (int p = 0; p < PARTITIONS; p++) {
      List<Tuple2<Object, Vector>> part = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        double[] x = random.doubles(FEATURES, -1, 1).toArray();
        part.add(new Tuple2<>(x[0] - x[1] + random.nextGaussian(), Vectors.dense(x)));
      }
      dealt.add(part);
    }
    rows = context.parallelize(dealt, PARTITIONS).flatMap(List::iterator);
  }

  @Override
  protected JavaRDD<Vector> vectors() {
    return rows.map(row -> row._2());
  }

  @Override
  protected void awaitAllExecutors() throws InterruptedException {
    TrainingIT.awaitExecutors();
  }

  @Test
  void miniBatchesGoOnWithTheSameBits(@TempDir Path folder) throws InterruptedException {
    for (Updater updater : List.of(new SquaredL2Updater(), new AdamWUpdater(FEATURES))) {
      TrainingIT.awaitExecutors();
      Trained expected = batches(updater, "");
      assertEquals(0, expected.resumedAt);
      assertEquals(ITERATIONS + 1, expected.objective.length);
      assertEquals(ITERATIONS, expected.iterations.evaluations());
      String what = updater.getClass().getSimpleName();
      Trained actual = batches(updater, folder.resolve(what).toString());
      assertTrue(folder.resolve(what).toFile().exists(), what);
      assertTrue(actual.resumedAt > 0, what + ", resumed at " + actual.resumedAt);
      int left = ITERATIONS - actual.resumedAt; // of the first sum after it a loss alone comes
      assertEquals(left, actual.iterations.evaluations(), what);
      assertArrayEquals(expected.x, actual.x, what);
      assertArrayEquals(expected.objective, actual.objective, what);
    }
  }

  private static Trained batches(Updater updater, String marker) {
    MiniBatches how =
        new MiniBatches(
            new Halting(marker), updater, 0.1, ITERATIONS, 0.01, 0.5, Vectors.zeros(FEATURES), 0);
    MllibBatchProgram program =
        new MllibBatchProgram("batches " + System.nanoTime(), how, PARTITIONS, null);
    return Training.ran(PartitionRows.of(rows.rdd()).rdd(), program).get(0).trained();
  }

  @Test
  void miniBatchesOfUsersGoOnWithTheSameBits(@TempDir Path folder) throws InterruptedException {
    for (StepRule rule : List.of(new Momentum(0.1, 0.9), new Adam(0.1, 0.9, 0.999, 1e-8))) {
      TrainingIT.awaitExecutors();
      Trained expected = ownBatches(rule, "");
      assertEquals(0, expected.resumedAt);
      assertEquals(ITERATIONS + 1, expected.objective.length);
      String what = rule.getClass().getSimpleName();
      Trained actual = ownBatches(rule, folder.resolve("own " + what).toString());
      assertTrue(folder.resolve("own " + what).toFile().exists(), what);
      assertTrue(actual.resumedAt > 0, what + ", resumed at " + actual.resumedAt);
      assertArrayEquals(expected.x, actual.x, what);
      assertArrayEquals(expected.objective, actual.objective, what);
    }
  }

  private static Trained ownBatches(StepRule rule, String marker) {
    OwnBatchProgram<Tuple2<Object, Vector>> program =
        new OwnBatchProgram<>(
            "own batches " + System.nanoTime(),
            new OwnBatches(rule, ITERATIONS, 0.5, 11, 0.2, 0),
            PARTITIONS,
            new HaltingSquares(marker),
            new double[FEATURES],
            null);
    return Training.ran(PartitionRows.of(rows.rdd()).rdd(), program).get(0).trained();
  }

  /** Squared errors; of rank 1 in the middle of the training the last. */
  private static final class HaltingSquares implements RowsFunction<Tuple2<Object, Vector>> {
    @Serial private static final long serialVersionUID = 1L;
    private final LeastSquaresGradient gradient = new LeastSquaresGradient();
    private final String marker;
    private int evaluations;

    HaltingSquares(String marker) {
      this.marker = marker;
    }

    @Override
    public double add(double[] x, List<Tuple2<Object, Vector>> batch, double[] sum) {
      evaluations++;
      if (!marker.isEmpty() && evaluations == ITERATIONS / 2) {
        halt(marker);
      }
      Vector weights = Vectors.dense(x);
      return batch.stream()
          .mapToDouble(
              row -> gradient.compute(row._2(), (double) row._1(), weights, Vectors.dense(sum)))
          .sum();
    }
  }

  /** Squared errors; of rank 1 in the middle of the training the last. */
  private static final class Halting extends Gradient {
    @Serial private static final long serialVersionUID = 1L;
    private final LeastSquaresGradient gradient = new LeastSquaresGradient();
    private final String marker;
    private int rows;

    Halting(String marker) {
      this.marker = marker;
    }

    @Override
    public double compute(Vector data, double label, Vector weights, Vector sum) {
      rows++;
      if (!marker.isEmpty() && rows > ROWS * 3) { // of half of them in each batch
        halt(marker);
      }
      return gradient.compute(data, label, weights, sum);
    }
  }
}
