package org.sparkcollectives.benchmarks.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.benchmarks.report.Measurement;

/** Who takes part, and what their clocks cover. */
final class Contenders {
  static final String TREE = "treeAggregate + broadcast";
  static final String TREE_ON_EXECUTOR = TREE + ", final on executor";
  static final String ONE_CALL = "twoTreeAllReduce";
  static final String ONE_CALL_CHOSEN = "allReduce, library's choice";
  static final String INSIDE = "collectively, two-tree";
  static final String INSIDE_CHOSEN = "collectively, library's choice";

  static final String AGGREGATION = "aggregation";
  static final String BROADCAST = "broadcast";
  static final String CALL = "call";
  static final String READING = "reading";

  private static final String TWO_TREE = "two-tree";

  private Contenders() {}

  /**
   * All contenders.
   *
   * @param context the application
   * @param bytesPerRun the bytes of a run with many operations
   */
  static List<Contender> all(JavaSparkContext context, long bytesPerRun) {
    return List.of(
        new TreeAggregate(context, false),
        new TreeAggregate(context, true),
        new OneCall(ONE_CALL, TWO_TREE),
        new OneCall(ONE_CALL_CHOSEN, null),
        new ManyCalls(INSIDE, TWO_TREE, bytesPerRun),
        new ManyCalls(INSIDE_CHOSEN, null, bytesPerRun));
  }

  /** What is timed, by quantity. */
  static Map<String, String> timed() {
    Map<String, String> timed = new LinkedHashMap<>();
    timed.put(
        Measurement.END_TO_END,
        "on the driver, from the call until a job with one task per partition, the same for all,"
            + " has read the result on the executors");
    timed.put(
        Measurement.PER_OPERATION,
        "on the slowest rank, operations in one job that follow one another, divided by their"
            + " number; the job itself and a quarter as many operations before them do not count");
    timed.put(AGGREGATION, "on the driver, treeAggregate (depth 2) alone");
    timed.put(BROADCAST, "on the driver, sc.broadcast alone");
    timed.put(CALL, "on the driver, the call alone");
    timed.put(READING, "on the driver, the job that reads the result");
    return timed;
  }
}
