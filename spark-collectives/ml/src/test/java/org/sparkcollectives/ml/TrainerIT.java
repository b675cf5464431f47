package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;

/** Objectives of users' own. */
@Timeout(120)
class TrainerIT {
  private static final double[] TRUTH = {2, -1, 0.5};

  private JavaSparkContext context;
  private JavaRDD<double[]> rows;

  @BeforeEach
  void start() {
    start(3, "auto");
  }

  /** An application of so many threads, with vectors that are whole or divided. */
  private void start(int threads, String vectors) {
    context =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[" + threads + "]")
                .setAppName("trainer")
                .set("spark.collectives.mllib.vectors", vectors)
                .set("spark.ui.enabled", "false"));
    Random random = new Random(5);
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      double[] row = random.doubles(TRUTH.length + 1, -1, 1).toArray();
      row[TRUTH.length] = 0;
      for (int j = 0; j < TRUTH.length; j++) {
        row[TRUTH.length] += TRUTH[j] * row[j];
      }
      all.add(row);
    }
    rows = context.parallelize(all, 7).filter(row -> row[0] != 0).repartition(5).cache();
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void findsTheMinimum() {
    Minimum minimum =
        Trainer.lbfgs().withTolerance(1e-14).minimise(rows, new double[3], Squares::sum);
    assertArrayEquals(TRUTH, minimum.x(), 1e-6);
    assertEquals(0, minimum.value(), 1e-9);
    assertEquals(minimum.iterations() + 1, minimum.history().length);
    assertTrue(minimum.history()[0] > 1 && !minimum.reason().isEmpty(), minimum.toString());
  }

  @Test
  void penalties() {
    Minimum shrunk = Trainer.lbfgs().withL2(5).minimise(rows, new double[3], Squares::sum);
    double[] x = shrunk.x();
    double[] gradient = new double[3];
    double value = Squares.sum(x, rows.collect(), gradient);
    double norm = Arrays.stream(x).map(each -> each * each).sum();
    assertEquals(value + 2.5 * norm, shrunk.value(), 1e-9);
    for (int i = 0; i < 3; i++) {
      assertEquals(-5 * x[i], gradient[i], 1e-2);
    }
    Minimum sparse = Trainer.owlqn(0, 0, 100).minimise(rows, new double[] {1, 1, 1}, Squares::sum);
    assertEquals(0, sparse.x()[2]);
    assertTrue(sparse.x()[0] > 1, sparse.toString());
  }

  @Test
  void bounds() {
    double[] lower = {-3, -0.25, -3};
    double[] upper = {1.5, 3, 3};
    Minimum bounded = Trainer.lbfgsb(lower, upper).minimise(rows, new double[3], Squares::sum);
    assertEquals(1.5, bounded.x()[0]);
    assertEquals(-0.25, bounded.x()[1]);
    double[] outside = {-9, -9, 9};
    Minimum same = Trainer.lbfgsb(lower, upper).minimise(rows, outside, Squares::sum);
    assertArrayEquals(bounded.x(), same.x(), 1e-5);
    Minimum least =
        Trainer.lbfgsb(new double[] {1}, new double[] {2})
            .minimise(rows, new double[1], TrainerIT::square);
    assertArrayEquals(new double[] {1}, least.x()); // where the gradient of the start is 0
  }

  /** A search that finds no step leaves a state that is no iteration. */
  @Test
  void searchesThatFailAreNoIterations(@TempDir Path folder) {
    for (String vectors : List.of("whole", "divided")) {
      stop();
      start(3, vectors);
      for (int limit : new int[] {3, 20}) {
        String states = folder.resolve(vectors + limit).toUri().toString();
        Trainer trainer =
            Trainer.lbfgs().withTolerance(0).withMaxIterations(limit).withCheckpoints(states, 1);
        Minimum first = trainer.minimise(rows, new double[] {3}, TrainerIT::kink);
        int last = first.iterations();
        assertTrue(0 < last && last <= limit, last + " iterations of " + limit);
        double[] history = first.history();
        assertEquals(last + 1, history.length);
        for (int i = 1; i < history.length; i++) {
          assertNotEquals(history[i - 1], history[i], "value " + i);
        }
        assertEquals(last, trainer.minimise(rows, new double[] {3}, TrainerIT::kink).resumedAt());
      }
    }
  }

  @Test
  void anotherApplicationGoesOnFromAFolder(@TempDir Path folder) {
    String states = folder.resolve("states").toUri().toString();
    double[] start = {-1.2, 1, -1.2};
    Trainer trainer = Trainer.lbfgs().withTolerance(1e-12).withMaxIterations(12);
    Minimum expected = trainer.minimise(rows, start, TrainerIT::valleys);
    assertEquals(12, expected.iterations());
    trainer
        .withMaxIterations(7)
        .withCheckpoints(states, 3)
        .minimise(rows, start, TrainerIT::valleys);
    assertEquals(List.of("state-000000006", "state-000000007"), names(folder));
    stop();
    start();
    Minimum actual = trainer.withCheckpoints(states, 3).minimise(rows, start, TrainerIT::valleys);
    assertEquals(7, actual.resumedAt());
    assertArrayEquals(expected.history(), actual.history());
    assertArrayEquals(expected.x(), actual.x());
    assertEquals(List.of("state-000000009", "state-000000012"), names(folder));
    Minimum again = trainer.withCheckpoints(states, 3).minimise(rows, start, TrainerIT::valleys);
    assertEquals(12, again.resumedAt());
    assertArrayEquals(expected.x(), again.x());
  }

  /** There is no connector on the class path. */
  @Test
  void aFolderWithoutItsFileSystemIsNoEndOfATraining() {
    for (String vectors : List.of("whole", "divided")) {
      stop();
      start(3, vectors);
      Trainer trainer = Trainer.lbfgs().withMaxIterations(4);
      Minimum expected = trainer.minimise(rows, new double[3], Squares::sum);
      Minimum actual =
          trainer
              .withCheckpoints("s3a://bucket/states", 1)
              .minimise(rows, new double[3], Squares::sum);
      assertArrayEquals(expected.x(), actual.x());
    }
  }

  @Test
  void soItDoesFromAFolderOfDividedVectors(@TempDir Path folder) throws IOException {
    Path unfinished = Files.createDirectory(folder.resolve("states"));
    Files.createFile(unfinished.resolve("state-000000002-of-5-part-4")); // by ranks that were lost
    String states = folder.resolve("states").toUri().toString();
    double[] start = {-1.2, 1, -1.2};
    Trainer trainer = Trainer.lbfgs().withTolerance(1e-12).withMaxIterations(12);
    Trainer kept = trainer.withCheckpoints(states, 3);
    stop();
    start(3, "divided");
    Minimum expected = trainer.minimise(rows, start, TrainerIT::valleys);
    assertEquals(12, expected.iterations());
    kept.withMaxIterations(7).minimise(rows, start, TrainerIT::valleys);
    assertEquals(
        List.of(
            "state-000000006-of-3",
            "state-000000006-of-3-part-0",
            "state-000000006-of-3-part-1",
            "state-000000006-of-3-part-2",
            "state-000000007-of-3",
            "state-000000007-of-3-part-0",
            "state-000000007-of-3-part-1",
            "state-000000007-of-3-part-2"),
        names(folder));
    stop();
    start(3, "whole"); // a state's own way goes before the setting
    Minimum actual = kept.minimise(rows, start, TrainerIT::valleys);
    assertEquals(7, actual.resumedAt());
    assertArrayEquals(expected.history(), actual.history());
    assertArrayEquals(expected.x(), actual.x());
    stop();
    start(2, "auto");
    Minimum fewer = kept.withMaxIterations(20).minimise(rows, start, TrainerIT::valleys);
    assertEquals(12, fewer.resumedAt());
    assertTrue(fewer.value() < actual.value(), fewer.toString());
    JavaRDD<double[]> others = rows.filter(row -> row[1] > 0);
    Minimum anew = kept.minimise(others, start, TrainerIT::valleys);
    assertEquals(0, anew.resumedAt());
  }

  @Test
  void aStateOfAnotherTrainingIsReplaced(@TempDir Path folder) {
    String states = folder.resolve("states").toUri().toString();
    double[] start = {-1.2, 1, -1.2};
    Trainer trainer = Trainer.lbfgs().withMaxIterations(4);
    trainer.withCheckpoints(states, 1).minimise(rows, start, TrainerIT::valleys);
    assertEquals(List.of("state-000000003", "state-000000004"), names(folder));
    JavaRDD<double[]> fewer = rows.filter(row -> row[1] > 0);
    Minimum expected = trainer.withMaxIterations(5).minimise(fewer, start, TrainerIT::valleys);
    Minimum actual =
        trainer
            .withMaxIterations(5)
            .withCheckpoints(states, 1)
            .minimise(fewer, start, TrainerIT::valleys);
    assertEquals(0, actual.resumedAt());
    assertArrayEquals(expected.x(), actual.x());
    assertEquals(List.of("state-000000004", "state-000000005"), names(folder));
  }

  /** What the objective's value does not show. */
  @Test
  void aStateOfOtherPenaltiesOrBoundsIsReplaced(@TempDir Path folder) {
    String states = folder.resolve("states").toUri().toString();
    double[] start = {1, 1, 1};
    double[] least = {-3, -3, -3};
    List<Trainer> trainers =
        List.of(
            Trainer.owlqn(0, 0, 100),
            Trainer.owlqn(0, 0, 10),
            Trainer.lbfgsb(least, new double[] {1.5, 3, 3}),
            Trainer.lbfgsb(least, new double[] {1, 3, 3}));
    for (Trainer trainer : trainers) {
      Minimum expected = trainer.minimise(rows, start, Squares::sum);
      Trainer kept = trainer.withCheckpoints(states, 1);
      Minimum actual = kept.minimise(rows, start, Squares::sum);
      assertEquals(0, actual.resumedAt());
      assertArrayEquals(expected.x(), actual.x());
      Minimum again = kept.minimise(rows, start, Squares::sum);
      assertEquals(expected.iterations(), again.resumedAt());
    }
  }

  /** Of another start another minimum may be the nearest. */
  @Test
  void aStateFromAnotherStartIsReplaced(@TempDir Path folder) {
    String states = folder.resolve("states").toUri().toString();
    Trainer trainer = Trainer.lbfgs().withMaxIterations(4).withCheckpoints(states, 1);
    for (double[] start : new double[][] {{-1.2, 1, -1.2}, {-1.2, 1, 1.2}, {1e-9, 1, 1.2}}) {
      assertEquals(0, trainer.minimise(rows, start, TrainerIT::valleys).resumedAt());
      start[0] *= 1 + 1e-12; // as sums in another order differ
      assertEquals(4, trainer.minimise(rows, start, TrainerIT::valleys).resumedAt());
    }
    double[] nearer = {-1e-17, 1, 1.2};
    assertEquals(4, trainer.minimise(rows, nearer, TrainerIT::valleys).resumedAt());
  }

  @Test
  void aDividedStateOfAnotherTrainingDividesNothing(@TempDir Path folder) {
    stop();
    start(3, "divided");
    String states = folder.resolve("states").toUri().toString();
    double[] start = {-1.2, 1, -1.2};
    Trainer lbfgs = Trainer.lbfgs().withMaxIterations(4).withCheckpoints(states, 1);
    lbfgs.minimise(rows, start, TrainerIT::valleys);
    Minimum bounded =
        Trainer.lbfgsb(new double[] {-3, -0.25, -3}, new double[] {1.5, 3, 3})
            .withCheckpoints(states, 1)
            .minimise(rows, new double[3], Squares::sum);
    assertEquals(0, bounded.resumedAt());
    assertEquals(1.5, bounded.x()[0]);
    lbfgs.minimise(rows, start, TrainerIT::valleys);
    stop();
    start(3, "whole");
    JavaRDD<double[]> fewer = rows.filter(row -> row[1] > 0);
    assertEquals(0, lbfgs.minimise(fewer, start, TrainerIT::valleys).resumedAt());
    assertEquals(List.of("state-000000003", "state-000000004"), names(folder));
  }

  @Test
  void aFolderThatCannotBeWrittenDoesNotEndATraining(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    Minimum minimum =
        Trainer.lbfgs()
            .withCheckpoints(file.resolve("states").toUri().toString(), 1)
            .minimise(rows, new double[3], Squares::sum);
    assertArrayEquals(TRUTH, minimum.x(), 1e-3);
  }

  @Test
  void whatAnObjectiveThrowsIsTheCause() {
    RankFailedException error =
        assertThrows(
            RankFailedException.class,
            () ->
                Trainer.lbfgs()
                    .minimise(
                        rows,
                        new double[3],
                        (x, own, gradient) -> {
                          throw new ArithmeticException("no");
                        }));
    assertInstanceOf(ArithmeticException.class, error.getCause());
    for (Trainer trainer : List.of(Trainer.lbfgs(), Trainer.sgd(0.1, 1))) {
      RankFailedException refused =
          assertThrows(
              RankFailedException.class,
              () ->
                  trainer.minimise(
                      rows,
                      new double[3],
                      (x, own, gradient) -> {
                        throw new IllegalArgumentException("not these rows");
                      }));
      assertInstanceOf(IllegalArgumentException.class, refused.getCause());
    }
  }

  @Test
  void refusesWhatNoTrainingCanHave() {
    for (Trainer trainer : List.of(Trainer.lbfgs(), Trainer.sgd(0.1, 1))) {
      assertThrows(
          InvalidInputException.class,
          () -> trainer.minimise(context.emptyRDD(), new double[3], Squares::sum));
    }
    Trainer lbfgs = Trainer.lbfgs();
    double nan = Double.NaN;
    List<Executable> refused =
        List.of(
            () -> lbfgs.withCheckpoints("folder", 0),
            () -> lbfgs.withCheckpoints("my:states", 1),
            () -> lbfgs.withMaxIterations(-1),
            () -> lbfgs.withTolerance(-1e-9),
            () -> lbfgs.withTolerance(nan),
            () -> lbfgs.withMemory(0),
            () -> lbfgs.withL2(-1),
            () -> lbfgs.withL2(nan),
            () -> Trainer.owlqn(),
            () -> Trainer.owlqn(0.1, -1),
            () -> Trainer.lbfgsb(new double[2], new double[3]),
            () -> Trainer.lbfgsb(new double[0], new double[0]),
            () -> Trainer.lbfgsb(new double[] {1}, new double[] {0}),
            () -> Trainer.lbfgsb(new double[] {nan}, new double[] {0}),
            () -> Trainer.owlqn(1, 1).minimise(rows, new double[3], Squares::sum),
            () ->
                Trainer.lbfgsb(new double[2], new double[2])
                    .minimise(rows, new double[3], Squares::sum));
    for (Executable each : refused) {
      assertThrows(InvalidInputException.class, each);
    }
    Minimum none = lbfgs.withMaxIterations(0).minimise(rows, new double[] {1, 2, 3}, Squares::sum);
    assertArrayEquals(new double[] {1, 2, 3}, none.x());
    Minimum last =
        lbfgs.withTolerance(0).withMaxIterations(3).minimise(rows, new double[3], Squares::sum);
    assertEquals(3, last.iterations());
  }

  /** The square of the first coefficient, for each row. */
  private static double square(double[] x, List<double[]> rows, double[] gradient) {
    gradient[0] += 2 * x[0] * rows.size();
    return x[0] * x[0] * rows.size();
  }

  /** It has its minimum where it has no gradient. */
  private static double kink(double[] x, List<double[]> rows, double[] gradient) {
    double value = 0;
    for (double[] row : rows) {
      double error = x[0] - row[0];
      value += 7 * Math.abs(x[0]) + error * error / 2;
      gradient[0] += 7 * Math.signum(x[0]) + error;
    }
    return value;
  }

  /** A sum of Rosenbrock's functions, one for each row, which takes many iterations. */
  private static double valleys(double[] x, List<double[]> rows, double[] gradient) {
    double value = 0;
    for (double[] row : rows) {
      for (int i = 0; i + 1 < x.length; i++) {
        double bend = x[i + 1] - x[i] * x[i];
        double scale = 100 + row[0];
        value += scale * bend * bend + (1 - x[i]) * (1 - x[i]);
        gradient[i] += -4 * scale * x[i] * bend - 2 * (1 - x[i]);
        gradient[i + 1] += 2 * scale * bend;
      }
    }
    return value;
  }

  private static List<String> names(Path folder) {
    String[] names = folder.resolve("states").toFile().list((where, name) -> !name.startsWith("."));
    return Arrays.stream(names == null ? new String[0] : names).sorted().toList();
  }
}
