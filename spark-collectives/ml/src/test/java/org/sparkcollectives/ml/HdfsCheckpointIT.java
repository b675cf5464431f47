package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.DoubleStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.ml.regression.FMRegressionModel;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.testing.JavaProcess;

/** Drivers that are killed in a training, whose states are on HDFS. */
@Timeout(600)
class HdfsCheckpointIT {
  private static final String PATH = "spark.collectives.mllib.checkpointPath";

  /** So many that a driver is killed long before. */
  private static final int NEVER = 100_000;

  @TempDir private static java.nio.file.Path folder;

  private static MiniDFSCluster hdfs;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
    hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
  }

  /** A driver that trains until it is killed. */
  public static final class Driver {
    private Driver() {}

    /**
     * Trains.
     *
     * @param arguments the path of the states
     */
    public static void main(String[] arguments) {
      var unused = trained(arguments[0], NEVER, new ArrayList<>());
    }
  }

  @Test
  void aDriverThatStartsAgainGoesOnWhereAnotherWasKilled() throws Exception {
    String path = "hdfs://localhost:" + hdfs.getNameNodePort() + "/states";
    List<String> options = new ArrayList<>();
    options.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+", -1)));
    options.add("-Xmx512m");
    try (JavaProcess driver =
        JavaProcess.start(JavaProcess.command(options, Driver.class, List.of(path)))
            .within(Duration.ofMinutes(5))) {
      while (newest().orElse(0) < 3) {
        assertTrue(driver.isAlive(), "the driver has ended by itself");
        Thread.sleep(10);
      }
    }
    int seen = newest().orElseThrow(); // a rename of the killed one's may come after
    assertTrue(seen < NEVER, "batch " + seen);
    int more = seen + 5;
    List<Integer> resumedAt = new CopyOnWriteArrayList<>();
    double[] actual = trained(path, more, resumedAt);
    int reached = resumedAt.get(0);
    assertTrue(reached == seen || reached == seen + 1, seen + ", then " + resumedAt);
    assertEquals(OptionalInt.of(more), newest());
    double[] expected = trained("", more, resumedAt);
    assertEquals(List.of(reached, 0), resumedAt);
    assertArrayEquals(expected, actual);
  }

  /** The iteration of the newest state of the first training. */
  private static OptionalInt newest() throws IOException {
    FileSystem files = hdfs.getFileSystem();
    Path states = new Path("/states/batches-1");
    if (!files.exists(states)) {
      return OptionalInt.empty();
    }
    return Arrays.stream(files.listStatus(states))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .filter(name -> name.startsWith("state-"))
        .mapToInt(name -> Integer.parseInt(name.substring("state-".length())))
        .max();
  }

  /** Trains in an application of its own. */
  private static double[] trained(String path, int iterations, List<Integer> resumedAt) {
    SparkSession session =
        SparkSession.builder()
            .master("local[2]")
            .appName("states")
            .config("spark.ui.enabled", "false")
            .config(PATH, path)
            .config("spark.collectives.mllib.checkpointInterval", "1")
            .getOrCreate();
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
    try {
      FMRegressor estimator = new FMRegressor();
      estimator.setLabelCol("time").setFactorSize(2).setMiniBatchFraction(0.5).setSeed(1);
      estimator.setTol(0).setMaxIter(iterations);
      FMRegressionModel model = estimator.fit(Examples.of(session, 300, 5, 4));
      return DoubleStream.concat(
              Arrays.stream(model.factors().toArray()), Arrays.stream(model.linear().toArray()))
          .toArray();
    } finally {
      session.stop(); // which waits for listeners
    }
  }
}
