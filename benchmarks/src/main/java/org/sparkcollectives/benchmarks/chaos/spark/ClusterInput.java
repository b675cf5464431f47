package org.sparkcollectives.benchmarks.chaos.spark;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * What a call works on, drawn from a seed: a vector per partition, made in a time of its own.
 * Element j of partition i is (i + 1) (1 + j mod 97).
 */
final class ClusterInput {
  private static final int PERIOD = 97;
  private static final int MOST_ELEMENTS = 100_000;
  private static final int MOST_MILLIS = 150;
  private static final int STALL_SECONDS = 20;
  private static final int NOBODY = -1;

  private final JavaSparkContext context;
  private final int partitions;
  private final int length;
  private final long seed;
  private int straggler = NOBODY;

  /**
   * Draws.
   *
   * @param slots executors of one core
   * @param exactly whether there are as many partitions as slots, instead of up to twice as many
   * @param seed of sizes and times
   */
  ClusterInput(JavaSparkContext context, int slots, boolean exactly, long seed) {
    Random random = new Random(seed);
    this.context = context;
    this.partitions = exactly ? slots : slots + random.nextInt(slots + 1);
    this.length = (int) Math.exp(random.nextDouble() * Math.log(MOST_ELEMENTS));
    this.seed = seed;
  }

  /** Has the vectors come out of a shuffle, of which one task takes ages at its first attempt. */
  ClusterInput withStraggler(int task) {
    straggler = task % partitions;
    return this;
  }

  long seed() {
    return seed;
  }

  int partitions() {
    return partitions;
  }

  int length() {
    return length;
  }

  /** The vectors. */
  JavaRDD<double[]> vectors() {
    JavaRDD<Integer> numbers =
        context.parallelize(IntStream.range(0, partitions).boxed().toList(), partitions);
    int elements = length;
    long times = seed;
    return (straggler == NOBODY ? numbers : shuffled(numbers, straggler))
        .map(
            i -> {
              TimeUnit.MILLISECONDS.sleep(new Random(times + i).nextInt(MOST_MILLIS));
              return vector(i, elements);
            });
  }

  private static JavaRDD<Integer> shuffled(JavaRDD<Integer> numbers, int slow) {
    JavaPairRDD<Integer, Integer> pairs =
        numbers.mapToPair(
            i -> {
              if (i == slow && TaskContext.get().attemptNumber() == 0) {
                TimeUnit.SECONDS.sleep(STALL_SECONDS);
              }
              return new Tuple2<>(i, i);
            });
    return pairs.partitionBy(new HashPartitioner(numbers.getNumPartitions())).keys();
  }

  /** The vector of a partition. */
  static double[] vector(int partition, int length) {
    return times(partition + 1.0, length);
  }

  /** The sum of the vectors of the first partitions. */
  double[] sum(int count) {
    return times(count * (count + 1) / 2.0, length);
  }

  private static double[] times(double factor, int length) {
    double[] vector = new double[length];
    for (int j = 0; j < length; j++) {
      vector[j] = factor * (1 + j % PERIOD);
    }
    return vector;
  }
}
