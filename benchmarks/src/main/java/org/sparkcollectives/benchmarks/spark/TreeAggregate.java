package org.sparkcollectives.benchmarks.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;

/**
 * Spark's own way: {@code treeAggregate} of depth 2 to the driver, then {@code broadcast}, which
 * the tasks of the next job read. The zero value is an empty array, so that it costs nothing to
 * ship; sums are formed in place.
 *
 * @param context the application
 * @param finalOnExecutor whether an executor does the last step of the aggregation
 */
record TreeAggregate(JavaSparkContext context, boolean finalOnExecutor) implements Contender {
  private static final int DEPTH = 2;

  @Override
  public String name() {
    return finalOnExecutor ? Contenders.TREE_ON_EXECUTOR : Contenders.TREE;
  }

  @Override
  public boolean takes(Vectors vectors, int executors) {
    return true;
  }

  @Override
  public Run run(Vectors vectors) {
    Traffic before = Traffic.now();
    long start = System.nanoTime();
    double[] sum = sum(vectors, finalOnExecutor);
    long aggregated = System.nanoTime();
    Broadcast<double[]> result = context.broadcast(sum);
    long sent = System.nanoTime();
    double last = Reading.last(vectors, result);
    long end = System.nanoTime();
    Traffic driver = Traffic.now().since(before);
    result.unpersist(true);
    Map<String, Long> nanos = new LinkedHashMap<>();
    nanos.put(Measurement.END_TO_END, end - start);
    nanos.put(Contenders.AGGREGATION, aggregated - start);
    nanos.put(Contenders.BROADCAST, sent - aggregated);
    nanos.put(Contenders.READING, end - sent);
    return new Run(nanos, Set.of(), last, driver);
  }

  /** The aggregation alone. */
  static double[] sum(Vectors vectors, boolean finalOnExecutor) {
    return vectors
        .rdd()
        .treeAggregate(
            new double[0], TreeAggregate::include, TreeAggregate::merge, DEPTH, finalOnExecutor);
  }

  /** Adds a vector to the sum in place; an empty sum becomes a copy of the vector. */
  private static double[] include(double[] sum, double[] vector) {
    return sum.length == 0 ? vector.clone() : merge(sum, vector);
  }

  /** As {@link #include(double[], double[])}, and reads the weights. */
  static double[] include(double[] sum, double[] vector, double[] weights) {
    double[] into = include(sum, vector);
    into[0] += weights[weights.length - 1];
    return into;
  }

  /** Adds the right sum to the left one in place, where both hold something. */
  static double[] merge(double[] left, double[] right) {
    if (left.length == 0) {
      return right;
    }
    for (int i = 0; i < right.length; i++) {
      left[i] += right[i];
    }
    return left;
  }
}
