package org.sparkcollectives.benchmarks.spark;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.broadcast.Broadcast;

/** The jobs that read a result on the executors, as the next step of a user's program does. */
final class Reading {
  private Reading() {}

  /**
   * Runs one task per partition, which takes the broadcast's value and looks at its last element.
   *
   * @param vectors the RDD over whose partitions the tasks run
   * @param result what they read
   * @return the last element
   */
  static double last(Vectors vectors, Broadcast<double[]> result) {
    List<Double> seen =
        vectors
            .rdd()
            .mapPartitions(
                ignored -> {
                  double[] value = result.value();
                  return List.of(value[value.length - 1]).iterator();
                })
            .collect();
    return seen.get(0);
  }

  /**
   * Fingerprints of the broadcast's value on all executors.
   *
   * @param vectors the RDD over whose partitions the tasks run
   * @param result what they read
   * @return one if all have the same bits
   */
  static Set<String> fingerprints(Vectors vectors, Broadcast<double[]> result) {
    return new HashSet<>(
        vectors
            .rdd()
            .mapPartitions(ignored -> List.of(Fingerprint.of(result.value())).iterator())
            .collect());
  }
}
