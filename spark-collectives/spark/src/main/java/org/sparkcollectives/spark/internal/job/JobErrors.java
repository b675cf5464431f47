package org.sparkcollectives.spark.internal.job;

import java.time.Duration;
import java.util.List;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.ErrorText;
import org.sparkcollectives.error.InvalidInputException;

/** The messages about jobs and the cluster that they run on. */
final class JobErrors {
  private JobErrors() {}

  /**
   * A context that was stopped.
   *
   * @param operation what was asked for
   * @return the exception
   */
  static InvalidInputException contextStopped(String operation) {
    return ErrorText.invalid(
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
  static InvalidInputException dynamicAllocation(String operation) {
    return ErrorText.invalid(
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
  static InvalidInputException plaintext(String operation, List<String> keys) {
    return ErrorText.invalid(
        operation + " would send data unencrypted",
        String.join(" and ", keys)
            + " asks for encryption, and connections between ranks are authenticated but not"
            + " encrypted",
        "turn that off, or accept plaintext between executors with"
            + " spark.collectives.allowPlaintext=true");
  }

  /**
   * An RDD that is made by barrier tasks of an RDD with other partitions.
   *
   * @param operation what was asked for
   * @return the exception
   */
  static InvalidInputException lineageNotBarrier(String operation) {
    return ErrorText.invalid(
        operation + " cannot run on this RDD",
        "it is made by a barrier stage, and Spark starts the tasks of one together only where"
            + " partitions map one to one back to the last shuffle, which those of coalesce and"
            + " union do not",
        "checkpoint what the barrier stage makes and compute it first, or put repartition(n)"
            + " before "
            + operation);
  }

  /**
   * No executor to run on.
   *
   * @param operation what was asked for
   * @param waited how long was waited
   * @return the exception
   */
  static InvalidInputException noSlots(String operation, Duration waited) {
    return ErrorText.invalid(
        operation + " has no slot to run in",
        "no executor has registered within " + waited.toSeconds() + " s",
        "see whether the cluster has free resources, or raise spark.collectives.slots.timeout");
  }

  /**
   * Too few slots for all ranks to run at once.
   *
   * @param operation what was asked for
   * @param slots how many there are
   * @param needed how many are needed
   * @return the exception
   */
  static InvalidInputException tooFewSlots(String operation, int slots, int needed) {
    return ErrorText.invalid(
        operation + " needs " + needed + " slots at once and there are " + slots,
        "the RDD is made by a barrier stage, whose tasks all run at the same time",
        "add executors or cores (spark.executor.instances, spark.executor.cores, spark.cores.max),"
            + " lower spark.task.cpus, or give the RDD at most "
            + slots
            + " partitions with repartition");
  }

  /**
   * A job that Spark ended for a reason of its own.
   *
   * @param operation what was asked for
   * @param attempts how often it was submitted
   * @param original what Spark said
   * @return the exception
   */
  static CollectiveException jobFailed(String operation, int attempts, Throwable original) {
    return new CollectiveException(
        ErrorText.of(
            operation + " failed",
            "Spark ended its job at attempt " + attempts + ": " + original.getMessage(),
            "see the cause and the executors' logs"),
        original);
  }
}
