package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.DoubleStream;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.regression.FMRegressionModel;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/** Drivers that start again, and trainings that go on from a folder. */
@Timeout(240)
class CheckpointIT {
  private static final String PATH = "spark.collectives.mllib.checkpointPath";
  private static final int FEW = 4;
  private static final int MORE = 9;

  @TempDir private Path folder;

  /** From which iteration each training of the last application went on. */
  private final List<Integer> resumedAt = new CopyOnWriteArrayList<>();

  /** Runs a program in an application of its own. */
  private double[] application(
      boolean plugin,
      Path path,
      int iterations,
      BiFunction<Dataset<Row>, Integer, double[]> program)
      throws Exception {
    resumedAt.clear();
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[3]")
            .appName("checkpoints")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .config("spark.collectives.mllib.checkpointInterval", "3");
    if (path != null) {
      builder = builder.config(PATH, path.toUri().toString());
    }
    if (plugin) {
      builder = builder.config("spark.plugins", CollectivesPlugin.class.getName());
    }
    SparkSession session = builder.getOrCreate();
    try {
      session
          .sparkContext()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onOtherEvent(SparkListenerEvent event) {
                  if (event instanceof TrainingEvent training) {
                    resumedAt.add(training.resumedAt);
                  }
                }
              });
      double[] found = program.apply(Examples.of(session, 300, 5, 4), iterations);
      session.sparkContext().listenerBus().waitUntilEmpty(30_000);
      return found;
    } finally {
      session.stop();
    }
  }

  /** Trains, ends the driver, and goes on in another. */
  private void goesOn(
      boolean plugin, String name, BiFunction<Dataset<Row>, Integer, double[]> program)
      throws Exception {
    double[] expected = application(plugin, null, MORE, program);
    assertEquals(List.of(0), resumedAt, name);
    Path path = folder.resolve(name);
    application(plugin, path, FEW, program);
    assertEquals(List.of(0), resumedAt, name);
    double[] actual = application(plugin, path, MORE, program);
    assertEquals(List.of(FEW), resumedAt, name);
    same(expected, actual, name);
  }

  private static void same(double[] expected, double[] actual, String name) {
    double norm = Math.sqrt(DoubleStream.of(expected).map(x -> x * x).sum());
    assertEquals(expected.length, actual.length, name);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], actual[i], 1e-8 * norm, name + ", number " + i);
    }
  }

  private static double[] logistic(
      org.apache.spark.ml.classification.LogisticRegression estimator,
      Dataset<Row> rows,
      int iterations) {
    return estimator.setMaxIter(iterations).setTol(0).fit(rows).coefficients().toArray();
  }

  private static double[] machines(
      org.apache.spark.ml.regression.FMRegressor estimator, Dataset<Row> rows, int iterations) {
    FMRegressionModel model =
        estimator
            .setMaxIter(iterations)
            .setLabelCol("time")
            .setFactorSize(2)
            .setMiniBatchFraction(0.5)
            .setTol(0)
            .setSeed(1)
            .fit(rows);
    return DoubleStream.concat(
            Arrays.stream(model.factors().toArray()), Arrays.stream(model.linear().toArray()))
        .toArray();
  }

  private static double[] clusters(
      org.apache.spark.ml.clustering.KMeans estimator, Dataset<Row> rows, int iterations) {
    KMeansModel model =
        estimator
            .setMaxIter(iterations)
            .setK(12)
            .setSeed(3)
            .setInitMode("random")
            .setTol(0)
            .fit(rows);
    return Arrays.stream(model.clusterCenters())
        .flatMapToDouble(centre -> Arrays.stream(centre.toArray()))
        .toArray();
  }

  @Test
  void estimators() throws Exception {
    goesOn(false, "logistic", (rows, most) -> logistic(new LogisticRegression(), rows, most));
    goesOn(false, "machines", (rows, most) -> machines(new FMRegressor(), rows, most));
    goesOn(false, "k-means", (rows, most) -> clusters(new KMeans(), rows, most));
  }

  @Test
  void mllibWithThePlugin() throws Exception {
    goesOn(
        true,
        "logistic",
        (rows, most) ->
            logistic(new org.apache.spark.ml.classification.LogisticRegression(), rows, most));
    goesOn(
        true,
        "machines",
        (rows, most) -> machines(new org.apache.spark.ml.regression.FMRegressor(), rows, most));
    goesOn(
        true,
        "k-means",
        (rows, most) -> clusters(new org.apache.spark.ml.clustering.KMeans(), rows, most));
  }

  /** Each training of a program has a folder by its number; another program's states do not fit. */
  @Test
  void trainingsOneAfterTheOther() throws Exception {
    Path path = folder.resolve("several");
    BiFunction<Dataset<Row>, Integer, double[]> both =
        (rows, most) -> {
          double[] first = logistic(new LogisticRegression(), rows, most);
          double[] second = machines(new FMRegressor(), rows, most);
          return DoubleStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
        };
    application(false, path, FEW, both);
    assertTrue(Files.isDirectory(path.resolve("training-1")), "first");
    assertTrue(Files.isDirectory(path.resolve("batches-1")), "second");
    double[] actual = application(false, path, MORE, both);
    assertEquals(List.of(FEW, FEW), resumedAt);
    double[] expected = application(false, null, MORE, both);
    same(expected, actual, "both");
    BiFunction<Dataset<Row>, Integer, double[]> other =
        (rows, most) -> machines((FMRegressor) new FMRegressor().setStepSize(0.3), rows, most);
    double[] anew = application(false, path, FEW, other);
    assertEquals(List.of(0), resumedAt);
    same(application(false, null, FEW, other), anew, "another program");
  }

  @Test
  void aThreadHasAFolderOfItsOwn() throws Exception {
    Path path = folder.resolve("thread");
    application(
        false,
        null,
        FEW,
        (rows, most) -> {
          rows.sparkSession().sparkContext().setLocalProperty(PATH, path.toUri().toString());
          return logistic(new LogisticRegression(), rows, most);
        });
    assertTrue(Files.isDirectory(path.resolve("training-1")), "states");
  }
}
