package org.sparkcollectives.internal.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.internal.text.Counted;

/** The messages about operations that fail while they run, in the form of {@link ErrorText}. */
final class EngineErrors {
  private EngineErrors() {}

  /**
   * A connection that broke in the middle of an operation.
   *
   * @param operation what was under way
   * @param rank the rank that noticed
   * @param during what it was doing, with round and peer
   * @param original the exception
   * @return the exception
   */
  static RankFailedException operationBroken(
      String operation, String rank, String during, Throwable original) {
    return new RankFailedException(
        ErrorText.of(
            operation + " broke off on " + rank + " " + during,
            ErrorText.reason(original),
            "look at that rank's log for why it ended; the communicator cannot be used any more"),
        original);
  }

  /**
   * Two ranks of one communicator that do different operations.
   *
   * @param rank the rank that noticed
   * @param operation what it does
   * @param peer the other rank
   * @param peersOperation what that one does
   * @param original the exception, or null
   * @return the exception
   */
  static InvalidInputException differentOperation(
      String rank,
      String operation,
      String peer,
      String peersOperation,
      @Nullable Throwable original) {
    return new InvalidInputException(
        ErrorText.of(
            rank + " and " + peer + " do different operations",
            "the first does " + operation + ", the second " + peersOperation,
            "let all ranks call the same collectives in the same order, with vectors of one length"
                + " (or parts whose lengths all ranks give as counts) and type, the same root and"
                + " the same algorithm"),
        original);
  }

  /**
   * A rank that has ended although another one has called more operations.
   *
   * @param rank the rank that has ended
   * @param operations how many it has called
   * @param other the other one
   * @param number which operation that one has called, from 1 on
   * @param operation what it is
   * @return the exception
   */
  static InvalidInputException endedBefore(
      String rank, long operations, String other, long number, String operation) {
    return InvalidInputException.of(
        rank + " has returned without what others have called",
        "it was in "
            + Counted.of(operations, "operation")
            + ", and "
            + other
            + " has called number "
            + number
            + ", "
            + operation,
        "let every rank call the same collectives in the same order before its function returns");
  }

  /**
   * User code that threw while operands were combined or shipped.
   *
   * @param operation what was under way
   * @param rank the rank on which it threw
   * @param operator the operator's name
   * @param original what it threw
   * @return the exception
   */
  static RankFailedException operatorThrew(
      String operation, String rank, String operator, Throwable original) {
    if (original instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    // An IOException that is the cause itself tells of a link that broke.
    Throwable cause = original instanceof IOException io ? new UncheckedIOException(io) : original;
    return new RankFailedException(
        ErrorText.of(
            operation + " failed on " + rank,
            "'" + operator + "' threw " + original,
            "mend the operator or its input; the communicator cannot be used any more"),
        cause);
  }

  /**
   * An operation that did not end in time.
   *
   * @param operation what was under way
   * @param rank the rank that waited
   * @param during what it was doing, with round and peer
   * @param timeout how long it was given
   * @param original the exception, or null
   * @return the exception
   */
  static DeadlineException deadline(
      String operation,
      String rank,
      String during,
      Duration timeout,
      @Nullable Throwable original) {
    return new DeadlineException(
        ErrorText.of(
            operation + " did not end within " + timeout.toMillis() + " ms on " + rank,
            "it waited " + during,
            "see whether that rank calls the same collective and is alive, or raise the timeout"
                + " (spark.collectives.timeout in Spark, withTimeout of the options elsewhere)"),
        original);
  }
}
