package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** Results stay on executors, and are found by executors that lost them or came later. */
@Timeout(180)
class ResultsIT {
  private static final int SLOTS = 4;
  private static JavaSparkContext context;

  /** Too long to travel with the messages in which ranks meet. */
  private static final int LONG = 20_000;

  @BeforeAll
  static void start() {
    context = new JavaSparkContext(SharedCluster.get().conf("results", 2, 2, "512m"));
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  private static JavaRDD<double[]> vectors() {
    return context
        .parallelize(List.of(1, 2, 3, 4), SLOTS)
        .map(i -> Arrays.copyOf(new double[] {i, 10 * i}, LONG));
  }

  private static JavaRDD<Integer> wave() {
    return context
        .parallelize(IntStream.range(0, 4 * SLOTS).boxed().toList(), 4 * SLOTS)
        .map(
            i -> {
              Thread.sleep(100);
              return i;
            });
  }

  private static void assertReadEverywhere(Broadcast<double[]> sum) {
    List<Double> read = wave().map(i -> sum.value()[1]).distinct().collect();
    assertEquals(List.of(100.0), read);
    assertArrayEquals(Arrays.copyOf(new double[] {10, 100}, LONG), sum.value());
  }

  @Test
  void aShortResultTravelsWithTasksAndNobodyHoldsIt() {
    Broadcast<double[]> sum =
        JavaCollectives.of(vectors().map(v -> Arrays.copyOf(v, 2))).twoTreeAllReduce(ReduceOp.SUM);
    long id = sum.id();
    assertEquals(List.of(false), wave().map(i -> BlockStore.holds(id)).distinct().collect());
    assertEquals(List.of(100.0), wave().map(i -> sum.value()[1]).distinct().collect());
    assertArrayEquals(new double[] {10, 100}, sum.value());
    sum.unpersist(true);
    assertArrayEquals(new double[] {10, 100}, sum.value());
    sum.destroy();
    assertThrows(SparkException.class, sum::value);
  }

  @Test
  void whatAllHaveLostIsComputedAgainAtTheDriver() {
    JavaRDD<double[]> vectors = vectors();
    Broadcast<double[]> sum = JavaCollectives.of(vectors).twoTreeAllReduce(ReduceOp.SUM);
    Broadcast<double[]> all = JavaCollectives.of(vectors).allGather();
    BlockStore.remove(sum.id(), true, true);
    BlockStore.remove(all.id(), true, true);
    assertArrayEquals(Arrays.copyOf(new double[] {10, 100}, LONG), sum.value());
    assertReadEverywhere(sum);
    assertEquals(4 * LONG, all.value().length);
  }

  @Test
  void theDriverReadsAnArrayThatItHasSentFromItself() {
    Broadcast<double[]> sent = JavaCollectives.of(context).broadcast(new double[LONG], "two-tree");
    long id = sent.id();
    BlockStore.remove(id, false, true);
    wave()
        .foreach(
            i -> {
              if (!BlockStore.holds(id)) {
                BlockStore.put(id, new double[] {i}, 1);
              }
            });
    assertArrayEquals(new double[LONG], sent.value());
    sent.destroy();
  }

  @Test
  void executorsHoldTheResultAndTheDriverOnlyOnDemand() {
    Broadcast<double[]> sum = JavaCollectives.of(vectors()).twoTreeAllReduce(ReduceOp.SUM);
    long id = sum.id();
    assertFalse(BlockStore.holds(id), "the driver has the value before it asked");
    Set<Boolean> held = new HashSet<>(wave().map(i -> BlockStore.holds(id)).collect());
    assertEquals(Set.of(true), held);
    assertReadEverywhere(sum);
    assertTrue(BlockStore.holds(id), "the driver does not keep what it read");
    sum.destroy();
  }

  @Test
  void executorsThatLostTheValueGetItAgain() {
    Broadcast<double[]> sum = JavaCollectives.of(vectors()).twoTreeAllReduce(ReduceOp.SUM);
    long id = sum.id();
    String loser = wave().map(i -> SparkEnv.get().executorId()).first();
    wave()
        .foreach(
            i -> {
              if (SparkEnv.get().executorId().equals(loser)) {
                SparkEnv.get().blockManager().removeBroadcast(id, true);
              }
            });
    Set<String> holders =
        new HashSet<>(
            wave().map(i -> SparkEnv.get().executorId() + BlockStore.holds(id)).collect());
    assertTrue(holders.contains(loser + false), holders.toString());
    assertEquals(1, holders.stream().filter(h -> h.endsWith("true")).count(), holders.toString());
    assertReadEverywhere(sum);
  }

  @Test
  void unpersistKeepsTheValueAtTheDriver() {
    Broadcast<double[]> sum = JavaCollectives.of(vectors()).twoTreeAllReduce(ReduceOp.SUM);
    long id = sum.id();
    sum.unpersist(true);
    assertEquals(List.of(false), wave().map(i -> BlockStore.holds(id)).distinct().collect());
    assertReadEverywhere(sum);
    sum.destroy();
    Broadcast<String> sent = JavaCollectives.of(context).broadcast("model", "two-tree");
    sent.unpersist(true);
    assertEquals(List.of("model"), wave().map(i -> sent.value()).distinct().collect());
  }

  @Test
  void partsAreReadWhereTheyLieAndLieNowhereElseAfterwards() {
    context.sc().conf().set("spark.collectives.result.replicas", "1");
    try {
      assertReadInPlace(
          JavaCollectives.of(vectors()).collectively((communicator, elements) -> elements));
      assertReadInPlace(JavaCollectives.of(vectors()).reduceScatter(ReduceOp.SUM));
    } finally {
      context.sc().conf().remove("spark.collectives.result.replicas");
    }
  }

  private static void assertReadInPlace(JavaRDD<double[]> kept) {
    List<String> holders = holders(kept);
    assertEquals(SLOTS, holders.size());
    for (int i = 0; i < 3; i++) {
      List<String> readers =
          kept.mapPartitions(all -> List.of(SparkEnv.get().executorId()).iterator()).collect();
      assertEquals(holders, readers);
    }
    List<String> ranks =
        JavaCollectives.of(kept.map(double[]::clone))
            .collectively((communicator, all) -> List.of(SparkEnv.get().executorId()).iterator())
            .collect();
    assertEquals(holders, ranks);
    assertEquals(SLOTS, kept.coalesce(1).count()); // some are not where they are read
    assertEquals(holders, holders(kept));
  }

  /** The executors of all parts, each of which is held by one. */
  private static List<String> holders(JavaRDD<?> kept) {
    return kept.partitions().stream()
        .flatMap(part -> Scala.asJava(kept.rdd().preferredLocations(part)).stream())
        .map(ExecutorPlaces::executor)
        .toList();
  }

  @Test
  void whatAllHaveLostCanBeUnpersisted() {
    Broadcast<String> sent = JavaCollectives.of(context).broadcast("model", "two-tree");
    BlockStore.remove(sent.id(), true, true);
    sent.unpersist(true);
    assertThrows(CollectiveException.class, sent::value);
    sent.destroy();
  }

  @Test
  void anExecutorLostAfterwards() {
    Broadcast<double[]> sum = JavaCollectives.of(vectors()).twoTreeAllReduce(ReduceOp.SUM);
    JavaRDD<double[]> prefixes = JavaCollectives.of(vectors()).twoTreeScan(ReduceOp.SUM);
    JavaRDD<Integer> ranks =
        JavaCollectives.of(vectors())
            .collectively((communicator, elements) -> List.of(communicator.rank()).iterator());
    List<Long> before = Processes.pids(context, SLOTS);
    assertEquals(2, before.size());
    SharedCluster.get().killExecutor(before.get(0));
    awaitNewExecutor(before.get(0));
    assertReadEverywhere(sum);
    List<Double> last = new ArrayList<>();
    prefixes.collect().forEach(prefix -> last.add(prefix[0]));
    assertEquals(List.of(1.0, 3.0, 6.0, 10.0), last);
    assertEquals(List.of(0, 1, 2, 3), ranks.collect());
  }

  private static void awaitNewExecutor(long killed) {
    Await.until(
        "an executor in the place of the killed one",
        () -> {
          List<Long> now = Processes.pids(context, SLOTS);
          return now.size() == 2 && !now.contains(killed);
        });
  }
}
