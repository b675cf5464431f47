package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.DoubleStream;
import org.apache.hadoop.fs.LocalFileSystem;
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
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.JavaProcess;

/** Drivers that start again, and trainings that go on from a folder. */
@Timeout(240)
class CheckpointIT {
  private static final String PATH = "spark.collectives.mllib.checkpointPath";
  private static final int FEW = 4;
  private static final int MORE = 9;

  /** After how many iterations a state is written. */
  private static final int INTERVAL = 3;

  @TempDir private Path folder;

  /** From which iteration each training of the last application went on. */
  private final List<Integer> resumedAt = new CopyOnWriteArrayList<>();

  /** Trains with rows, at most so many iterations, and tells what it has found. */
  private interface Training extends BiFunction<Dataset<Row>, Integer, double[]> {}

  /** Runs trainings, one after the other, in an application of their own. */
  private List<double[]> application(
      boolean plugin, Path path, int iterations, List<Training> trainings) throws Exception {
    resumedAt.clear();
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[3]")
            .appName("checkpoints")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .config("spark.collectives.mllib.checkpointInterval", INTERVAL);
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
      Dataset<Row> rows = Examples.of(session, 300, 5, 4);
      List<double[]> found = new ArrayList<>();
      for (Training each : trainings) {
        found.add(each.apply(rows, iterations));
      }
      session.sparkContext().listenerBus().waitUntilEmpty(30_000);
      return found;
    } finally {
      session.stop();
    }
  }

  /** Trains, ends the driver, and goes on in another. */
  private void goOn(boolean plugin, List<Training> trainings) throws Exception {
    int all = trainings.size();
    List<double[]> expected = application(plugin, null, MORE, trainings);
    assertEquals(Collections.nCopies(all, 0), resumedAt);
    Path path = folder.resolve("states");
    application(plugin, path, FEW, trainings);
    assertEquals(Collections.nCopies(all, 0), resumedAt);
    List<double[]> actual = application(plugin, path, MORE, trainings);
    assertEquals(Collections.nCopies(all, FEW), resumedAt);
    same(expected, actual);
  }

  /** Of the same bits. */
  private static void same(List<double[]> expected, List<double[]> actual) {
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), actual.get(i), "training " + i);
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
    goOn(
        false,
        List.of(
            (rows, most) -> logistic(new LogisticRegression(), rows, most),
            (rows, most) -> machines(new FMRegressor(), rows, most),
            (rows, most) -> clusters(new KMeans(), rows, most)));
  }

  @Test
  void mllibWithThePlugin() throws Exception {
    goOn(
        true,
        List.of(
            (rows, most) ->
                logistic(new org.apache.spark.ml.classification.LogisticRegression(), rows, most),
            (rows, most) -> machines(new org.apache.spark.ml.regression.FMRegressor(), rows, most),
            (rows, most) -> clusters(new org.apache.spark.ml.clustering.KMeans(), rows, most)));
  }

  /** A program of two trainings, of which the second is not through when its driver is halted. */
  public static final class Halted {
    private Halted() {}

    /**
     * Trains.
     *
     * @param arguments the folder
     * @throws Exception if a training fails
     */
    public static void main(String[] arguments) throws Exception {
      CheckpointIT driver = new CheckpointIT();
      driver.folder = Path.of(arguments[0]);
      driver.application(false, driver.folder.resolve("states"), MORE, WHOLE_AND_DIVIDED);
    }
  }

  private static final List<Training> WHOLE_AND_DIVIDED =
      List.of(
          (rows, most) ->
              new LinearSVC().setMaxIter(most).setTol(0).fit(rows).coefficients().toArray(),
          (rows, most) -> {
            rows.sparkSession()
                .sparkContext()
                .setLocalProperty("spark.collectives.mllib.vectors", "divided");
            return logistic(new LogisticRegression(), rows, most);
          });

  /** Local files, of which one does not get its name: the second state of the second training. */
  public static final class Halting extends LocalFileSystem {
    @Override
    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
        throws IOException {
      if (to.toString().contains("training-2/state-00000000" + 2 * INTERVAL)) {
        Runtime.getRuntime().halt(1);
      }
      return super.rename(from, to);
    }
  }

  @Test
  void aDriverThatStartsAgainGoesOnWhereAnotherWasHalted() throws Exception {
    List<String> options = // with those of this JVM BLAS is the same, and so are bits
        new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.removeIf(option -> option.startsWith("-javaagent"));
    options.add("-Dspark.hadoop.fs.file.impl=" + Halting.class.getName());
    options.add("-Dspark.hadoop.fs.file.impl.disable.cache=true");
    List<String> command = JavaProcess.command(options, Halted.class, List.of(folder.toString()));
    try (JavaProcess driver = JavaProcess.start(command)) {
      Await.until("the end of the driver", () -> !driver.isAlive());
    }
    Path path = folder.resolve("states");
    List<double[]> actual = application(false, path, MORE, WHOLE_AND_DIVIDED);
    assertEquals(List.of(MORE, INTERVAL), resumedAt);
    List<double[]> expected = application(false, null, MORE, WHOLE_AND_DIVIDED);
    assertEquals(List.of(0, 0), resumedAt);
    same(expected, actual);
  }

  /** Each training of a program has a folder by its number; another program's states do not fit. */
  @Test
  void trainingsOneAfterTheOther() throws Exception {
    Path path = folder.resolve("several");
    Training machines = (rows, most) -> machines(new FMRegressor(), rows, most);
    Training others =
        (rows, most) -> machines((FMRegressor) new FMRegressor().setStepSize(0.3), rows, most);
    application(false, path, FEW, List.of(machines, others));
    assertTrue(Files.isDirectory(path.resolve("batches-1")), "first");
    assertTrue(Files.isDirectory(path.resolve("batches-2")), "second");
    List<double[]> expected = application(false, path, FEW, List.of(machines, others));
    assertEquals(List.of(FEW, FEW), resumedAt);
    List<double[]> anew = application(false, path, FEW, List.of(others));
    assertEquals(List.of(0), resumedAt);
    same(expected.subList(1, 2), anew);
  }

  @Test
  void aThreadHasAFolderOfItsOwn() throws Exception {
    Path path = folder.resolve("thread");
    application(
        false,
        null,
        FEW,
        List.of(
            (rows, most) -> {
              rows.sparkSession().sparkContext().setLocalProperty(PATH, path.toUri().toString());
              return logistic(new LogisticRegression(), rows, most);
            }));
    assertTrue(Files.isDirectory(path.resolve("training-1")), "states");
  }
}
