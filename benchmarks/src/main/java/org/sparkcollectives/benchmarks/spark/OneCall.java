package org.sparkcollectives.benchmarks.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.RddCollectives;

/**
 * One call on the RDD, whose result the tasks of the next job read.
 *
 * @param name its name in tables and files
 * @param call the call
 */
record OneCall(String name, Function<RddCollectives<double[]>, Broadcast<double[]>> call)
    implements Contender {

  @Override
  public boolean takes(Vectors vectors, int executors) {
    return true;
  }

  @Override
  public Run run(Vectors vectors) {
    Traffic before = Traffic.now();
    long start = System.nanoTime();
    Broadcast<double[]> result = call.apply(JavaCollectives.of(vectors.rdd()));
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
