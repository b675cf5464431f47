package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.internal.job.LostException;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.Background;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.testing.StandaloneCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/** Executors that go: with their machine while partitions are folded, or between calls. */
@Timeout(300)
class LostSlotsIT {

  @Test
  void theJobGoesOnWithTheSlotsThatAreLeft(@TempDir Path folder) throws Exception {
    Path logs = Path.of("target", "cluster-logs", "lost-slots").toAbsolutePath();
    String folding = folder.resolve("folding").toString();
    try (StandaloneCluster cluster = StandaloneCluster.start(logs, 2, 2, 1024)) {
      SparkConf conf =
          cluster.conf("lost-slots", 2, 2, "512m").set("spark.collectives.slots.timeout", "6s");
      try (JavaSparkContext context = new JavaSparkContext(conf)) {
        List<Integer> numbers = IntStream.range(0, 8).boxed().toList();
        JavaRDD<double[]> slow =
            context
                .parallelize(numbers, 8)
                .map(
                    i -> {
                      Files.writeString(Path.of(folding), "yes");
                      Thread.sleep(1_500);
                      return new double[] {i, 1};
                    });
        awaitSlots(context, 4);
        CompletableFuture<double[]> sum =
            CompletableFuture.supplyAsync(
                () -> JavaCollectives.of(slow).twoTreeReduce(ReduceOp.SUM));
        Await.until("a rank that folds", () -> sum.isDone() || Files.exists(Path.of(folding)));
        assertFalse(sum.isDone(), "ended before it folded");
        cluster.killWorker(1);
        assertArrayEquals(new double[] {28, 8}, sum.get(120, TimeUnit.SECONDS));
        assertEquals(List.of(2, 2), ranks(context.parallelize(numbers, 4).coalesce(3)));
      }
    }
  }

