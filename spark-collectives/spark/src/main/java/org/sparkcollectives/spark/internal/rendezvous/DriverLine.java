package org.sparkcollectives.spark.internal.rendezvous;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.CommunicatorOptions;

/**
 * A rank's line to the driver: what it tells of itself, and what it asks. A rank that has told
 * nothing for a while says that it computes. Thread-safe.
 */
final class DriverLine {
  private static final Logger LOG = LoggerFactory.getLogger(DriverLine.class);
  private static final long REPORT_SECONDS = 5;
  private static final long WATCH_SECONDS = TimeUnit.DAYS.toSeconds(30);

  /**
   * After this time a rank that has told the driver nothing says that it computes. Most come
   * sooner, and some end sooner: they never open a way to the driver.
   */
  static final long SILENT_MILLIS = 1_000;

  private final Attempt attempt;
  private final int partition;
  private final int stage;
  private final long begunNanos;
  private final CompletableFuture<Boolean> heardOf = new CompletableFuture<>();
  private volatile @Nullable ExecutorEndpoint executor;
  private volatile boolean waiting;
  private boolean failed;

  /** The partition that is computed, or -1. */
  private volatile int computing = -1;

  /**
   * Begins with silence.
   *
   * @param attempt the attempt that the rank takes part in
   * @param task its task
   * @param begunNanos when that began, as {@link System#nanoTime}
   */
  DriverLine(Attempt attempt, TaskContext task, long begunNanos) {
    this.attempt = attempt;
    this.partition = task.partitionId();
    this.stage = task.stageId();
    this.begunNanos = begunNanos;
    var unused =
        heardOf
            .completeOnTimeout(false, SILENT_MILLIS, TimeUnit.MILLISECONDS)
            .thenAccept(this::sayComputing);
  }

  /** Says so in a thread of its own: the way to the driver may have to be found first. */
  private void sayComputing(boolean heard) {
    if (heard) {
      return;
    }
    Thread thread = new Thread(this::sayComputing, "spark-collectives-computing");
    thread.setDaemon(true);
    thread.start();
  }

  private void sayComputing() {
    long nanos = waiting ? -1 : System.nanoTime() - begunNanos;
    try {
      executor().tell(new Wire.Computing(attempt.job(), attempt.epoch(), partition, stage, nanos));
    } catch (Exception e) { // also what Scala does not declare: it would end the executor
      LOG.warn("the driver does not hear that rank {} computes", partition, e);
    }
  }

  /** What the ranks of this executor share, from the moment on when one of them needs others. */
  ExecutorEndpoint executor() {
    ExecutorEndpoint known = executor;
    if (known == null) { // a second thread gets the same
      known = ExecutorEndpoint.of(SparkEnv.get(), attempt.conf());
      executor = known;
    }
    return known;
  }

  /** Notes which partition is computed from now on, or -1, for messages. */
  void computing(int next) {
    computing = next;
  }

  /** The driver hears of the rank otherwise, or need not. */
  void hears() {
    heardOf.complete(true);
  }

  /** The rank waits for another one of its process, and computes no longer. */
  void waits() {
    waiting = true;
    if (!heardOf.getNow(true)) {
      sayComputing();
    }
  }

  /**
   * Comes to the rendezvous.
   *
   * @param member the rank, for others
   * @param shapes the vectors that it brings, or null where ranks bring none
   * @param operand the only one of them, serialized, or null
   * @param known who takes part as far as this process knows, or null
   * @return the driver's answer, when all have come
   */
  CompletableFuture<Wire.Reply> join(
      Wire.Member member,
      @Nullable List<Shape> shapes,
      byte @Nullable [] operand,
      @Nullable Members known) {
    long version = known == null ? Members.NONE : known.version();
    Wire.Join join =
        new Wire.Join(
            attempt.job(), attempt.epoch(), partition, stage, member, shapes, operand, version);
    return executor().ask(attempt, join, WATCH_SECONDS);
  }

  /**
   * Asks to hear when the attempt ends, or how long this rank has computed.
   *
   * @param nanos how long it has computed since its last operation, or -1
   * @return the driver's answer, when there is one
   */
  CompletableFuture<Wire.Reply> watch(long nanos) {
    Wire.Watch watch = new Wire.Watch(attempt.job(), attempt.epoch(), partition, nanos);
    return executor().ask(attempt, watch, WATCH_SECONDS);
  }

  /** Asks whether those that the rank has waited for in vain compute. */
  CompletableFuture<Wire.Reply> late() {
    Wire.Late late = new Wire.Late(attempt.job(), attempt.epoch(), partition);
    return executor().ask(attempt, late, REPORT_SECONDS);
  }

  /** Tells which operations the rank has called, and does not wait. */
  void called(List<CommunicatorOptions.Call> calls) {
    Wire.Called message = new Wire.Called(attempt.job(), attempt.epoch(), partition, calls);
    var unused = executor().ask(attempt, message, REPORT_SECONDS);
  }

  /** Tells how far the rank's function is. */
  void progress(String text) {
    executor().tell(new Wire.Progress(attempt.job(), attempt.epoch(), partition, text));
  }

  /** Tells that the rank's function has returned, before others notice. */
  void returned(long operations) {
    executor().tell(new Wire.Returned(attempt.job(), attempt.epoch(), partition, operations));
  }

  /** Tells that the rank has failed, once, and waits until the driver knows. */
  synchronized void failed(Throwable failure) {
    if (failed) {
      return;
    }
    failed = true;
    Wire.Failed message = FailedRank.message(attempt, partition, where(), failure);
    try {
      executor().ask(attempt, message, REPORT_SECONDS).get(REPORT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      failure.addSuppressed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String where() {
    String rank = executor().describe(partition);
    int now = computing;
    return now < 0 || now == partition ? rank : rank + ", partition " + now;
  }
}
