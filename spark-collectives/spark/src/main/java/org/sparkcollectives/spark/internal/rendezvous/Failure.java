package org.sparkcollectives.spark.internal.rendezvous;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;

/**
 * Why an attempt failed.
 *
 * @param where the rank that failed, with host and executor; the job where it was no rank
 * @param text the reason in words
 * @param exception what the driver's caller is to see
 * @param retryable whether another attempt may succeed
 */
public record Failure(String where, String text, RuntimeException exception, boolean retryable) {

  /** A failure that the driver itself found. */
  static Failure found(String where, RuntimeException exception, boolean retryable) {
    return new Failure(where, String.valueOf(exception.getMessage()), exception, retryable);
  }

  /** A failure that a rank has told. */
  static Failure told(String operation, Wire.Failed failed) {
    Throwable original = Wire.tryDecode(failed.exception());
    boolean retryable =
        failed.severity() == Wire.Severity.MAYBE_CONSEQUENCE
            || failed.severity() == Wire.Severity.INPUT_LOST;
    return new Failure(
        failed.where(),
        failed.text(),
        forCaller(operation, failed.where(), failed.text(), original),
        retryable);
  }

  /** The same deadline, with the ranks that all others waited for. */
  Failure waitingFor(String operation, List<String> ranks) {
    if (ranks.isEmpty()) {
      return this;
    }
    DeadlineException named = RendezvousErrors.ranksAbsent(operation, ranks, exception);
    return new Failure(where, String.valueOf(named.getMessage()), named, false);
  }

  private static RuntimeException forCaller(
      String operation, String where, String text, @Nullable Throwable original) {
    if (original instanceof InvalidInputException) {
      return new InvalidInputException(String.valueOf(original.getMessage()), original);
    } else if (original instanceof DeadlineException) {
      return new DeadlineException(String.valueOf(original.getMessage()), original);
    }
    if (original instanceof CollectiveException) {
      Throwable cause = original.getCause();
      return RendezvousErrors.rankTold(operation, where, text, cause == null ? original : cause);
    }
    return RendezvousErrors.rankFailed(
        operation, where, text, original == null ? new IllegalStateException(text) : original);
  }
}