  @Test
  void executorsAreGivenBackAndAskedForBetweenCalls() throws Exception {
    SparkConf conf = SharedCluster.get().conf("given-back", 2, 1, "512m");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4), 2);
      awaitSlots(context, 2);
      assertTrue(context.sc().killExecutor("0"));
      awaitSlots(context, 1);
      Await.until("one executor", () -> context.sc().getExecutorMemoryStatus().size() == 2);
      assertEquals(List.of(1), ranks(numbers)); // and it has looked for others in vain
      assertTrue(context.sc().requestTotalExecutors(2, 0, Map$.MODULE$.empty()));
      awaitSlots(context, 2);
      awaitCores(context, 2);
      JavaRDD<Integer> stored = stored(numbers);
      assertEquals(List.of(2, 2), stored.collect());
      for (Partition part : stored.partitions()) {
        assertEquals(2, stored.rdd().preferredLocations(part).size(), "stored twice, each part");
      }
      assertTrue(context.sc().killExecutor("1"));
      awaitSlots(context, 1);
      assertEquals(List.of(1), ranks(numbers));
    }
  }

  @Test
  void whereTooFewSlotsAreLeftOneIsToldWhatEndedTheFirstAttempt(@TempDir Path folder)
      throws Exception {
    SparkConf conf =
        SharedCluster.get()
            .conf("not-replaced", 2, 1, "512m")
            .set("spark.collectives.slots.timeout", "3s");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      awaitSlots(context, 2);
      JavaRDD<Integer> slow = slow(context, 2, folder.resolve("first"));
      JavaRDD<Integer> barrier =
          new JavaRDD<>(
              slow.rdd().barrier().mapPartitions(new Same<>(), false, slow.classTag()),
              slow.classTag());
      String text = failsWithout(context, "0", barrier, folder.resolve("first"));
      assertTrue(text.contains("; then it needed 2 slots at once, and there were 1"), text);
      JavaRDD<Integer> single = slow(context, 1, folder.resolve("second"));
      text = failsWithout(context, "1", single, folder.resolve("second"));
      assertTrue(text.contains("; then no executor was left"), text);
    }
  }

  /** Partitions that are computed from when one file is there until the other one is, too. */
  private static JavaRDD<Integer> slow(JavaSparkContext context, int partitions, Path folding) {
    String started = folding.toString();
    String ended = ended(folding).toString();
    return context
        .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
        .map(
            i -> {
              Files.writeString(Path.of(started), "yes");
              while (Files.notExists(Path.of(ended))) {
                Thread.sleep(20);
              }
              return i;
            });
  }

  private static Path ended(Path folding) {
    return folding.resolveSibling(folding.getFileName() + "-ended");
  }

  /** What one is told whose call has lost an executor that is not replaced. */
  private static String failsWithout(
      JavaSparkContext context, String executor, JavaRDD<Integer> slow, Path folding)
      throws Exception {
    FutureTask<Integer> sum =
        Background.start(() -> JavaCollectives.of(slow).twoTreeReduce(ReduceOp.SUM));
    Await.until("a rank that folds", () -> sum.isDone() || Files.exists(folding));
    assertFalse(sum.isDone(), "ended before it folded");
    assertTrue(context.sc().killExecutor(executor)); // and have none in its place
    Throwable thrown =
        assertThrows(ExecutionException.class, () -> sum.get(120, TimeUnit.SECONDS)).getCause();
    Files.writeString(ended(folding), "yes");
    String text = thrown.getMessage();
    assertInstanceOf(CollectiveException.class, thrown, text);
    assertFalse(thrown instanceof InvalidInputException, text);
    assertTrue(LostException.isBehind(thrown), text);
    assertTrue(text.startsWith("twoTreeReduce failed and cannot be submitted again: 1) "), text);
    assertFalse(text.contains("2) "), text);
    return text;
  }

  @Test
  void anExecutorThatIsDecommissionedGetsNoRank() throws Exception {
    SparkConf conf =
        SharedCluster.get()
            .conf("decommissioned", 2, 1, "512m")
            .set("spark.locality.wait", "30s")
            .set("spark.collectives.slots.timeout", "1s");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4), 2);
      awaitSlots(context, 2);
      assertEquals(List.of(2, 2), ranks(numbers));
      decommission(context, "0"); // the one that ranks would choose
      awaitSlots(context, 1);
      long start = System.nanoTime();
      assertEquals(List.of(1), ranks(numbers));
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20), "waited for its place");
      decommission(context, "1");
      awaitSlots(context, 0);
      InvalidInputException e = assertThrows(InvalidInputException.class, () -> ranks(numbers));
      assertTrue(e.getMessage().contains("of 2 registered executors none"), e.getMessage());
      assertTrue(e.getMessage().contains("decommissioned"), e.getMessage());
    }
  }

  /** The driver gives an executor no more tasks, which does not hear of it and so stays. */
  private static void decommission(JavaSparkContext context, String executor) {
    ExecutorAllocationClient backend = (ExecutorAllocationClient) context.sc().schedulerBackend();
    assertTrue(
        backend.decommissionExecutor(
            executor, new ExecutorDecommissionInfo("a test", Option.empty()), false, true));
  }

  /** The number of ranks, once for each. */
  private static List<Integer> ranks(JavaRDD<Integer> numbers) {
    return stored(numbers).collect();
  }

  private static JavaRDD<Integer> stored(JavaRDD<Integer> numbers) {
    return JavaCollectives.of(numbers)
        .collectively((communicator, elements) -> List.of(communicator.size()).iterator());
  }

  private static void awaitSlots(JavaSparkContext context, int slots) {
    var profile = context.sc().resourceProfileManager().defaultResourceProfile();
    Await.until(slots + " slots", () -> context.sc().maxNumConcurrentTasks(profile) == slots);
  }

  /** Spark's listeners hear of executors later than its scheduler. */
  private static void awaitCores(JavaSparkContext context, int cores) {
    Await.until(
        cores + " cores",
        () ->
            CollectionConverters.asJava(context.sc().statusStore().executorList(true)).stream()
                    .mapToInt(ExecutorSummary::totalCores)
                    .sum()
                == cores);
  }
}
