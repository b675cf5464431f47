package org.sparkcollectives.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * What a rank does that waits for something that is due in microseconds: it yields its processor
 * and looks again, instead of going to sleep and being woken.
 *
 * <p>That pays while other ranks or nobody want the processor. If something else computes on it, a
 * yield lasts until that has used up its time slice, milliseconds, while a rank that sleeps is
 * woken at once. So long yields, unless they are rare, end all looks for a while. The first look
 * after it is a probe: if it is long too, the next rest is twice as long.
 */
final class IdleStrategy {
  /** Yields to other ranks, which soon wait themselves, are shorter; a time slice is longer. */
  static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  static final long SHORTEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** So many short yields outweigh a long one. */
  static final int RARE = 100;

  /** So many long yields that nothing outweighs end the looks. */
  static final int MANY = 3;

  private int weight;
  private boolean resting;
  private long restEndNanos;
  private long restNanos = SHORTEST_REST_NANOS;

  /**
   * Yields, where that is worth its while.
   *
   * @param nowNanos the time
   * @return whether to look again; false to go to sleep
   */
  @SuppressWarnings("ThreadPriorityCheck") // a yield saves a wake-up, and nothing relies on it
  boolean idle(long nowNanos) {
    if (isResting(nowNanos)) {
      return false;
    }
    Thread.yield();
    yielded(nowNanos, System.nanoTime());
    return true;
  }

  boolean isResting(long nowNanos) {
    return resting && nowNanos - restEndNanos < 0;
  }

  /** Notes a yield. */
  void yielded(long startNanos, long endNanos) {
    boolean probe = resting;
    resting = false;
    if (endNanos - startNanos < LONG_NANOS) {
      weight = Math.max(0, weight - 1);
      if (probe) {
        restNanos = SHORTEST_REST_NANOS;
      }
      return;
    }
    weight += RARE;
    if (probe) {
      restNanos = Math.min(2 * restNanos, LONGEST_REST_NANOS);
    }
    if (probe || weight > (MANY - 1) * RARE) {
      weight = 0;
      resting = true;
      restEndNanos = endNanos + restNanos;
    }
  }
}
