package org.sparkcollectives.spark;

import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.schedule.Collective;

/** Collectives on values of the driver; made by {@link JavaCollectives}. */
public final class ContextCollectives {
  private static final String TWO_TREE = "two-tree";

  private final JavaSparkContext context;

  ContextCollectives(JavaSparkContext context) {
    this.context = context;
  }

  /**
   * Sends a value to all executors at once, through two trees.
   *
   * @param value any serializable value, not null
   * @param <T> its class
   * @return a broadcast whose value every executor holds when the call returns
   * @throws org.sparkcollectives.error.CollectiveException if it cannot be done
   */
  public <T> Broadcast<T> twoTreeBroadcast(T value) {
    return send("twoTreeBroadcast", value, TWO_TREE);
  }

  /**
   * Sends a value to all executors at once.
   *
   * @param value any serializable value, not null
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @param <T> its class
   * @return a broadcast whose value every executor holds when the call returns
   * @throws org.sparkcollectives.error.CollectiveException if it cannot be done
   */
  public <T> Broadcast<T> broadcast(T value, @Nullable String algorithm) {
    return send("broadcast", value, algorithm);
  }

  private <T> Broadcast<T> send(String operation, T value, @Nullable String algorithm) {
    CollectiveConf conf = Preconditions.check(context.sc(), operation);
    Errors.requireValue(value, () -> "the value of " + operation);
    Preconditions.checkAlgorithm(conf, Collective.BROADCAST, algorithm, null);
    JobRunner runner = new JobRunner(context.sc(), operation, conf, null);
    long id = ExecutorBroadcast.reserve(1);
    ExecutorBroadcast<T> broadcast = ExecutorBroadcast.of(context.sc(), id);
    BlockStore.put(id, value, 1);
    BroadcastBody body = new BroadcastBody(algorithm, id);
    try {
      runner.run(
          Rendezvous.Admission.ONE_PER_PROCESS,
          1,
          (slots, spec) -> new JobRunner.Plan(ranks(context, slots), slots, body));
    } catch (RuntimeException e) {
      if (!context.sc().isStopped()) {
        broadcast.destroy();
      }
      throw e;
    }
    return broadcast;
  }

  /** An RDD of the numbers from 0 up to a size, one in each partition. */
  static JavaRDD<Integer> ranks(JavaSparkContext context, int size) {
    return context.parallelize(IntStream.range(0, size).boxed().toList(), size);
  }
}
