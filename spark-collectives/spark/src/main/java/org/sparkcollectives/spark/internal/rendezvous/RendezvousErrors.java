package org.sparkcollectives.spark.internal.rendezvous;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.spark.internal.conf.Encryption;

/** The messages about ranks that meet, and that fail. */
public final class RendezvousErrors {
  private static final int NAMED = 10;

  private RendezvousErrors() {}

  /**
   * Vectors of different lengths or types.
   *
   * @param operation what was asked for
   * @param partitions a description of each partition's vector, such as {@code partition 3 has 5
   *     doubles}
   * @return the exception
   */
  public static InvalidInputException shapesDiffer(String operation, List<String> partitions) {
    int more = partitions.size() - NAMED;
    String named = String.join(", ", partitions.subList(0, Math.min(NAMED, partitions.size())));
    return InvalidInputException.of(
        operation + " cannot combine vectors of different lengths or types",
        more > 0 ? named + " and so on for " + more + " more" : named,
        "give all vectors of the RDD one type, and one length where they are combined");
  }

  /**
   * Elements of different classes that stand for vectors of the same type and length.
   *
   * @param operation what was asked for
   * @return the exception
   */
  static InvalidInputException formsDiffer(String operation) {
    return InvalidInputException.of(
        operation + " cannot combine elements of different classes",
        "some partitions hold primitive arrays, others objects that stand for such",
        "give all elements of the RDD one class");
  }

  /**
   * A vector above the limit.
   *
   * @param operation what was asked for
   * @param partition the partition that has it
   * @param bytes its size
   * @param limit the limit
   * @return the exception
   */
  public static InvalidInputException vectorTooLarge(
      String operation, int partition, long bytes, long limit) {
    return InvalidInputException.of(
        operation + " cannot take the vector of partition " + partition,
        "it has " + bytes + " bytes, and spark.collectives.vector.maxBytes allows " + limit,
        "split the vector, or raise that setting if executors have the memory");
  }

  /**
   * A rank that has not begun, let alone come to the rendezvous.
   *
   * @param operation what was asked for
   * @param missing the ranks that are missing
   * @param size the number of ranks
   * @param timeout how long the first rank waited
   * @return the exception
   */
  static DeadlineException ranksMissing(
      String operation, List<Integer> missing, int size, Duration timeout) {
    return new DeadlineException(
        ErrorText.of(
            operation + " has not begun",
            "of "
                + size
                + " ranks these had not arrived "
                + timeout.toMillis()
                + " ms after the first: "
                + missing.stream().limit(NAMED).map(String::valueOf).toList(),
            "see why Spark has not begun these tasks, or raise spark.collectives.timeout"),
        null);
  }

  /**
   * A rank that computes for longer than it may.
   *
   * @param operation what was asked for
   * @param rank the rank
   * @param limit how long it may
   * @return the exception
   */
  static DeadlineException notBegun(String operation, int rank, Duration limit) {
    return new DeadlineException(
        ErrorText.of(
            operation + " has not begun",
            "rank " + rank + " has computed its partitions for " + limit.toMillis() + " ms",
            "see what this task does, balance the partitions, or raise"
                + " spark.collectives.compute.timeout (0 is without limit)"),
        null);
  }

  /**
   * A rank that others have waited for until their deadlines.
   *
   * @param operation the operation
   * @param who the rank that computes
   * @param limit how long it may
   */
  static DeadlineException computesTooLong(String operation, String who, Duration limit) {
    return new DeadlineException(
        ErrorText.of(
            operation + " has stopped",
            who + " has called no operation for " + limit.toMillis() + " ms, others wait for it",
            "see what this rank does between its operations, or raise"
                + " spark.collectives.compute.timeout (0 is without limit)"),
        null);
  }

  /**
   * Settings of encryption that differ within an application.
   *
   * @param driver what the driver's ask for
   * @param executor what the executor's ask for
   * @return the exception
   */
  static InvalidInputException encryptionDiffers(Encryption driver, Encryption executor) {
    return InvalidInputException.of(
        "the ranks cannot be connected",
        "what ranks send is "
            + driver.words()
            + " by the driver's settings, and "
            + executor.words()
            + " by this executor's",
        "give driver and executors the same settings of spark.network.crypto, spark.authenticate,"
            + " spark.ssl.rpc and spark.collectives.encryption");
  }

  /**
   * A rank that comes although it is there already, or does not exist.
   *
   * @param rank the rank
   * @return what the one that came last is told
   */
  static String notExpected(int rank) {
    return ErrorText.of(
        "rank " + rank + " is not expected",
        "it has joined this attempt already, or there is no such rank in it",
        "see which process said so: with spark.authenticate none but those of the application can");
  }

