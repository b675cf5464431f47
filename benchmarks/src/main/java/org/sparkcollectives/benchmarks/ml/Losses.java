package org.sparkcollectives.benchmarks.ml;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.sparkcollectives.benchmarks.report.TemporaryFolder;
import org.sparkcollectives.benchmarks.spark.Fingerprint;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/**
 * Trainings by the library's estimator of which each loses an executor at a random time: while rows
 * are read and summed up, in an iteration, or just when it has ended. Each is to bring the model of
 * a training that lost none.
 */
final class Losses {
  private static final long RETURN_SECONDS = 120;

  /** A loss comes so late at most, in times of an undisturbed training. */
  static final double LATEST = 1.1;

  /** Of a training before each loss, in which an executor that is new loads what it needs. */
  private static final int FIRST_ITERATIONS = 2;

  private final SparkSession session;
  private final int executors;
  private final Consumer<String> progress;
  private final AtomicInteger removed = new AtomicInteger();
  private final TrainingEvents trainings;

  /** A model's bits, and how long its training took. */
  private record Fitted(String bits, double millis) {}

  /**
   * No losses yet.
   *
   * @param session the application
   * @param executors how many executors it has
   * @param progress takes a line whenever a training has ended
   */
  Losses(SparkSession session, int executors, Consumer<String> progress) {
    this.session = session;
    this.executors = executors;
    this.progress = progress;
    this.trainings = TrainingEvents.of(session.sparkContext());
    session
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
                removed.incrementAndGet();
              }
            });
  }

  /**
   * Trains as often as executors are to be lost.
   *
   * @param setting what is trained, on what
   * @param iterations how many of a training at most
   * @param losses how many executors are lost, at least one
   * @param seed where the random numbers start
   */
  Disturbed of(Setting setting, int iterations, int losses, long seed)
      throws IOException, InterruptedException, TimeoutException {
    SplittableRandom random = new SplittableRandom(seed);
    int partitions = setting.partitions();
    Dataset<Row> data = setting.problem().cached(session, partitions, seed);
    try {
      String expected = fitted(data, setting, iterations).bits;
      Fitted again = fitted(data, setting, iterations);
      Disturbed.Undisturbed undisturbed =
          new Disturbed.Undisturbed(again.millis, expected.equals(again.bits));
      progress.accept(setting + ", undisturbed: " + undisturbed);
      List<Disturbed.Loss> lost = new ArrayList<>();
      for (int i = 0; i < losses; i++) {
        setting.model().fit(data, setting.problem(), true, FIRST_ITERATIONS);
        long delay = (long) (random.nextDouble() * LATEST * again.millis);
        Fitted survivor = survivor(data, setting, random.nextInt(partitions), delay, iterations);
        TrainingEvent training = trainings.last().orElseThrow();
        Disturbed.Loss loss =
            new Disturbed.Loss(
                delay,
                training.resumedAt,
                training.iterations,
                survivor.millis,
                expected.equals(survivor.bits));
        lost.add(loss);
        progress.accept(loss.toString());
      }
      Disturbed disturbed = new Disturbed(setting, executors, undisturbed, lost);
      progress.accept(setting + ": " + disturbed.sum());
      return disturbed;
    } finally {
      data.unpersist(true);
    }
  }

  /** Trains, and loses an executor meanwhile, which has been replaced when this returns. */
  private Fitted survivor(
      Dataset<Row> data, Setting setting, int partition, long delayMillis, int iterations)
      throws IOException, InterruptedException, TimeoutException {
    int before = removed.get();
    try (TemporaryFolder folder = TemporaryFolder.of("training-losses")) {
      String armed = folder.path().resolve("armed").toString();
      Dataset<Row> mined =
          session.createDataFrame(
              data.toJavaRDD()
                  .<Row>mapPartitionsWithIndex(
                      (index, rows) -> mined(index, rows, partition, armed, delayMillis), true),
              data.schema());
      Fitted survivor = fitted(mined, setting, iterations);
      await(() -> removed.get() > before, "no executor was lost");
      await(() -> active() == executors, "the executor did not return");
      return survivor;
    }
  }

  private Fitted fitted(Dataset<Row> rows, Setting setting, int iterations) {
    long begun = System.nanoTime();
    Model.Fit fit = setting.model().fit(rows, setting.problem(), true, iterations);
    double millis = (System.nanoTime() - begun) / 1e6;
    return new Fitted(Fingerprint.of(fit.coefficients().get()), millis);
  }

  /** Rows of a partition, reading which ends the process some time later, once. */
  private static Iterator<Row> mined(
      int index, Iterator<Row> rows, int partition, String marker, long delayMillis)
      throws IOException {
    if (index == partition && new File(marker).createNewFile()) {
      Thread end =
          new Thread(
              () -> {
                try {
                  Thread.sleep(delayMillis);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                Runtime.getRuntime().halt(1);
              },
              "end");
      end.setDaemon(true);
      end.start();
    }
    return rows;
  }

  private int active() {
    return session.sparkContext().getExecutorMemoryStatus().size() - 1; // and the driver
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition, String otherwise) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RETURN_SECONDS);
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(otherwise + " within " + RETURN_SECONDS + " s");
      }
      Thread.sleep(50);
    }
  }
}
