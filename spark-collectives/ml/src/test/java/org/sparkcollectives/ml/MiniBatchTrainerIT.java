package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.regression.AdamWUpdater;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.SimpleUpdater;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.testing.Jobs;
import scala.Tuple2;

/**
 * Objectives of users' own by mini batches, against MLlib's {@code GradientDescent}, and against
 * loops over what Spark's {@code sample} takes.
 */
@Timeout(120)
class MiniBatchTrainerIT {
  private static final int ROWS = 60;
  private static final double[] TRUTH = {2, -1, 0.5};
  private static final double[] START = {0.1, 0.2, -0.3};
  private static final double ROUNDING = 1e-11;

  private JavaSparkContext context;
  private JavaRDD<double[]> rows;

  @BeforeEach
  void start() {
    context =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[3]")
                .setAppName("mini batches")
                .set("spark.ui.enabled", "false"));
    rows = of(ROWS, 5);
  }

  /** Rows of a linear model with noise. */
  private JavaRDD<double[]> of(int count, int partitions) {
    Random random = new Random(5);
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double[] row = random.doubles(TRUTH.length + 1, -1, 1).toArray();
      for (int j = 0; j < TRUTH.length; j++) {
        row[TRUTH.length] += TRUTH[j] * row[j];
      }
      all.add(row);
    }
    return context.parallelize(all, partitions);
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void stepsAreThoseOfMllib() {
    double strength = 0.03;
    Trainer sgd = Trainer.sgd(0.4, 0.5).withMaxIterations(15);
    sameAsMllib(new SimpleUpdater(), 0.4, 0, sgd);
    sameAsMllib(new SquaredL2Updater(), 0.4, strength, sgd.withL2(strength * ROWS));
    Trainer adam = Trainer.adam(0.1, 0.5).withMaxIterations(15);
    sameAsMllib(new AdamWUpdater(TRUTH.length), 0.1, 0, adam);
  }

  private void sameAsMllib(Updater updater, double stepSize, double strength, Trainer trainer) {
    Tuple2<Vector, double[]> expected = ofMllib(rows, updater, stepSize, 15, strength, 0.5);
    Minimum actual = trainer.minimise(rows, START, Squares::sum);
    assertArrayEquals(expected._1().toArray(), actual.x(), ROUNDING);
    assertEquals(15, actual.iterations());
    for (int i = 1; i < 15; i++) { // the first and the last are those of all rows
      assertEquals(expected._2()[i], actual.history()[i] / ROWS, ROUNDING, "batch " + (i + 1));
    }
  }

  private static Tuple2<Vector, double[]> ofMllib(
      JavaRDD<double[]> rows,
      Updater updater,
      double stepSize,
      int iterations,
      double strength,
      double fraction) {
    JavaRDD<Tuple2<Object, Vector>> labelled =
        rows.map(
            row ->
                new Tuple2<>(row[TRUTH.length], Vectors.dense(Arrays.copyOf(row, TRUTH.length))));
    return GradientDescent.runMiniBatchSGD(
        labelled.rdd(),
        new LeastSquaresGradient(),
        updater,
        stepSize,
        iterations,
        strength,
        fraction,
        Vectors.dense(START),
        0);
  }

  @Test
  void momentumIsThatOfAPlainLoop() {
    Loop loop = new Loop(rows, 0.3, 7);
    double[] velocity = new double[TRUTH.length];
    while (loop.batches < 20) {
      double[] gradient = loop.next(4.0);
      for (int j = 0; j < gradient.length; j++) {
        velocity[j] = 0.8 * velocity[j] + gradient[j];
        loop.x[j] -= 0.2 / Math.sqrt(loop.batches) * velocity[j];
      }
    }
    loop.assertSame(Trainer.sgd(0.2, 0.3, 0.8).withL2(4), 20);
  }

  @Test
  void adamIsThatOfAPlainLoop() {
    Loop loop = new Loop(rows, 0.3, 7);
    double[] mean = new double[TRUTH.length];
    double[] square = new double[TRUTH.length];
    while (loop.batches < 20) {
      double[] gradient = loop.next(4.0);
      for (int j = 0; j < gradient.length; j++) {
        mean[j] = 0.7 * mean[j] + 0.3 * gradient[j];
        square[j] = 0.9 * square[j] + 0.1 * gradient[j] * gradient[j];
        double corrected = mean[j] / (1 - Math.pow(0.7, loop.steps));
        double root = Math.sqrt(square[j] / (1 - Math.pow(0.9, loop.steps)));
        loop.x[j] -= 0.1 * corrected / (root + 1e-3);
      }
    }
    loop.assertSame(Trainer.adam(0.1, 0.3, 0.7, 0.9, 1e-3).withL2(4), 20);
  }

  @Test
  void batchesAndPartitionsWithoutRowsMoveNothing() {
    JavaRDD<double[]> few = of(4, 9);
    Loop loop = new Loop(few, 0.1, 42); // the seed of MLlib
    while (loop.batches < 30) {
      double[] gradient = loop.next(0);
      for (int j = 0; j < gradient.length; j++) {
        loop.x[j] -= loop.empty ? 0 : 0.5 / Math.sqrt(loop.batches) * gradient[j];
      }
    }
    assertTrue(loop.steps > 2 && loop.steps < 28, "batches with rows: " + loop.steps);
    assertTrue(loop.emptyBefore, "no batch without rows before one with rows");
    loop.assertSame(Trainer.sgd(0.5, 0.1), 30);
    double[] expected = ofMllib(few, new SimpleUpdater(), 0.5, 30, 0, 0.1)._1().toArray();
    assertArrayEquals(expected, loop.x, ROUNDING);

    JavaRDD<double[]> none = few.filter(row -> row[0] > 9);
    Minimum start = Trainer.adam(0.5, 0.1).withL2(2).minimise(none, START, (x, own, sum) -> 0);
    assertArrayEquals(START, start.x());
    assertEquals(0, start.iterations());
    assertEquals(Arrays.stream(START).map(each -> each * each).sum(), start.value(), ROUNDING);
    assertEquals("no data", start.reason());
  }

  /** A loop of one process, over the rows of batches, and what the objective is on the way. */
  private static final class Loop {
    final JavaRDD<double[]> rows;
    final double fraction;
    final long seed;
    final double[] x = START.clone();
    final List<Double> history = new ArrayList<>();
    int batches;
    int steps;
    boolean empty;

    /** Whether a batch with rows has come after one without. */
    boolean emptyBefore;

    Loop(JavaRDD<double[]> rows, double fraction, long seed) {
      this.rows = rows;
      this.fraction = fraction;
      this.seed = seed;
    }

    /** The mean gradient of the next batch, with a part of the penalty's. */
    double[] next(double l2) {
      batches++;
      List<double[]> batch = rows.sample(false, fraction, seed + batches).collect();
      empty = batch.isEmpty();
      steps += empty ? 0 : 1;
      emptyBefore |= !empty && steps < batches;
      double all = rows.count();
      double[] gradient = new double[x.length];
      double value = Squares.sum(x, batch, gradient) * all / batch.size();
      if (batches == 1) {
        value = Squares.sum(x, rows.collect(), new double[x.length]);
      }
      for (int j = 0; j < x.length; j++) {
        value += l2 / 2 * x[j] * x[j];
        gradient[j] = gradient[j] / batch.size() + l2 / all * x[j];
      }
      history.add(empty && batches > 1 ? (double) history.get(batches - 2) : value);
      return gradient;
    }

    void assertSame(Trainer trainer, int iterations) {
      Minimum found =
          trainer.withSeed(seed).withMaxIterations(iterations).minimise(rows, START, Squares::sum);
      assertArrayEquals(x, found.x(), ROUNDING);
      assertEquals(iterations, found.iterations());
      for (int i = 0; i < iterations; i++) {
        assertEquals(history.get(i), found.history()[i], 1e-9, "value " + i);
      }
    }
  }

  @Test
  void bothFindWhereTheGradientVanishes() {
    for (Trainer trainer :
        List.of(
            Trainer.sgd(1, 1).withMaxIterations(900),
            Trainer.sgd(0.3, 1, 0.9).withMaxIterations(900),
            Trainer.adam(0.05, 1).withMaxIterations(900))) {
      Minimum found = trainer.withL2(6).minimise(rows, START, Squares::sum);
      double[] gradient = new double[TRUTH.length];
      double value = Squares.sum(found.x(), rows.collect(), gradient);
      for (int j = 0; j < gradient.length; j++) {
        assertEquals(-6 * found.x()[j], gradient[j], 1e-5);
        value += 3 * found.x()[j] * found.x()[j];
      }
      assertEquals(value, found.value(), 1e-9);
      assertEquals("max iterations reached", found.reason());
    }
  }

  @Test
  void shortStepsAreTheEnd() {
    Trainer trainer = Trainer.sgd(0.5, 1).withMaxIterations(500);
    Minimum all = trainer.minimise(rows, START, Squares::sum);
    assertEquals(500, all.iterations());
    Minimum found = trainer.withTolerance(1e-4).minimise(rows, START, Squares::sum);
    assertEquals("step within tolerance", found.reason());
    int last = found.iterations();
    assertTrue(last > 10 && last < 400, found.toString());
    double[][] before = {after(trainer, last - 2), after(trainer, last - 1), after(trainer, last)};
    assertTrue(length(before[0], before[1]) >= 1e-4 * length(before[1], new double[3]), "earlier");
    assertTrue(length(before[1], before[2]) < 1e-4 * length(before[2], new double[3]), "later");
    assertArrayEquals(before[2], found.x());
  }

  private double[] after(Trainer trainer, int iterations) {
    return trainer.withMaxIterations(iterations).minimise(rows, START, Squares::sum).x();
  }

  private static double length(double[] from, double[] to) {
    double squares = 0;
    for (int i = 0; i < from.length; i++) {
      squares += (to[i] - from[i]) * (to[i] - from[i]);
    }
    return Math.sqrt(squares);
  }

  @Test
  void anotherApplicationGoesOnFromAFolder(@TempDir Path folder) {
    for (Trainer trainer : List.of(Trainer.sgd(0.3, 0.4, 0.9), Trainer.adam(0.1, 0.4))) {
      String states = folder.resolve("states " + trainer.hashCode()).toUri().toString();
      Trainer most = trainer.withMaxIterations(12).withL2(0.5);
      Trainer kept = most.withCheckpoints(states, 3);
      Minimum expected = most.minimise(rows, START, Squares::sum);
      kept.withMaxIterations(7).minimise(rows, START, Squares::sum);
      stop();
      start();
      Minimum actual = kept.minimise(rows, START, Squares::sum);
      assertEquals(7, actual.resumedAt());
      assertArrayEquals(expected.history(), actual.history());
      assertArrayEquals(expected.x(), actual.x());
      Minimum again = kept.minimise(rows, START, Squares::sum);
      assertEquals(12, again.resumedAt());
      assertArrayEquals(expected.history(), again.history());

      Trainer otherwise = kept.withSeed(8);
      assertEquals(0, otherwise.minimise(rows, START, Squares::sum).resumedAt());
      JavaRDD<double[]> fewer = rows.filter(row -> row[1] > 0);
      assertEquals(0, otherwise.minimise(fewer, START, Squares::sum).resumedAt());
    }
  }

  @Test
  void eachBatchIsOneEvaluationAndTold() {
    List<TrainingEvent> told = new CopyOnWriteArrayList<>();
    Jobs.settle(context.sc());
    context
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onOtherEvent(SparkListenerEvent event) {
                if (event instanceof TrainingEvent training) {
                  told.add(training);
                }
              }
            });
    Minimum found =
        Trainer.adam(0.1, 0.5)
            .withMaxIterations(10)
            .minimise(rows.setName("squares"), START, Squares::sum);
    Jobs.settle(context.sc());
    assertEquals(1, told.size());
    assertEquals("squares", told.get(0).name);
    assertEquals(10, told.get(0).iterations);
    assertEquals(1 + 10 + 1, told.get(0).evaluations); // all rows first and last
    double[] gradient = new double[TRUTH.length];
    assertEquals(Squares.sum(START, rows.collect(), gradient), found.history()[0], 1e-9);
    assertEquals(Squares.sum(found.x(), rows.collect(), gradient), found.value(), 1e-9);
  }

  @Test
  void numbersThatMakeNoSenseAreRefused() {
    for (double stepSize : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(InvalidInputException.class, () -> Trainer.sgd(stepSize, 0.5));
      assertThrows(InvalidInputException.class, () -> Trainer.adam(stepSize, 0.5));
    }
    for (double fraction : new double[] {0, 1.1, Double.NaN}) {
      assertThrows(InvalidInputException.class, () -> Trainer.sgd(0.1, fraction));
    }
    for (double weight : new double[] {-0.1, 1, Double.NaN}) {
      assertThrows(InvalidInputException.class, () -> Trainer.sgd(0.1, 0.5, weight));
      assertThrows(InvalidInputException.class, () -> Trainer.adam(0.1, 0.5, weight, 0.9, 1e-8));
      assertThrows(InvalidInputException.class, () -> Trainer.adam(0.1, 0.5, 0.9, weight, 1e-8));
    }
    assertThrows(InvalidInputException.class, () -> Trainer.adam(0.1, 0.5, 0.9, 0.9, 0));
  }
}
