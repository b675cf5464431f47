package org.sparkcollectives.benchmarks.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.benchmarks.report.Measurement;

/** Who takes part, and what their clocks cover. */
final class Contenders {
  private Contenders() {}

  /** All contenders. */
  static List<Contender> all(JavaSparkContext context) {
    return List.of(new TreeAggregate(context, false), new TreeAggregate(context, true));
  }

  /** What is timed, by quantity. */
  static Map<String, String> timed() {
    Map<String, String> timed = new LinkedHashMap<>();
    timed.put(
        Measurement.END_TO_END,
        "on the driver, from the call until a job with one task per partition, the same for all,"
            + " has read the result on the executors");
    timed.put("aggregation", "on the driver, treeAggregate alone");
    timed.put("broadcast", "on the driver, sc.broadcast alone");
    timed.put("reading", "on the driver, the job that reads the result");
    return timed;
  }
}
