package org.sparkcollectives.benchmarks.ml;

import java.util.List;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/**
 * What an iteration took on average.
 *
 * @param iterations over so many
 * @param micros an iteration
 * @param evaluations how often it computed the objective; 0 where that was not counted
 * @param numbers how many numbers an allreduce of it carried; 0 where that is not known
 * @param computingMillis how long of that rank 0's rows took; 0 where that was not measured
 * @param communicatingMillis how long of that the other ranks took; 0 where that was not measured
 */
record Pace(
    int iterations,
    double micros,
    double evaluations,
    long numbers,
    double computingMillis,
    double communicatingMillis) {

  /** Of fewer iterations an average tells little. */
  static final int FEW = 10;

  /**
   * That of a training in one stage, by rank 0's clock: from the first state to the last.
   *
   * @throws IllegalStateException if there was no iteration
   */
  static Pace of(TrainingEvent training) {
    int iterations = some(training.iterations - training.resumedAt);
    return new Pace(
        iterations,
        1e3 * training.iterationsMillis / iterations,
        (double) training.iterationsEvaluations / iterations,
        training.coefficients,
        training.iterationsComputingMillis / iterations,
        training.iterationsCommunicatingMillis / iterations);
  }

  /**
   * That of MLlib's own training, by the driver's clock: from the end of the first job of its loop
   * to the end of the last.
   *
   * @param ends when these jobs ended, in milliseconds: one for each evaluation or iteration
   * @param iterations how many iterations the training had
   * @throws IllegalStateException if there was no iteration between
   */
  static Pace of(List<Long> ends, int iterations) {
    int between = some(Math.min(iterations, ends.size() - 1));
    double millis = ends.get(ends.size() - 1) - ends.get(0);
    return new Pace(between, 1e3 * millis / between, (ends.size() - 1.0) / between, 0, 0, 0);
  }

  private static int some(int iterations) {
    if (iterations < 1) {
      throw new IllegalStateException(
          "the training has ended too early to tell the time of an iteration");
    }
    return iterations;
  }
}
