package org.sparkcollectives;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.ErrorText;

/** The errors of communicators: of their options, their ranks and their end. */
final class CommunicatorErrors {
  private CommunicatorErrors() {}

  /** A timeout that leaves no time. */
  static InvalidInputException timeoutNotPositive(Duration timeout) {
    return InvalidInputException.of(
        "a timeout of " + timeout.toMillis() + " ms leaves no time for any operation",
        "it must be positive",
        "give a longer one (spark.collectives.timeout)");
  }

  /** An operation on a communicator that was closed, or that broke for a reason. */
  static CollectiveException communicatorEnded(String collective, @Nullable Throwable reason) {
    return new CollectiveException(
        ErrorText.of(
            collective + " cannot run",
            reason == null
                ? "the communicator is closed"
                : "the communicator broke in an earlier operation ("
                    + ErrorText.reason(reason)
                    + ")",
            "use a new communicator"),
        reason);
  }

  /** An operation that user code calls in the middle of another one. */
  static InvalidInputException operationInOperation(String collective) {
    return InvalidInputException.of(
        collective + " cannot run",
        "another operation of this rank is under way on the same connections",
        "let no operator and no serializer call a collective");
  }

  /** An operation that a thread calls while another one is in an operation of the same rank. */
  static InvalidInputException inTwoThreads(
      String collective, String rank, String caller, String owner) {
    return InvalidInputException.of(
        collective + " cannot run on " + rank + " in thread '" + caller + "'",
        "thread '" + owner + "' is in an operation on the same connections",
        "let one thread at a time use a communicator and those that are made from it");
  }

  /** A rank whose function threw. */
  static RankFailedException rankFailed(String what, Throwable original) {
    return new RankFailedException(
        ErrorText.of(
            "a rank failed", what, "mend that; the cause of this exception is the original"),
        original);
  }
}
