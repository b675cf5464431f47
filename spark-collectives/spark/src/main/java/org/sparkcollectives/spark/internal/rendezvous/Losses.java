package org.sparkcollectives.spark.internal.rendezvous;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.sparkcollectives.error.AbortedException;

/** How many executors Spark has told of that are lost. Thread-safe. */
final class Losses {
  private static final long POLL_MILLIS = 20;

  private long count;

  /** Counts one more. */
  synchronized void add() {
    count++;
    notifyAll();
  }

  synchronized long count() {
    return count;
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
