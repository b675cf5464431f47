package org.sparkcollectives.testing;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** An application that loads the classes that any application loads. */
public final class FirstJob {
  private FirstJob() {}

  /**
   * Runs a job with a shuffle.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("first job"))) {
      long groups = context.parallelize(List.of(1, 2, 3, 4), 2).groupBy(i -> i % 2).count();
      if (groups != 2) {
        throw new IllegalStateException(groups + " groups");
      }
    }
  }
}
