package org.sparkcollectives.spark;

import java.io.IOException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaRDDLike;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.body.BroadcastBody;
import org.sparkcollectives.spark.internal.body.Plan;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.body.ScatterBody;
import org.sparkcollectives.spark.internal.body.SentValue;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.input.Concatenator;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.Ranks;
import org.sparkcollectives.spark.internal.input.Slots;
import org.sparkcollectives.spark.internal.job.JobRunner;
import org.sparkcollectives.spark.internal.job.Preconditions;
import org.sparkcollectives.spark.internal.rendezvous.Admission;
import org.sparkcollectives.spark.internal.rendezvous.SparkCodec;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.spark.internal.result.ExecutorBroadcast;
import org.sparkcollectives.spark.internal.result.StoredParts;

/** Collectives on values of the driver; made by {@link JavaCollectives}. */
public final class ContextCollectives {
  private final JavaSparkContext context;

  ContextCollectives(JavaSparkContext context) {
    this.context = context;
  }

  /**
   * Sends a value to all executors at once, through two trees. A value that is too small for a job
   * of its own to pay goes by {@code SparkContext.broadcast}: where it takes less time to send it
   * from the driver to each executor than to run that job, by the cost model and some 50 ms for the
   * job, which is at most 256 KiB.
   *
   * @param value any serializable value but an RDD, not null
   * @param <T> its class
   * @return a broadcast whose value every executor that took part holds when the call returns;
   *     others fetch it at first use, as all do if it is small
   * @throws org.sparkcollectives.error.CollectiveException if it cannot be done
   */
  public <T> Broadcast<T> twoTreeBroadcast(T value) {
    return send("twoTreeBroadcast", value, Selector.TWO_TREES, false);
  }

  /**
   * Sends a value to all executors at once. With a named algorithm every value goes by it.
   *
   * @param value any serializable value but an RDD, not null
   * @param algorithm the algorithm's slug, or null for the cheapest, which for a small value is
   *     that of {@link #twoTreeBroadcast}
   * @param <T> its class
   * @return a broadcast whose value every executor that took part holds when the call returns;
   *     others fetch it at first use, as all do if it is small and no algorithm is named
   * @throws org.sparkcollectives.error.CollectiveException if it cannot be done
   */
  public <T> Broadcast<T> broadcast(T value, @Nullable String algorithm) {
    return send("broadcast", value, algorithm, algorithm != null);
  }

  /**
   * Cuts a vector of the driver into parts, one for each partition of an RDD on the executors.
   *
   * @param vector a {@code double[]}, {@code float[]}, {@code long[]}, {@code int[]} or {@code
   *     byte[]}, or a vector of MLlib, not null
   * @param parts how many parts, at least 1; where there are fewer slots, some hold several
   * @param <T> the vector's class
   * @return an RDD with a partition for each part, each of one element. Parts are consecutive,
   *     differ in length by one at most, and may be empty
   * @throws org.sparkcollectives.error.CollectiveException if it cannot be done
   */
  public <T> JavaRDD<T> scatter(T vector, int parts) {
    return scatter(vector, parts, null);
  }

  /**
   * As {@link #scatter(Object, int)}, by a given algorithm.
   *
   * @param vector a {@code double[]}, {@code float[]}, {@code long[]}, {@code int[]} or {@code
   *     byte[]}, or a vector of MLlib, not null
   * @param parts how many parts, at least 1
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @param <T> the vector's class
   * @return an RDD with a partition for each part, each of one element
   */
  public <T> JavaRDD<T> scatter(T vector, int parts, @Nullable String algorithm) {
    String operation = "scatter";
    CollectiveConf conf =
        Preconditions.check(context.sc(), operation, Collective.SCATTER, algorithm, null);
    InvalidInputException.requireAtLeast("the number of parts", parts, 1);
    Concatenator concatenator = new Concatenator();
    FixedVector whole = concatenator.vector(vector, "the vector of " + operation);
    long id = ExecutorBroadcast.reserve();
    ScatterBody body =
        Preconditions.stored(
            context.sc(),
            operation,
            () -> {
              BlockStore.put(id, whole.array(), 1);
              return new ScatterBody(parts, algorithm, id);
            });
    try {
      JobRunner.Outcome outcome =
          new JobRunner(context.sc(), operation, conf, null)
              .run(Admission.ALL, 1, slots -> plan(slots, parts, body));
      return StoredParts.rdd(context, outcome.stored(), parts, concatenator.emptyLike(whole));
    } finally {
      if (!context.sc().isStopped()) {
        BlockStore.remove(id, true, false);
      }
    }
  }

  private <T> Broadcast<T> send(
      String operation, T value, @Nullable String algorithm, boolean named) {
    CollectiveConf conf =
        Preconditions.check(context.sc(), operation, Collective.BROADCAST, algorithm, null);
    VectorErrors.requireValue(value, () -> "the value of " + operation);
    if (value instanceof RDD || value instanceof JavaRDDLike) {
      throw InvalidInputException.of(
          operation + " cannot take " + value,
          "an RDD cannot be broadcast, as its elements are on the executors",
          "call collect() and broadcast the result");
    }
    if (!named
        && Preconditions.unlessStopped(context.sc(), operation, () -> isSmall(value, conf))) {
      return Preconditions.stored(context.sc(), operation, () -> bySpark(value));
    }
    JobRunner runner = new JobRunner(context.sc(), operation, conf, null);
    long id = ExecutorBroadcast.reserve();
    ExecutorBroadcast<T> broadcast = ExecutorBroadcast.of(context.sc(), id);
    SentValue sent =
        Preconditions.stored(context.sc(), operation, () -> SentValue.stored(id, value));
    BroadcastBody body = new BroadcastBody(algorithm, sent);
    try {
      JobRunner.Outcome unusedOutcome =
          runner.run(
              Admission.ONE_PER_PROCESS,
              1,
              slots -> plan(slots.onePerExecutor(), slots.executors().size(), body));
    } catch (Exception e) { // a streaming query gets Spark's own
      if (!context.sc().isStopped()) {
        broadcast.destroy();
      }
      throw e;
    }
    return broadcast;
  }

  /** Whether Spark's own broadcast is as good. */
  private boolean isSmall(Object value, CollectiveConf conf) {
    int executors = context.sc().getExecutorMemoryStatus().size() - 1; // the driver is one of them
    long most = conf.bytesBroadcastBySpark(executors);
    if (context.sc().isLocal() && most >= 0) {
      return true; // the driver is the only executor
    }
    if (Vector.takes(value)) {
      FixedVector vector = Vector.of(value);
      return vector.byteCount() <= most;
    }
    try {
      return most >= 0 && new SparkCodec().encode(value, most) != null;
    } catch (IOException e) {
      throw VectorErrors.notSerializable(value.getClass().getTypeName(), e);
    }
  }

  private <T> Broadcast<T> bySpark(T value) {
    try {
      return context.broadcast(value);
    } catch (Exception e) { // Scala's methods do not declare checked ones
      BlockStore.requireSerializable(value, e);
      throw e;
    }
  }

  /** Ranks without input, spread over the executors. */
  private Plan plan(Slots slots, int most, RankBody body) {
    int size = Math.min(slots.total(), most);
    Lineage none = Lineage.of(Ranks.numbered(context, size).rdd());
    return Plan.of(none, slots, true, body);
  }
}
