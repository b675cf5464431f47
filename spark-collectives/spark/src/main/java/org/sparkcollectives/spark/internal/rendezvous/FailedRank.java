package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import org.apache.spark.shuffle.FetchFailedException;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.CauseChain;

/** What a rank that has failed tells the driver of its exception. */
final class FailedRank {
  private FailedRank() {}

  /**
   * What it tells.
   *
   * @param attempt the attempt that it took part in
   * @param rank the task's partition
   * @param where the rank, for messages
   * @param failure its exception
   */
  static Wire.Failed message(Attempt attempt, int rank, String where, Throwable failure) {
    return new Wire.Failed(
        attempt.job(),
        attempt.epoch(),
        rank,
        where,
        severity(failure),
        text(failure),
        Wire.tryEncode(original(failure)));
  }

  private static Throwable original(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    return failure instanceof RankFailedException && cause != null ? cause : failure;
  }

  private static String text(Throwable failure) {
    return failure instanceof CollectiveException
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }

  private static Wire.Severity severity(Throwable failure) {
    if (failure instanceof DeadlineException) {
      return Wire.Severity.DEADLINE;
    }
    if (fetchFailed(failure)) {
      return Wire.Severity.INPUT_LOST;
    }
    boolean connection =
        failure instanceof RankFailedException && failure.getCause() instanceof IOException;
    return connection ? Wire.Severity.MAYBE_CONSEQUENCE : Wire.Severity.CAUSE;
  }

  /** Whether a fetch failed, also where user code has thrown another exception on account of it. */
  private static boolean fetchFailed(Throwable failure) {
    return CauseChain.find(failure, FetchFailedException.class::isInstance).isPresent();
  }
}
