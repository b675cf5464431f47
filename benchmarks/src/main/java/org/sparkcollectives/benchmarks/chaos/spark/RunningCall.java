package org.sparkcollectives.benchmarks.chaos.spark;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** A call in a thread of its own, whose jobs are one group of Spark's. */
final class RunningCall {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final CountDownLatch ended = new CountDownLatch(1);
  private final long start = System.nanoTime();
  private final String group = "chaos " + NUMBER.incrementAndGet();
  private final Thread thread;
  private volatile boolean reading;
  private volatile long endNanos;
  private volatile @Nullable Throwable failure;

  private RunningCall(JavaSparkContext context, ClusterCall call, ClusterInput input) {
    thread =
        new Thread(
            () -> {
              try {
                context.setJobGroup(group, call.slug(), false);
                call.run(input, () -> reading = true);
              } catch (Throwable e) {
                failure = e;
              } finally {
                endNanos = System.nanoTime();
                ended.countDown();
              }
            },
            group);
    thread.setDaemon(true);
  }

  /** Makes a call. */
  static RunningCall begin(JavaSparkContext context, ClusterCall call, ClusterInput input) {
    RunningCall running = new RunningCall(context, call, input);
    running.thread.start();
    return running;
  }

  /**
   * Waits for its end.
   *
   * @return whether it has ended in time
   */
  boolean await(long nanos) throws IOException {
    try {
      return ended.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a call runs", e);
    }
  }

  /** Interrupts the thread that has made it. */
  void interrupt() {
    thread.interrupt();
  }

  /** The group of its jobs. */
  String group() {
    return group;
  }

  /** Whether it has ended. */
  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Whether the library was done with it. */
  boolean isReading() {
    return reading;
  }

  /** How long it took; when it has ended. */
  long nanos() {
    return endNanos - start;
  }

  /** What it threw; null if its result was right, or is not there yet. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Where its thread is. */
  String place() {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length == 0 ? "nowhere" : stack[0] + " ... " + stack[stack.length / 2];
  }
}
