package org.sparkcollectives;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Schedule;

/** The errors of communicators: of their options, their ranks and their end. */
final class CommunicatorErrors {
  private CommunicatorErrors() {}

  /** A timeout that leaves no time. */
  static InvalidInputException timeoutNotPositive(Duration timeout) {
    return InvalidInputException.of(
        "a timeout of " + timeout.toMillis() + " ms leaves no time for any operation",
        "it must be positive",
        "give a longer one (spark.collectives.timeout in Spark, withTimeout of the options"
            + " elsewhere)");
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

  /** An operation whose communicator was ended while it ran. */
  static AbortedException brokenOff(Collective collective, Throwable reason, Throwable failure) {
    AbortedException error =
        new AbortedException(
            ErrorText.of(
                collective.slug() + " was broken off",
                "its communicator was ended meanwhile (" + ErrorText.reason(reason) + ")",
                "use a new communicator once that is mended"),
            reason);
    error.addSuppressed(failure);
    return error;
  }

  /** A schedule of the caller's own for another rank, or for another number of ranks. */
  static InvalidInputException scheduleOfAnother(Schedule schedule, int rank, int size) {
    return InvalidInputException.of(
        "the schedule '" + schedule.algorithm() + "' cannot run on rank " + rank + " of " + size,
        "it is that of rank " + schedule.rank() + " of " + schedule.problem().size(),
        "give each rank its own schedule, for as many ranks as the communicator has");
  }

  /** A schedule of the caller's own of which something is impossible. */
  static InvalidInputException scheduleImpossible(Schedule schedule, String cause) {
    return InvalidInputException.of(
        "the schedule '" + schedule.algorithm() + "' cannot run",
        cause,
        "let Verifier say whether schedules are right before they run");
  }

  /** A schedule of the caller's own that combines, without an operator to combine by. */
  static InvalidInputException scheduleWithoutOperator(Schedule schedule) {
    return InvalidInputException.of(
        "the schedule '" + schedule.algorithm() + "' cannot run without an operator",
        "it combines operands",
        "give the operator, as all ranks must");
  }

  /**
   * A schedule of the caller's own that may combine out of rank order, for an operator in order.
   */
  static InvalidInputException scheduleReorders(Schedule schedule, String operator) {
    return InvalidInputException.of(
        "the schedule '" + schedule.algorithm() + "' cannot use the operator '" + operator + "'",
        "the operator is not declared commutative and the schedule's problem lets operands be"
            + " combined in any order",
        "make the schedule for an ordered problem, or declare the operator commutative if it is");
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

  /** A rank whose function threw, of the user's or what the library explains. */
  static RankFailedException rankFailed(String rank, Throwable original) {
    return new RankFailedException(
        original instanceof CollectiveException explained
            ? rank + " failed: " + explained.getMessage()
            : ErrorText.of(
                rank + " failed",
                original.toString(),
                "mend that; the cause of this exception is the original"),
        original);
  }
}
