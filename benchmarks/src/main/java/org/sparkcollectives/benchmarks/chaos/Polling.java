package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for what nothing announces. */
public final class Polling {

  private Polling() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    /**
     * Whether it is so.
     *
     * @return true to wait no longer
     * @throws IOException if that cannot be seen
     */
    boolean holds() throws IOException;
  }

  /**
   * Looks until a condition holds, at least once.
   *
   * @param limit how long at most
   * @param pauseMillis from one look to the next
   * @param condition what to look for
   * @return whether it holds; false where the limit has passed
   * @throws IOException if a look fails, or the thread is interrupted, which stays so
   */
  public static boolean until(Duration limit, long pauseMillis, Condition condition)
      throws IOException {
    long start = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(pauseMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while it waited", e);
      }
    }
    return true;
  }
}
