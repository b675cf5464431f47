package org.sparkcollectives.benchmarks.chaos.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.benchmarks.chaos.Workload;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;

/** The kinds of calls on an RDD. Each checks its own result. */
enum ClusterCall {
  /** The combination on every executor. */
  ALL_REDUCE,
  /** The combination at the driver. */
  REDUCE,
  /** The combination at the driver, elements folded before. */
  AGGREGATE,
  /** Prefixes, left on executors. */
  SCAN,
  /** Parts of the combination, left on executors. */
  REDUCE_SCATTER,
  /** The concatenation at the driver. */
  GATHER,
  /** The concatenation on every executor. */
  ALL_GATHER,
  /** Parts of every partition for every other, left on executors. */
  ALL_TO_ALL,
  /** A program of many collectives. */
  COLLECTIVELY;

  private static final int PROGRAM_CALLS = 20;
  private static final int PROGRAM_ELEMENTS = 1 << 13;

  /** Its name in tables. */
  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it wants as many partitions as there are slots. */
  boolean exactly() {
    return this == COLLECTIVELY;
  }

  /**
   * Makes the call.
   *
   * @param input what it works on
   * @param reading told when the library is done, and Spark reads what is left on executors
   * @throws Workload.WrongResult if the result is wrong
   */
  void run(ClusterInput input, Runnable reading) {
    JavaRDD<double[]> rdd = input.vectors();
    int n = input.partitions();
    int length = input.length();
    switch (this) {
      case ALL_REDUCE -> {
        Broadcast<double[]> sum = JavaCollectives.of(rdd).allReduce(ReduceOp.SUM);
        reading.run();
        check(sum.value(), input.sum(n));
        sum.destroy();
      }
      case REDUCE -> check(JavaCollectives.of(rdd).reduce(ReduceOp.SUM), input.sum(n));
      case AGGREGATE ->
          check(
              JavaCollectives.of(rdd)
                  .twoTreeAggregate(
                      () -> new double[length],
                      (total, vector) -> {
                        Arrays.setAll(total, i -> total[i] + vector[i]);
                        return total;
                      },
                      ReduceOp.SUM),
              input.sum(n));
      case SCAN -> {
        JavaRDD<double[]> prefixes = JavaCollectives.of(rdd).twoTreeScan(ReduceOp.SUM);
        reading.run();
        check(joined(prefixes.collect()), IntStream.rangeClosed(1, n).mapToObj(input::sum));
      }
      case REDUCE_SCATTER -> {
        JavaRDD<double[]> parts = JavaCollectives.of(rdd).reduceScatter(ReduceOp.SUM);
        reading.run();
        check(joined(parts.collect()), input.sum(n));
      }
      case GATHER -> check(JavaCollectives.of(rdd).gather(), vectors(input));
      case ALL_GATHER -> {
        Broadcast<double[]> all = JavaCollectives.of(rdd).allGather();
        reading.run();
        check(all.value(), vectors(input));
        all.destroy();
      }
      case ALL_TO_ALL -> {
        JavaRDD<double[]> parts = JavaCollectives.of(rdd).allToAll();
        reading.run();
        double[] found = joined(parts.collect());
        Arrays.sort(found); // how vectors are cut is not the point here
        double[] expected = vectors(input).flatMapToDouble(Arrays::stream).sorted().toArray();
        check(found, expected);
      }
      case COLLECTIVELY -> runProgram(rdd, input.seed(), reading);
    }
  }

  private static void runProgram(JavaRDD<double[]> rdd, long seed, Runnable reading) {
    JavaRDD<Integer> ranks =
        JavaCollectives.of(rdd)
            .collectively(
                (communicator, own) -> {
                  new Workload(seed, PROGRAM_CALLS, PROGRAM_ELEMENTS).run(communicator);
                  return List.of(communicator.rank()).iterator();
                });
    reading.run();
    List<Integer> found = ranks.collect();
    if (!found.equals(IntStream.range(0, found.size()).boxed().toList())) {
      throw new Workload.WrongResult("the ranks of collectively are " + found);
    }
  }

  private static Stream<double[]> vectors(ClusterInput input) {
    return IntStream.range(0, input.partitions())
        .mapToObj(i -> ClusterInput.vector(i, input.length()));
  }

  private static double[] joined(List<double[]> parts) {
    return parts.stream().flatMapToDouble(Arrays::stream).toArray();
  }

  private void check(double[] found, Stream<double[]> expected) {
    check(found, expected.flatMapToDouble(Arrays::stream).toArray());
  }

  private void check(double[] found, double[] expected) {
    int differs = Arrays.mismatch(found, expected);
    if (differs >= 0) {
      throw new Workload.WrongResult("the result of " + slug() + " differs at index " + differs);
    }
  }
}
