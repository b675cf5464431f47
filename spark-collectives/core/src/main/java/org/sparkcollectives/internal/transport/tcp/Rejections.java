package org.sparkcollectives.internal.transport.tcp;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.BrokenSeal;

/**
 * Counts the connections that an acceptor cuts off, and warns in the log of strangers, and of
 * connections that cannot be accepted. For the acceptor's thread.
 */
final class Rejections {
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final System.Logger LOG = System.getLogger(Rejections.class.getName());

  private final TransportCounters counters;
  private long lastReportNanos = System.nanoTime() - REPORT_NANOS;
  private long lastExhaustedNanos = lastReportNanos;

  /** How many strangers were cut off since the log has said so. */
  private long unsaid;

  /** What was wrong with the last seal that broke, or with this process; null if nothing was. */
  private @Nullable Throwable lastFailure;

  Rejections(TransportCounters counters) {
    this.counters = counters;
  }

  /**
   * Counts a connection.
   *
   * @param reason why it is cut off
   * @param stranger whether the log is to warn of it
   */
  void count(Rejection reason, boolean stranger) {
    counters.rejected(reason);
    unsaid += stranger ? 1 : 0;
  }

  /** Keeps for the log what has failed, at the caller or here. */
  void failed(Throwable cause) {
    lastFailure = cause;
  }

  /** Warns, once a minute at most, that no connection can be accepted. */
  void exhausted(Throwable cause, long now) {
    if (now - lastExhaustedNanos >= REPORT_NANOS) {
      lastExhaustedNanos = now;
      warn(TcpErrors.notAccepted(cause), cause);
    }
  }

  /** Warns in one line a minute at most, however many have come. */
  void report(long now) {
    Throwable last = lastFailure;
    boolean nothingNew = unsaid == 0 && last == null;
    if (nothingNew || now - lastReportNanos < REPORT_NANOS) {
      return;
    }
    long cutOff = unsaid;
    lastReportNanos = now; // what cannot be said now is not tried again and again
    unsaid = 0;
    lastFailure = null;
    if (cutOff > 0) {
      warn(TcpErrors.rejected(cutOff, counters, last), last instanceof BrokenSeal ? null : last);
    } else if (last != null) {
      warn(TcpErrors.notServed(last), last);
    }
  }

  /**
   * Logs, unless the logger fails: one that writes the time loads files of time zones with its
   * first line, which a process without descriptors cannot, and has no such class ever after.
   */
  private static void warn(String text, @Nullable Throwable cause) {
    try {
      LOG.log(System.Logger.Level.WARNING, text, cause);
    } catch (RuntimeException | Error unsaid) {
      // the acceptor goes on; what it would warn of is counted
    }
  }
}
