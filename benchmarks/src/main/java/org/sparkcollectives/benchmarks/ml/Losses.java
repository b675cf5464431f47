package org.sparkcollectives.benchmarks.ml;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
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
  private static final double LATEST = 1.1;

  /** Of a training before each loss, in which an executor that is new loads what it needs. */
  private static final int FIRST_ITERATIONS = 2;

  private final SparkSession session;
  private final Model model;
  private final int executors;
  private final Consumer<String> progress;
  private final AtomicInteger removed = new AtomicInteger();
  private final TrainingEvents trainings;

  Losses(SparkSession session, Model model, int executors, Consumer<String> progress) {
    this.session = session;
    this.model = model;
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
   * Trains on a problem as often as executors are to be lost.
   *
   * @return how many of the models have other bits than that of an undisturbed training
   */
  int count(TrainingSet problem, int partitions, int iterations, int losses, long seed)
      throws IOException, InterruptedException, TimeoutException {
    SplittableRandom random = new SplittableRandom(seed);
    Dataset<Row> data = problem.cached(session, partitions, seed);
    int wrong = 0;
    try {
      String expected = fingerprint(data, problem, iterations);
      long begun = System.nanoTime();
      boolean repeated = expected.equals(fingerprint(data, problem, iterations));
      double millis = (System.nanoTime() - begun) / 1e6;
      progress.accept(
          String.format(
              Locale.ROOT,
              "%s, undisturbed: %.0f ms, %s",
              problem.name(),
              millis,
              repeated ? "twice the same bits" : "twice, other bits"));
      List<Integer> resumed = new ArrayList<>();
      for (int i = 0; i < losses; i++) {
        model.fit(data, problem, true, FIRST_ITERATIONS);
        long delay = (long) (random.nextDouble() * LATEST * millis);
        boolean same =
            survives(data, problem, random.nextInt(partitions), delay, expected, iterations);
        wrong += same ? 0 : 1;
        TrainingEvent training = trainings.last().orElseThrow();
        resumed.add(training.resumedAt);
        progress.accept(
            String.format(
                Locale.ROOT,
                "executor lost after %d ms: %s, resumed at iteration %d of %d, %.0f ms",
                delay,
                same ? "the same bits" : "OTHER BITS",
                training.resumedAt,
                training.iterations,
                training.millis));
      }
      progress.accept(
          String.format(
              Locale.ROOT,
              "%s: %d of %d trainings that lost an executor brought the same bits; %d went on from"
                  + " a state that was kept",
              problem.name(),
              losses - wrong,
              losses,
              resumed.stream().filter(iteration -> iteration > 0).count()));
    } finally {
      data.unpersist(true);
    }
    return wrong;
  }

  private boolean survives(
      Dataset<Row> data,
      TrainingSet problem,
      int partition,
      long delayMillis,
      String expected,
      int iterations)
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
      String actual = fingerprint(mined, problem, iterations);
      await(() -> removed.get() > before, "no executor was lost");
      await(() -> active() == executors, "the executor did not return");
      return expected.equals(actual);
    }
  }

  /** The bits of what a training finds. */
  private String fingerprint(Dataset<Row> rows, TrainingSet problem, int iterations) {
    return Fingerprint.of(model.fit(rows, problem, true, iterations).coefficients().get());
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
