package org.sparkcollectives.error;

import static org.sparkcollectives.error.Errors.message;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages about jobs, clusters and settings. */
public final class SparkErrors {
  private static final int NAMED = 10;

  private SparkErrors() {}

  /**
   * A key that is no setting.
   *
   * @param key the key
   * @param known all settings
   * @return the exception
   */
  public static InvalidInputException unknownSetting(String key, List<String> known) {
    return invalid(
        "unknown setting " + key,
        "the settings are " + String.join(", ", known),
        "correct the name");
  }

  /**
   * A setting whose value cannot be read.
   *
   * @param key the setting
   * @param value its value
   * @param unit what a value is
   * @param defaultValue its default
   * @param original why it cannot be read
   * @return the exception
   */
  public static InvalidInputException badSetting(
      String key, String value, String unit, String defaultValue, Throwable original) {
    return new InvalidInputException(
        message(
            "the value '" + value + "' of " + key + " cannot be used",
            String.valueOf(original.getMessage()),
            "give a " + unit + ", or leave it at '" + defaultValue + "'"),
        original);
  }

  /**
   * A calibration without anybody to send to.
   *
   * @param ranks how many ranks there are
   * @return the exception
   */
  public static InvalidInputException tooFewToCalibrate(int ranks) {
    return invalid(
        "the cluster cannot be calibrated",
        "messages are measured between two ranks, and there are slots for " + ranks,
        "give it executors of at least 2 cores in all");
  }

  /**
   * A context that was stopped.
   *
   * @param operation what was asked for
   * @return the exception
   */
  public static InvalidInputException contextStopped(String operation) {
    return invalid(
        operation + " cannot run",
        "the SparkContext is stopped",
        "make a new one and its RDDs anew");
  }

  /**
   * Dynamic allocation, which barrier stages do not work with.
   *
   * @param operation what was asked for
   * @return the exception
   */
  public static InvalidInputException dynamicAllocation(String operation) {
    return invalid(
        operation + " cannot run",
        "spark.dynamicAllocation.enabled is on, and Spark starts no barrier stage then",
        "set spark.dynamicAllocation.enabled=false and a fixed number of executors"
            + " (spark.executor.instances, or spark.cores.max in standalone mode)");
  }

  /**
   * Encryption that the data path does not have.
   *
   * @param operation what was asked for
   * @param keys the settings that ask for encryption
   * @return the exception
   */
  public static InvalidInputException plaintext(String operation, List<String> keys) {
    return invalid(
        operation + " would send data unencrypted",
        String.join(" and ", keys)
            + " asks for encryption, and connections between ranks are authenticated but not"
            + " encrypted",
        "turn that off, or accept plaintext between executors with"
            + " spark.collectives.allowPlaintext=true");
  }

  /**
   * Too few slots for all ranks to run at once.
   *
   * @param operation what was asked for
   * @param slots how many there are
   * @param needed how many are needed
   * @return the exception
   */
  public static InvalidInputException tooFewSlots(String operation, int slots, int needed) {
    return invalid(
        operation + " needs " + needed + " slots at once and there are " + slots,
        "every partition is a rank, and all ranks run at the same time",
        "add executors or cores (spark.executor.instances, spark.executor.cores, spark.cores.max),"
            + " lower spark.task.cpus, or give the RDD at most "
            + slots
            + " partitions with repartition");
  }

  /**
   * An RDD whose partitions do not map one to one to those that it is made of.
   *
   * @param operation what was asked for
   * @return the exception
   */
  public static InvalidInputException lineageNotBarrier(String operation) {
    return invalid(
        operation + " cannot run on this RDD",
        "Spark starts ranks together only where partitions map one to one back to the last shuffle,"
            + " which those of coalesce and union do not",
        "put repartition(n) before " + operation);
  }

