package org.sparkcollectives.benchmarks.spark;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;

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

  /** What can be compared. */
  enum Kind {
    /** The sum on every executor. */
    ALLREDUCE,
    /** The sum on the driver. */
    REDUCE,
    /** A vector of the driver on every executor. */
    BROADCAST,
    /** A vector of the driver to the executors, and the sum on the driver: a step of training. */
    STEP
  }

  /**
   * Who takes part, Spark's own way first.
   *
   * @param kind what is compared
   * @param context the application
   * @param bytesPerRun the bytes of a run with many operations
   */
  static List<Contender> of(Kind kind, JavaSparkContext context, long bytesPerRun) {
    return switch (kind) {
      case ALLREDUCE ->
          List.of(
              new TreeAggregate(context, false),
              new TreeAggregate(context, true),
              new OneCall(ONE_CALL, rdd -> rdd.twoTreeAllReduce(ReduceOp.SUM)),
              new OneCall(ONE_CALL_CHOSEN, rdd -> rdd.allReduce(ReduceOp.SUM)),
              new ManyCalls(INSIDE, TWO_TREE, bytesPerRun),
              new ManyCalls(INSIDE_CHOSEN, null, bytesPerRun));
      case REDUCE ->
          List.of(
              new ToDriver("treeAggregate", v -> TreeAggregate.sum(v, false)),
              new ToDriver("treeAggregate, final on executor", v -> TreeAggregate.sum(v, true)),
              new ToDriver(
                  "twoTreeReduce", v -> JavaCollectives.of(v.rdd()).twoTreeReduce(ReduceOp.SUM)),
              new ToDriver(
                  "reduce, library's choice",
                  v -> JavaCollectives.of(v.rdd()).reduce(ReduceOp.SUM)),
              new ToDriver("barrier job that does nothing", v -> nothing(context)),
              new ToDriver("job that does nothing", Contenders::nothing));
      case BROADCAST ->
          List.of(
              new Broadcasting("sc.broadcast", context, false),
              new Broadcasting("twoTreeBroadcast", context, true));
      case STEP ->
          List.of(
              new ToDriver("broadcast, treeAggregate", v -> step(context, v)),
              new ToDriver("twoTreeAggregateWith", Contenders::step));
    };
  }

  /**
   * The contender of a name.
   *
   * @param name the name
   * @param context the application
   */
  static Contender named(String name, JavaSparkContext context) {
    return Arrays.stream(Kind.values())
        .flatMap(kind -> of(kind, context, 0).stream())
        .filter(contender -> contender.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no contender " + name));
  }

  /** What a barrier job of a task per core takes with nothing in it; it sums nothing up. */
  private static double[] nothing(JavaSparkContext context) {
    int cores = context.defaultParallelism();
    JavaRDD<Integer> numbers = context.parallelize(Collections.nCopies(cores, 0), cores);
    RDD<Integer> together =
        numbers.rdd().barrier().mapPartitions(new NoElements<>(), false, numbers.classTag());
    int none = new JavaRDD<>(together, numbers.classTag()).collect().size();
    return new double[] {none == 0 ? Double.NaN : none};
  }

  /** What a job of a task per partition takes with nothing in it. */
  private static double[] nothing(Vectors vectors) {
    long none = vectors.rdd().mapPartitions(ignored -> Collections.emptyIterator()).count();
    return new double[] {none == 0 ? Double.NaN : none};
  }

  private static double[] step(JavaSparkContext context, Vectors vectors) {
    Broadcast<double[]> weights = context.broadcast(weights(vectors));
    try {
      return vectors
          .rdd()
          .treeAggregate(
              new double[0],
              (sum, vector) -> TreeAggregate.include(sum, vector, weights.value()),
              TreeAggregate::merge);
    } finally {
      weights.destroy();
    }
  }

  private static double[] step(Vectors vectors) {
    int length = vectors.elements();
    return JavaCollectives.of(vectors.rdd())
        .twoTreeAggregateWith(
            weights(vectors),
            () -> new double[length],
            (weights, sum, vector) -> TreeAggregate.include(sum, vector, weights),
            ReduceOp.SUM);
  }

  /** Zeros, so that the sum is that of the other comparisons. */
  private static double[] weights(Vectors vectors) {
    return new double[vectors.elements()];
  }

  /** What is timed, by quantity. */
  static Map<String, String> timed() {
    Map<String, String> timed = new LinkedHashMap<>();
    timed.put(
        Measurement.END_TO_END,
        "on the driver, from the call until a job with one task per partition, the same for all,"
            + " has read the result on the executors, or until the driver has the sum");
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
