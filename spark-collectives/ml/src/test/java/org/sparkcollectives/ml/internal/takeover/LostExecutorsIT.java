package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.LogLines;
import org.sparkcollectives.testing.SharedCluster;

/** Calls that lose an executor at each attempt, whoever tells of it first. */
@Timeout(240)
class LostExecutorsIT {
  static final int EXECUTORS = 3; // one more than ranks: a second attempt does not wait
  private static final int ATTEMPTS = 2;
  private static JavaSparkContext context;

  /** When an executor ends. */
  enum Moment {
    /** Before its rank has come, so that Spark alone knows. */
    AS_ROWS_ARE_READ,
    /** When ranks have met, so that the driver sees a rank's process go. */
    AS_RANKS_COMBINE
  }

  /** A sum that is large enough to be worth a job of the library. */
  private static final class Sum implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final double[] numbers = new double[20_000];

    Sum add(double more) {
      numbers[0] += more;
      return this;
    }
  }

  @BeforeAll
  static void start() {
    SparkConf conf =
        SharedCluster.get()
            .conf("lost", EXECUTORS, 1, "512m")
            .set("spark.collectives.retries", String.valueOf(ATTEMPTS - 1))
            .set("spark.plugins", CollectivesPlugin.class.getName());
    context = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  /** The application's. */
  static JavaSparkContext context() {
    return context;
  }

  /** Here, since executors take longer to start than to train. */
  @Nested
  class Topics extends TopicCases {}

  /** Ends the executor, once for each attempt of the library and not when Spark computes anew. */
  private static void halt(String folder) {
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!SparkEnv.get().executorId().equals("driver")
            && new File(folder, "halted" + attempt).createNewFile()) {
          Runtime.getRuntime().halt(1);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double sum(String folder, Moment halting) {
    JavaRDD<Integer> numbers = context.parallelize(List.of(1, 2), 2);
    Sum sum =
        numbers.treeAggregate(
            new Sum(),
            (part, i) -> {
              if (halting == Moment.AS_ROWS_ARE_READ && i == 2) {
                halt(folder);
              }
              return part.add(i);
            },
            (a, b) -> {
              boolean ofRanks = a.numbers[0] > 0; // no zero
              if (halting == Moment.AS_RANKS_COMBINE && ofRanks) {
                halt(folder);
              }
              return a.add(b.numbers[0]);
            });
    return sum.numbers[0];
  }

  @ParameterizedTest
  @EnumSource
  void aWarningSaysSoAndLaterCallsAreTakenOver(Moment halting, @TempDir Path folder)
      throws InterruptedException {
    ExecutorPlaces.awaitAll(context, EXECUTORS);
    Counts counts = MllibExtension.counts();
    long taken = counts.objects();
    long left = counts.leftToSpark();
    try (LogLines log = new LogLines(Failures.class.getName())) {
      assertEquals(3, sum(folder.toString(), halting));
      assertTrue(folder.resolve("halted" + (ATTEMPTS - 1)).toFile().exists(), "halted");
      assertEquals(1, counts.leftToSpark() - left);
      assertEquals(1, log.lines().size(), log.lines()::toString);
      String line = log.lines().get(0);
      assertTrue(line.startsWith("WARN A call of MLlib is computed by Spark's own code"), line);
      assertTrue(line.contains("executors, connections or outputs of shuffles were lost"), line);
      assertTrue(line.contains("failed at each of " + ATTEMPTS + " attempts: 1) "), line);

      ExecutorPlaces.awaitAll(context, EXECUTORS);
      assertEquals(3, sum(folder.toString(), halting));
      assertEquals(1, counts.objects() - taken, counts::toString);
      assertEquals(1, log.lines().size(), log.lines()::toString);
    }
  }

  /** As in a run in which nothing is lost, so that each finds its own states when all run again. */
  @Test
  void aTrainingThatFallsBackHasOneNumber(@TempDir Path folder, @TempDir Path states)
      throws InterruptedException {
    ExecutorPlaces.awaitAll(context, EXECUTORS);
    String halting = folder.toString();
    SparkSession session = SparkSession.builder().sparkContext(context.sc()).getOrCreate();
    Dataset<Row> rows =
        session.createDataFrame(
            context
                .parallelize(List.of(1, 2, 3, 4), 2)
                .map(
                    i -> {
                      if (i == 4) {
                        halt(halting);
                      }
                      return RowFactory.create(i % 2.0, Vectors.dense(i, i * i));
                    }),
            new StructType().add("label", "double").add("features", SQLDataTypes.VectorType()));
    LogisticRegression estimator = new LogisticRegression().setRegParam(0.1).setMaxIter(3);
    context.setLocalProperty("spark.collectives.mllib.checkpointPath", states.toUri().toString());
    try {
      LogisticRegressionModel first = estimator.fit(rows);
      assertTrue(folder.resolve("halted" + (ATTEMPTS - 1)).toFile().exists(), "halted");
      ExecutorPlaces.awaitAll(context, EXECUTORS);
      LogisticRegressionModel second = estimator.fit(rows);
      assertArrayEquals(first.coefficients().toArray(), second.coefficients().toArray(), 1e-6);
      assertEquals(
          Set.of("training-1-loop", "training-2"), Set.of(requireNonNull(states.toFile().list())));
    } finally {
      context.setLocalProperty("spark.collectives.mllib.checkpointPath", null);
    }
  }
}
