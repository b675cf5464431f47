package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** Many collectives in a row leave nothing behind. */
@Timeout(300)
class EnduranceIT {
  private static final int SLOTS = 4;
  private static final int JOBS = 500;

  /** Too long for the end of a task: ranks meet, have links, and store what they make. */
  private static final int LENGTH = 20_000;

  @Test
  void fiveHundredInARow() {
    SparkConf conf =
        SharedCluster.get()
            .conf("endurance", 2, 2, "512m")
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      run(context, 50);
      Processes.State driverBefore = Processes.here();
      Map<Long, Processes.State> before = Processes.executors(context, SLOTS);
      run(context, JOBS);
      Processes.State driverAfter = Processes.here();
      Map<Long, Processes.State> after = Processes.executors(context, SLOTS);
      assertEquals(before.keySet(), after.keySet(), "an executor was lost");
      for (Map.Entry<Long, Processes.State> entry : before.entrySet()) {
        assertNoGrowth(entry.getValue(), after.getOrDefault(entry.getKey(), entry.getValue()));
      }
      assertNoGrowth(driverBefore, driverAfter);
      assertEquals(0, DriverEndpoint.openAttempts());
      Await.until( // they are removed without waiting
          "the end of all blocks", () -> StoredBlocks.numbers().isEmpty());
      whatIsDestroyedIsRemoved(context);
      everyCallByKryo(context);
    }
  }

  private static void run(JavaSparkContext context, int jobs) {
    JavaRDD<double[]> rdd = vectors(context);
    for (int job = 0; job < jobs; job++) {
      Broadcast<double[]> sum = JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM);
      assertArrayEquals(filled(LENGTH, 10), sum.value());
      sum.destroy();
    }
  }

  private static JavaRDD<double[]> vectors(JavaSparkContext context) {
    return context.parallelize(List.of(1, 2, 3, 4), SLOTS).map(i -> filled(LENGTH, i));
  }

  /** Spark would remove it, too, once nothing refers to it. */
  private static void whatIsDestroyedIsRemoved(JavaSparkContext context) {
    Broadcast<double[]> sum = JavaCollectives.of(vectors(context)).twoTreeAllReduce(ReduceOp.SUM);
    assertTrue(StoredBlocks.numbers().contains(sum.id()), "nothing is stored");
    sum.destroy();
    Await.until("the end of its blocks", () -> !StoredBlocks.numbers().contains(sum.id()));
  }

  private static void assertNoGrowth(Processes.State before, Processes.State after) {
    String change = before + " became " + after;
    assertTrue(after.threads() <= before.threads() + 10, change);
    assertTrue(after.sockets() <= before.sockets() + 8, change);
    assertTrue(after.files() <= before.files() + 16, change);
    assertTrue(after.heapMiB() <= before.heapMiB() + 48, change);
  }

  private static void everyCallByKryo(JavaSparkContext context) {
    new EveryCall(context).check(3, 3, 1);
    new EveryCall(context).check(20, 9, 2);
    double[] sum = filled(LENGTH, 6);
    JavaRDD<double[]> vectors =
        context.parallelize(List.of(1, 2, 3), 3).map(i -> filled(LENGTH, i));
    assertArrayEquals(sum, JavaCollectives.of(vectors).twoTreeReduce(ReduceOp.SUM));
    assertArrayEquals(
        sum,
        JavaCollectives.of(vectors)
            .twoTreeAggregateWith(
                filled(LENGTH, 1),
                () -> new double[LENGTH],
                (ones, total, vector) -> {
                  Arrays.setAll(total, i -> total[i] + ones[i] * vector[i]);
                  return total;
                },
                ReduceOp.SUM));
  }

  private static double[] filled(int length, double value) {
    double[] vector = new double[length];
    Arrays.fill(vector, value);
    return vector;
  }
}
