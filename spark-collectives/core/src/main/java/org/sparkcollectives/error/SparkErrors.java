package org.sparkcollectives.error;

import static org.sparkcollectives.error.Errors.message;

/** The messages about the calibration of a cluster. */
public final class SparkErrors {
  private SparkErrors() {}

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

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return new InvalidInputException(message(problem, cause, remedy), null);
  }
}
