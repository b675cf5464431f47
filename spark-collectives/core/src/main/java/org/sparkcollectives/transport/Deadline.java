package org.sparkcollectives.transport;

import java.time.Duration;

/** A point in time until which something may take; immutable. */
public final class Deadline {
  private final long startNanos;
  private final long timeoutNanos;

  private Deadline(long startNanos, long timeoutNanos) {
    this.startNanos = startNanos;
    this.timeoutNanos = timeoutNanos;
  }

  /**
   * The deadline that is a time span from now.
   *
   * @param timeout the time span, positive
   * @return the deadline
   */
  public static Deadline after(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("a timeout is positive, not " + timeout);
    }
    return new Deadline(System.nanoTime(), timeout.toNanos());
  }

  /**
   * The time left.
   *
   * @return nanoseconds, 0 or less once the deadline has passed
   */
  public long remainingNanos() {
    return timeoutNanos - (System.nanoTime() - startNanos);
  }

  /**
   * Whether no time is left.
   *
   * @return true once the deadline has passed
   */
  public boolean expired() {
    return remainingNanos() <= 0;
  }

  /**
   * The time span that the deadline was made with.
   *
   * @return the time span
   */
  public Duration timeout() {
    return Duration.ofNanos(timeoutNanos);
  }
}
