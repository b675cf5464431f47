package org.sparkcollectives.spark;

import java.io.Serializable;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.vector.ReduceOp;

/** An application that sums vectors and objects, and then fails on one rank. */
public final class SubmittedJob {
  /**
   * Of a class that only threads with the application's class loader find where it is submitted.
   */
  private record Count(int elements) implements Serializable {}

  private SubmittedJob() {}

  /**
   * Prints the sums, and the failure as its caller sees it.
   *
   * @param args none
   */
  public static void main(String[] args) {
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("submitted"))) {
      JavaRDD<double[]> rdd =
          context.parallelize(List.of(1, 2, 3, 4), 4).map(i -> new double[] {i});
      System.out.println(
          "sum " + JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM).value()[0]);
      Broadcast<Count> count =
          JavaCollectives.of(rdd.map(vector -> new Count(1)))
              .allReduce(
                  ReduceOp.ofObjects("count", true, (a, b) -> new Count(a.elements + b.elements)));
      System.out.println(
          "read " + ForkJoinPool.commonPool().submit(() -> count.value().elements()).join());
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
