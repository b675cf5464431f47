package org.sparkcollectives.spark;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.vector.ReduceOp;

/** An application that sums, and then fails on one rank. */
public final class SubmittedJob {
  private SubmittedJob() {}

  /**
   * Prints the sum, and the failure as its caller sees it.
   *
   * @param args none
   */
  public static void main(String[] args) {
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("submitted"))) {
      JavaRDD<double[]> rdd =
          context.parallelize(List.of(1, 2, 3, 4), 4).map(i -> new double[] {i});
      System.out.println(
          "sum " + JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM).value()[0]);
      try {
        JavaCollectives.of(rdd)
            .collectively(
                (communicator, elements) -> {
                  if (communicator.rank() == 2) {
                    throw new ArithmeticException("rank 2");
                  }
                  communicator.barrier();
                  return elements;
                });
      } catch (RankFailedException e) {
        System.out.println(("failed with " + e.getCause()).replace("java.lang.", ""));
      }
    }
  }
}
