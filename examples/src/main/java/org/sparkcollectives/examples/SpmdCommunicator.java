package org.sparkcollectives.examples;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.Progress;
import org.sparkcollectives.vector.ReduceOp;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The largest eigenvalue of a matrix by power iteration, as an MPI program would do it: every rank
 * owns some rows, and the whole loop runs in one stage, with one all-reduce per iteration.
 *
 * <p>The matrix has the elements {@code min(i, j)}, i and j from 1 to n. Its largest eigenvalue is
 * {@code 1 / (4 sin²(π / (4n + 2)))}.
 */
@Command(
    name = "spmd-communicator",
    description = "Power iteration in one stage with a communicator, as an MPI program would.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class SpmdCommunicator implements Callable<Integer> {

  @Option(names = "--rows", paramLabel = "N", description = "Rows and columns of the matrix.")
  private int rows = 2000;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "Number of ranks, at most as many as there are slots for tasks.")
  private int ranks = 4;

  @Option(names = "--iterations", paramLabel = "N", description = "Number of iterations.")
  private int iterations = 20;

  /** An example with the default arguments. */
  public SpmdCommunicator() {}

  /**
   * Runs the example.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    ExampleMain.run(new SpmdCommunicator(), arguments);
  }

  @Override
  public Integer call() {
    UserError.check(rows >= 1, "--rows " + rows + ": at least 1 is needed.");
    UserError.check(ranks >= 1, "--ranks " + ranks + ": at least 1 is needed.");
    UserError.check(iterations >= 1, "--iterations " + iterations + ": at least 1 is needed.");
    try (JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("spmd"))) {
      int n = rows;
      int steps = iterations;
      List<Integer> numbers = IntStream.range(0, n).boxed().toList();
      JavaRDD<Integer> ownRows = sc.parallelize(numbers, ranks);
      List<String> lines =
          JavaCollectives.of(ownRows)
              .collectively((comm, own) -> powerIteration(comm, own, n, steps))
              .collect();
      String fewer = lines.size() < ranks ? " of " + ranks + ", as many as there are slots" : "";
      System.out.printf(
          "%d ranks%s, %d×%d matrix, %d iterations%n", lines.size(), fewer, n, n, steps);
      lines.forEach(System.out::println);
      double sine = Math.sin(Math.PI / (4.0 * n + 2));
      System.out.printf("closed form:        %.6f%n", 1 / (4 * sine * sine));
      return 0;
    }
  }

  /** Runs on every rank; {@code own} are the numbers of its rows. */
  private static Iterator<String> powerIteration(
      Communicator comm, Iterator<Integer> own, int n, int iterations) {
    int[] rows = ints(own);
    double[] x = new double[n];
    java.util.Arrays.fill(x, 1 / Math.sqrt(n));
    double eigenvalue = 0;
    long started = System.nanoTime();
    for (int iteration = 0; iteration < iterations; iteration++) {
      double[] y = new double[n];
      for (int row : rows) {
        y[row] = product(row, x);
      }
      comm.allReduce(y, ReduceOp.SUM);
      eigenvalue = norm(y);
      for (int i = 0; i < n; i++) {
        x[i] = y[i] / eigenvalue;
      }
      Progress.tell("iteration " + (iteration + 1) + " of " + iterations + ": " + eigenvalue);
    }
    double millis = (System.nanoTime() - started) / 1e6 / iterations;
    String line =
        String.format(
            "rank %d of %d: %.6f, %d rows, %.2f ms per iteration",
            comm.rank(), comm.size(), eigenvalue, rows.length, millis);
    return List.of(line).iterator();
  }

  private static double product(int row, double[] x) {
    double sum = 0;
    for (int column = 0; column < x.length; column++) {
      sum += (Math.min(row, column) + 1) * x[column];
    }
    return sum;
  }

  private static double norm(double[] vector) {
    double squares = 0;
    for (double value : vector) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }

  private static int[] ints(Iterator<Integer> numbers) {
    IntStream.Builder all = IntStream.builder();
    numbers.forEachRemaining(all::add);
    return all.build().toArray();
  }
}
