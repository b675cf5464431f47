package org.sparkcollectives.internal.transport;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;

/**
 * How long a rank may go on waiting for a link, and in which slices.
 *
 * @param deadline until when
 * @param cancellation asked before every slice
 * @param rank the rank's name
 * @param doing what it waits for, for messages
 */
public record WaitBudget(Deadline deadline, Cancellation cancellation, String rank, String doing) {
  /** The longest time between two questions for cancellation. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * The next slice.
   *
   * @return nanoseconds to wait before asking again, positive
   * @throws IOException if the thread is interrupted
   * @throws RuntimeException the reason of the cancellation, or that the deadline has passed
   */
  public long slice() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw LinkErrors.interrupted(rank);
    }
    RuntimeException reason = cancellation.reason();
    if (reason != null) {
      throw reason;
    }
    if (deadline.expired()) {
      throw LinkErrors.linkDeadline(doing, deadline.timeout());
    }
    return Math.max(1, Math.min(deadline.remainingNanos(), SLICE_NANOS));
  }
}