  /**
   * Ranks that others waited for until a deadline.
   *
   * @param operation what was under way
   * @param ranks the ranks that did not wait themselves
   * @param original the deadline of one that waited
   * @return the exception
   */
  static DeadlineException ranksAbsent(String operation, List<String> ranks, Throwable original) {
    return new DeadlineException(
        ErrorText.of(
            operation + " waited in vain for " + String.join(", ", ranks),
            String.valueOf(original.getMessage()).replaceFirst("\\. .*", ""), // its own remedy
            "see why that rank does not call what the others call, or raise"
                + " spark.collectives.timeout"),
        original);
  }

  /**
   * A rank that could not reach the others.
   *
   * @param rank the rank, with host and executor
   * @param original why
   * @return the exception
   */
  static RankFailedException notJoined(String rank, Throwable original) {
    return new RankFailedException(
        ErrorText.of(
            rank + " cannot join the others",
            String.valueOf(original.getMessage()),
            "see whether executors may listen and connect (spark.collectives.port,"
                + " spark.collectives.bindAddress)"),
        original);
  }

  /**
   * A rank that failed, for the caller at the driver.
   *
   * @param operation what was asked for
   * @param rank the rank, with host and executor
   * @param what what it met, in words
   * @param original what it threw
   * @return the exception
   */
  static RankFailedException rankFailed(
      String operation, String rank, String what, Throwable original) {
    String remedy =
        original instanceof OutOfMemoryError
            ? "give executors more memory (spark.executor.memory), or less of it to each rank by"
                + " more executors"
            : "mend that";
    return new RankFailedException(
        ErrorText.of(
            operation + " failed on " + rank,
            what,
            remedy + "; the cause of this exception is the original"),
        original);
  }

  /**
   * A rank to which the library has said what is wrong and what to do, for the caller at the
   * driver.
   *
   * @param operation what was asked for
   * @param rank the rank, with host and executor
   * @param message what it was told
   * @param original what has led to that
   * @return the exception
   */
  static RankFailedException rankTold(
      String operation, String rank, String message, Throwable original) {
    return new RankFailedException(operation + " failed on " + rank + ": " + message, original);
  }

  /** Why a rank stops that the driver does not tell of others: the attempt has failed or ended. */
  static AbortedException stopped(Wire.Reply reply) {
    if (reply instanceof Wire.Aborted aborted) {
      RankFailedException cause =
          new RankFailedException(aborted.where() + ": " + aborted.text(), null);
      return AbortedException.afterFailure(cause);
    }
    return jobOver();
  }

  /**
   * Ranks that have all come and cannot be told of each other.
   *
   * @param operation what was asked for
   * @param original what the driver met
   * @return the exception
   */
  static RankFailedException notTold(String operation, Throwable original) {
    return new RankFailedException(
        ErrorText.of(
            operation + " has not begun",
            "the driver could not tell the ranks of each other: " + original,
            "mend that; the cause of this exception is the original"),
        original);
  }

  /**
   * A process that ended while it took part.
   *
   * @param operation what was under way
   * @param rank the rank, with host and executor
   * @return the exception
   */
  static RankFailedException executorLost(String operation, String rank) {
    return new RankFailedException(
        ErrorText.of(
            operation + " lost " + rank,
            "the executor's process ended or its connection to the driver broke",
            "see that executor's log; memory limits of the cluster are a usual reason"),
        null);
  }

  /**
   * A rank whose program has ended while other ranks need it.
   *
   * @param operation what was asked for
   * @param rank the rank, with host and executor
   * @param broken what another rank met
   * @return the exception
   */
  static InvalidInputException rankReturned(String operation, String rank, String broken) {
    return InvalidInputException.of(
        rank + " has returned while others wait for it in " + operation,
        broken.replaceFirst("\\. .*", ""),
        "let every rank call the same collectives in the same order before its function returns");
  }

  /**
   * A task that Spark killed.
   *
   * @param reason Spark's reason
   * @return the exception
   */
  static AbortedException taskKilled(@Nullable String reason) {
    return new AbortedException(
        ErrorText.of(
            "this rank stopped",
            "Spark killed its task (" + reason + ")",
            "see why the job was cancelled or which other task failed"),
        null);
  }

  /**
   * A rank that stops because the job has ended.
   *
   * @return the exception
   */
  static AbortedException jobOver() {
    return new AbortedException(
        ErrorText.of(
            "this rank stopped",
            "the driver knows no such job, or has ended it",
            "see the driver's log for why the job ended"),
        null);
  }
}
