package org.sparkcollectives.testing;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what comes about beside a test's thread, however slow the machine is. */
public final class Await {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 20;

  private Await() {}

  /**
   * Waits until a condition holds, for two minutes at most.
   *
   * @param what what is waited for, in words
   * @param condition looked at every 20 ms
   * @throws AssertionError if it has not come about, or cannot be looked at
   */
  public static void until(String what, Callable<Boolean> condition) {
    until(what, LONGEST, condition);
  }

  /**
   * Waits until a condition holds.
   *
   * @param what what is waited for, in words
   * @param longest for how long at most
   * @param condition looked at every 20 ms
   * @throws AssertionError if it has not come about, or cannot be looked at
   */
  public static void until(String what, Duration longest, Callable<Boolean> condition) {
    long start = System.nanoTime();
    try {
      while (!condition.call()) {
        if (System.nanoTime() - start >= longest.toNanos()) {
          throw new AssertionError("waited in vain for " + what);
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + what, e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("cannot wait for " + what, e);
    }
  }
}
