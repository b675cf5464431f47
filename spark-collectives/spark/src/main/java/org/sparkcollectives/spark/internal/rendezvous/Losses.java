package org.sparkcollectives.spark.internal.rendezvous;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;

/** How many executors Spark has told of that are lost. Thread-safe. */
final class Losses {
  private static final long POLL_MILLIS = 20;

  /**
   * What cluster managers say of an executor that had no memory left: that it ended with Spark's
   * code for it (standalone, YARN, Kubernetes), or that its container had more than it may.
   */
  private static final Pattern OUT_OF_MEMORY =
      Pattern.compile("\\b(?:code|status:?) 52\\b|OutOfMemory|OOMKilled|exceeding \\w* ?memory");

  private long count;
  private long outOfMemory;

  /** Counts one more, for the reason that Spark gives. */
  synchronized void add(@Nullable String reason) {
    count++;
    if (reason != null && OUT_OF_MEMORY.matcher(reason).find()) {
      outOfMemory++;
    }
    notifyAll();
  }

  synchronized long count() {
    return count;
  }

  /** How many of them had no memory left. */
  synchronized long outOfMemory() {
    return outOfMemory;
  }

  /**
   * Waits until there are more.
   *
   * @param known how many there were
   * @param over whether nobody need wait any more
   * @param most how long to wait
   * @throws AbortedException if the thread is interrupted
   */
  synchronized void await(long known, BooleanSupplier over, Duration most) {
    long start = System.nanoTime();
    while (count <= known && !over.getAsBoolean() && System.nanoTime() - start < most.toNanos()) {
      try {
        wait(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AbortedException.interrupted(e);
      }
    }
  }
}
