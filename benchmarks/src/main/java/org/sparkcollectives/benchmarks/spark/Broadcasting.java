package org.sparkcollectives.benchmarks.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.spark.JavaCollectives;

/**
 * A vector of the driver that the tasks of the next job read on all executors.
 *
 * @param name its name in tables and files
 * @param context the application
 * @param twoTree whether the library sends the vector; otherwise Spark does
 */
record Broadcasting(String name, JavaSparkContext context, boolean twoTree) implements Contender {

  /** A task on each executor reads, so that the vector has to reach all of them. */
  @Override
  public boolean takes(Vectors vectors, int executors) {
    return vectors.onePerExecutor();
  }

  @Override
  public Run run(Vectors vectors) {
    double[] value = Vectors.random(vectors.elements(), 0);
    Traffic before = Traffic.now();
    long start = System.nanoTime();
    Broadcast<double[]> sent =
        twoTree ? JavaCollectives.of(context).twoTreeBroadcast(value) : context.broadcast(value);
    long called = System.nanoTime();
    double last = Reading.last(vectors, sent);
    long end = System.nanoTime();
    Traffic driver = Traffic.now().since(before);
    Set<String> fingerprints = Reading.fingerprints(vectors, sent);
    sent.destroy();
    Map<String, Long> nanos = new LinkedHashMap<>();
    nanos.put(Measurement.END_TO_END, end - start);
    nanos.put(Contenders.CALL, called - start);
    nanos.put(Contenders.READING, end - called);
    return new Run(nanos, fingerprints, last, driver);
  }
}
