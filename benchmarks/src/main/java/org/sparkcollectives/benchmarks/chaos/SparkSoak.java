package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;

/** Many calls on RDDs in one application. */
final class SparkSoak {
  private static final int ELEMENTS = 50_000;
  private static final int WARM_UP = 150;
  private static final int HEAP_MIB = 48;
  private static final int COUNT = 16;
  private static final int SETTLE_SECONDS = 60;
  private static final int KINDS = 6;

  private final JavaSparkContext context;
  private final int slots;
  private final Random random;
  private final ApplicationState state;

  /**
   * Makes calls.
   *
   * @param slots executors of one core
   * @param seed of kinds and sizes
   */
  SparkSoak(JavaSparkContext context, int slots, long seed) {
    this.context = context;
    this.slots = slots;
    this.random = new Random(seed);
    this.state = new ApplicationState(context, slots);
  }

  /**
   * Makes them, and compares what driver and executors hold before and after.
   *
   * @param calls how many
   * @param soak takes what has grown
   * @param complaints gets results that are wrong and blocks that are left
   */
  void run(int calls, Soak soak, Consumer<String> progress, List<String> complaints)
      throws IOException {
    for (int i = 0; i < WARM_UP; i++) {
      call(i, complaints);
    }
    int blocks = state.settledBlocks(0, SETTLE_SECONDS).size();
    Held driver = Held.here();
    Map<Long, Held> before = state.executors();
    for (int i = 0; i < calls; i++) {
      call(i, complaints);
      if ((i + 1) % 100 == 0) {
        progress.accept((i + 1) + " calls");
      }
    }
    int blocksAfter = state.settledBlocks(blocks, SETTLE_SECONDS).size();
    soak.compare("driver", driver, Held.here(), HEAP_MIB, COUNT);
    Map<Long, Held> after = state.executors();
    if (!after.keySet().equals(before.keySet())) {
      complaints.add("the executors " + before.keySet() + " became " + after.keySet());
    }
    before.forEach(
        (pid, held) ->
            soak.compare("executor", held, after.getOrDefault(pid, held), HEAP_MIB, COUNT));
    if (blocksAfter > blocks) {
      complaints.add(blocks + " blocks became " + blocksAfter);
    }
  }

  private void call(int number, List<String> complaints) {
    int length = slots * (1 + random.nextInt(ELEMENTS / slots));
    JavaRDD<double[]> rdd =
        context
            .parallelize(IntStream.range(0, slots).boxed().toList(), slots)
            .map(i -> filled(length, i + 1));
    double sum = slots * (slots + 1) / 2.0;
    double found =
        switch (number % KINDS) {
          case 0 -> {
            var all = JavaCollectives.of(rdd).allReduce(ReduceOp.SUM);
            double first = all.value()[0];
            all.destroy();
            yield first;
          }
          case 1 -> JavaCollectives.of(rdd).reduce(ReduceOp.SUM)[length - 1];
          case 2 -> last(JavaCollectives.of(rdd).twoTreeScan(ReduceOp.SUM));
          case 3 -> last(JavaCollectives.of(rdd).reduceScatter(ReduceOp.SUM));
          case 4 -> {
            double[] all = JavaCollectives.of(rdd).gather();
            yield Arrays.stream(all).sum() / length;
          }
          default ->
              JavaCollectives.of(rdd)
                  .collectively(
                      (communicator, own) ->
                          List.of(communicator.allReduce(own.next(), ReduceOp.SUM)[0]).iterator())
                  .collect()
                  .get(0);
        };
    if (found != sum) {
      complaints.add("call " + number + " gave " + found + " instead of " + sum);
    }
  }

  private double last(JavaRDD<double[]> rdd) {
    List<double[]> all = rdd.collect();
    return all.get(all.size() - 1)[0];
  }

  private static double[] filled(int length, double value) {
    double[] vector = new double[length];
    Arrays.fill(vector, value);
    return vector;
  }
}