  /**
   * No executor to run on.
   *
   * @param operation what was asked for
   * @param waited how long was waited
   * @return the exception
   */
  public static InvalidInputException noSlots(String operation, Duration waited) {
    return invalid(
        operation + " has no slot to run in",
        "no executor has registered within " + waited.toSeconds() + " s",
        "see whether the cluster has free resources, or raise spark.collectives.slots.timeout");
  }

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
    return invalid(
        operation + " cannot combine vectors of different lengths or types",
        more > 0 ? named + " and so on for " + more + " more" : named,
        "give all vectors of the RDD one type, and one length where they are combined");
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
    return invalid(
        operation + " cannot take the vector of partition " + partition,
        "it has " + bytes + " bytes, and spark.collectives.vector.maxBytes allows " + limit,
        "split the vector, or raise that setting if executors have the memory");
  }

  /**
   * An exclusive scan by an operator without neutral element.
   *
   * @param operator the operator's name
   * @return the exception
   */
  public static InvalidInputException noNeutralElement(String operator) {
    return invalid(
        "an exclusive scan has no value for its first element",
        "the operator '" + operator + "' has no neutral element",
        "use a scan, or an operator that is made with one (ReduceOp.ofObjects with an identity)");
  }

  /**
   * A rank that has not come to the rendezvous.
   *
   * @param operation what was asked for
   * @param missing the ranks that are missing
   * @param size the number of ranks
   * @param timeout how long the first rank waited
   * @return the exception
   */
  public static DeadlineException ranksMissing(
      String operation, List<Integer> missing, int size, Duration timeout) {
    return new DeadlineException(
        message(
            operation + " has not begun",
            "of "
                + size
                + " ranks these had not arrived "
                + timeout.toMillis()
                + " ms after the first: "
                + missing.stream().limit(NAMED).map(String::valueOf).toList(),
            "see what these tasks do, balance the partitions, or raise spark.collectives.timeout"),
        null);
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
  public static RankFailedException rankFailed(
      String operation, String rank, String what, Throwable original) {
    return new RankFailedException(
        message(
            operation + " failed on " + rank,
            what,
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
  public static RankFailedException executorLost(String operation, String rank) {
    return new RankFailedException(
        message(
            operation + " lost " + rank,
            "the executor's process ended or its connection to the driver broke",
            "see that executor's log; memory limits of the cluster are a usual reason"),
        null);
  }

  /**
   * A job that Spark ended for a reason of its own.
   *
   * @param operation what was asked for
   * @param attempts how often it was submitted
   * @param original what Spark said
   * @return the exception
   */
  public static CollectiveException jobFailed(String operation, int attempts, Throwable original) {
    return new CollectiveException(
        message(
            operation + " failed",
            "Spark ended its job at attempt " + attempts + ": " + original.getMessage(),
            "see the cause and the executors' logs"),
        original);
  }

  /**
   * A task that Spark killed.
   *
   * @param reason Spark's reason
   * @return the exception
   */
  public static AbortedException taskKilled(@Nullable String reason) {
    return new AbortedException(
        message(
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
  public static AbortedException jobOver() {
    return new AbortedException(
        message(
            "this rank stopped",
            "the driver knows no such job, or has ended it",
            "see the driver's log for why the job ended"),
        null);
  }

  /**
   * A value that is nowhere any more.
   *
   * @param what the value
   * @return the exception
   */
  public static CollectiveException valueLost(String what) {
    return new CollectiveException(
        message(
            "the value of " + what + " cannot be found",
            "no executor holds it: it was destroyed, or every executor that held it is lost",
            "repeat the collective; a value that is read once on the driver stays there"),
        null);
  }

  /**
   * A value that Spark's block manager does not take.
   *
   * @param what the value
   * @return the exception
   */
  public static CollectiveException valueNotStored(String what) {
    return new CollectiveException(
        message(
            "the value of " + what + " cannot be stored",
            "the executor's block manager has no room for it in memory or on disk",
            "raise spark.executor.memory, or free disk space in spark.local.dir"),
        null);
  }

  /**
   * An aggregate whose function returned null.
   *
   * @param partition the partition in which it did
   * @return the exception
   */
  public static InvalidInputException nullAggregate(int partition) {
    return invalid(
        "the aggregate of partition " + partition + " is null",
        "the zero function or the sequence function returned null",
        "let both return a value");
  }

  /**
   * A rank that could not reach the others.
   *
   * @param rank the rank, with host and executor
   * @param original why
   * @return the exception
   */
  public static RankFailedException notJoined(String rank, Throwable original) {
    return new RankFailedException(
        message(
            rank + " cannot join the others",
            String.valueOf(original.getMessage()),
            "see whether executors may listen and connect (spark.collectives.port,"
                + " spark.collectives.bindAddress)"),
        original);
  }

  /**
   * Ranks that others waited for until a deadline.
   *
   * @param operation what was under way
   * @param ranks the ranks that did not wait themselves
   * @param original the deadline of one that waited
   * @return the exception
   */
  public static DeadlineException ranksAbsent(
      String operation, List<String> ranks, Throwable original) {
    return new DeadlineException(
        message(
            operation + " waited in vain for " + String.join(", ", ranks),
            String.valueOf(original.getMessage()).replaceFirst("\\.$", ""),
            "see why that rank does not call what the others call, or raise"
                + " spark.collectives.timeout"),
        original);
  }

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return new InvalidInputException(message(problem, cause, remedy), null);
  }
}
