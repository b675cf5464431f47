package org.sparkcollectives.transport;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A point in time until which something may take. Once it has passed, who has made it may put it
 * off. For the thread that waits.
 */
public final class Deadline {
  private final long timeoutNanos;
  private final BooleanSupplier again;
  private final long madeNanos;
  private long startNanos;

  private Deadline(long timeoutNanos, BooleanSupplier again) {
    this.timeoutNanos = timeoutNanos;
    this.again = again;
    this.madeNanos = System.nanoTime();
    this.startNanos = madeNanos;
  }

  /**
   * The deadline that is a time span from now.
   *
   * @param timeout the time span, positive
   * @return the deadline
   */
  public static Deadline after(Duration timeout) {
    return after(timeout, () -> false);
  }

  /**
   * The deadline that is a time span from now, or later.
   *
   * @param timeout the time span, positive
   * @param again asked whenever the deadline has passed: true puts it off by the time span from
   *     then
   * @return the deadline
   */
  public static Deadline after(Duration timeout, BooleanSupplier again) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("a timeout is positive, not " + timeout);
    }
    return new Deadline(nanos(timeout), again);
  }

  /** At most 292 years, which is the longest that nanoseconds can say. */
  private static long nanos(Duration time) {
    try {
      return time.toNanos();
    } catch (ArithmeticException tooLong) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * The time left.
   *
   * @return nanoseconds, 0 or less once the deadline has passed, as long as it is not put off
   */
  public long remainingNanos() {
    return timeoutNanos - (System.nanoTime() - startNanos);
  }

  /**
   * Whether no time is left.
   *
   * @return true once the deadline has passed and is not put off
   */
  public boolean expired() {
    return expired(System.nanoTime());
  }

  /**
   * Whether no time is left at a moment, for those who have just looked at the clock.
   *
   * @param nowNanos what {@link System#nanoTime()} has said
   * @return true once the deadline has passed and is not put off
   */
  public boolean expired(long nowNanos) {
    if (nowNanos - startNanos < timeoutNanos) {
      return false;
    }
    if (!again.getAsBoolean()) {
      return true;
    }
    startNanos = System.nanoTime();
    return false;
  }

  /**
   * When the deadline was made, for those who would look at the clock at the same moment.
   *
   * @return what {@link System#nanoTime()} said then
   */
  public long madeNanos() {
    return madeNanos;
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
