package org.sparkcollectives.benchmarks.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.benchmarks.report.Measurement;

/**
 * The driver of an application that makes one call, the first that its JVMs make. Jobs that make
 * and count the vectors have run before, as in any application that has data.
 */
final class FirstCall {
  /** What the line begins with that says how long the call took, in nanoseconds. */
  static final String RESULT = "the first call took nanoseconds: ";

  private FirstCall() {}

  /**
   * Runs the application.
   *
   * @param args the contender, the number of executors, the vectors' length, the seed
   */
  public static void main(String[] args) {
    int executors = Integer.parseInt(args[1]);
    int elements = Integer.parseInt(args[2]);
    long seed = Long.parseLong(args[3]);
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf());
        Vectors vectors = Vectors.cached(context, executors, executors, elements, seed)) {
      Contender contender = Contenders.named(args[0], context);
      System.out.println(RESULT + contender.run(vectors).nanos().get(Measurement.END_TO_END));
    }
  }
}
