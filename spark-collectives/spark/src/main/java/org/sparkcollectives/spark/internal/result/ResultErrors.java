package org.sparkcollectives.spark.internal.result;

import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/** The messages about values that executors keep. */
final class ResultErrors {
  private ResultErrors() {}

  /**
   * A value that is nowhere any more.
   *
   * @param what the value
   * @return the exception
   */
  static CollectiveException valueLost(String what) {
    return new CollectiveException(
        ErrorText.of(
            "the value of " + what + " cannot be found",
            "no executor holds it: it was destroyed, or every executor that held it is lost",
            "repeat the collective, or read the sum of an allreduce or the vector of an allgather on"
                + " the driver, which computes it again if the program still has the very RDD that it is"
                + " made of (of a data frame: what vectors() returned; of Python: none); a value that"
                + " is read once on the driver stays there"),
        null);
  }

  /**
   * A value of an application that has ended.
   *
   * @param what the value
   * @return the exception
   */
  static CollectiveException contextStopped(String what) {
    return new CollectiveException(
        ErrorText.of(
            "the value of " + what + " is gone",
            "the SparkContext is stopped, and with it the executors that held the value",
            "read what is needed before stop(); then there is nothing to destroy"),
        null);
  }

  /**
   * A value that Spark's block manager does not take.
   *
   * @param what the value
   * @return the exception
   */
  static CollectiveException valueNotStored(String what) {
    return new CollectiveException(
        ErrorText.of(
            "the value of " + what + " cannot be stored",
            "the executor's block manager has no room for it in memory or on disk",
            "raise spark.executor.memory, or free disk space in spark.local.dir"),
        null);
  }

  /**
   * A value whose bytes no array can hold.
   *
   * @param what the value
   * @param bytes how many it takes
   * @return the exception
   */
  static InvalidInputException valueTooLarge(String what, long bytes) {
    return InvalidInputException.of(
        "the value of " + what + " is too large to be sent to ranks",
        "it takes " + bytes + " bytes, serialized, and a message of objects less than 2 GiB",
        "send several smaller ones, or arrays of numbers, which may be longer");
  }
}
