package org.sparkcollectives.benchmarks.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;

/**
 * One call on the RDD, whose result the tasks of the next job read.
 *
 * @param name its name in tables and files
 * @param algorithm the algorithm's slug, or null for the library's choice
 */
record OneCall(String name, @Nullable String algorithm) implements Contender {

  @Override
  public boolean takes(Vectors vectors, int executors) {
    return true;
  }

  @Override
  public Run run(Vectors vectors) {
    Traffic before = Traffic.now();
    long start = System.nanoTime();
    Broadcast<double[]> result =
        JavaCollectives.of(vectors.rdd()).allReduce(ReduceOp.SUM, algorithm);
    long called = System.nanoTime();
    double last = Reading.last(vectors, result);
    long end = System.nanoTime();
    Traffic driver = Traffic.now().since(before);
    Set<String> fingerprints = Reading.fingerprints(vectors, result);
    result.destroy();
    Map<String, Long> nanos = new LinkedHashMap<>();
    nanos.put(Measurement.END_TO_END, end - start);
    nanos.put(Contenders.CALL, called - start);
    nanos.put(Contenders.READING, end - called);
    return new Run(nanos, fingerprints, last, driver);
  }
}
