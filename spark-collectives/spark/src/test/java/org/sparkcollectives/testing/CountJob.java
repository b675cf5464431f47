package org.sparkcollectives.testing;

import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** An application without dependencies, to be put into a jar and submitted. */
public final class CountJob {
  private CountJob() {}

  /**
   * Counts the numbers below the argument and prints the count.
   *
   * @param args one number
   */
  public static void main(String[] args) {
    int below = Integer.parseInt(args[0]);
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("count"))) {
      long count = context.parallelize(IntStream.range(0, below).boxed().toList(), 4).count();
      System.out.println("counted " + count + " on " + context.master());
    }
  }
}
