package org.sparkcollectives.examples;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Adds up one vector per partition. Afterwards every executor holds the sum, as a broadcast. */
@Command(
    name = "all-reduce-vectors",
    description = "Adds up one vector per partition; every executor then holds the sum.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class AllReduceVectors implements Callable<Integer> {

  @Option(names = "--elements", paramLabel = "N", description = "Length of each vector.")
  private int elements = 1_000_000;

  @Option(names = "--vectors", paramLabel = "N", description = "Number of vectors.")
  private int vectors = 4;

  /** An example with the default arguments. */
  public AllReduceVectors() {}

  /**
   * Runs the example.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    ExampleMain.run(new AllReduceVectors(), arguments);
  }

  @Override
  public Integer call() {
    UserError.check(elements >= 1, "--elements " + elements + ": at least 1 is needed.");
    UserError.check(vectors >= 1, "--vectors " + vectors + ": at least 1 is needed.");
    try (JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("all-reduce"))) {
      int length = elements;
      List<Integer> numbers = IntStream.rangeClosed(1, vectors).boxed().toList();
      JavaRDD<double[]> rdd =
          sc.parallelize(numbers, vectors).map(number -> vector(number, length)).cache();
      System.out.printf("%d vectors of %d elements%n", rdd.count(), length);

      long started = System.nanoTime();
      Broadcast<double[]> sum = JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM);
      System.out.printf("all-reduce: %.1f ms%n", (System.nanoTime() - started) / 1e6);

      long total = vectors * (vectors + 1L) / 2;
      long wrong = rdd.filter(any -> !isMultipleOfIndex(sum.value(), total)).count();
      System.out.printf("element 1 is %.0f, expected %d%n", sum.value()[length > 1 ? 1 : 0], total);
      System.out.printf("%d of %d tasks read a wrong sum%n", wrong, vectors);
      return wrong == 0 ? 0 : 1;
    }
  }

  /** Element i is {@code factor * max(i, 1)}. */
  private static double[] vector(long factor, int length) {
    double[] vector = new double[length];
    for (int i = 0; i < length; i++) {
      vector[i] = factor * (double) Math.max(i, 1);
    }
    return vector;
  }

  private static boolean isMultipleOfIndex(double[] sum, long factor) {
    return java.util.Arrays.equals(sum, vector(factor, sum.length));
  }
}
