package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.testing.StandaloneCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.collection.immutable.Map$;

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
        while (Files.notExists(Path.of(folding))) {
          assertTrue(!sum.isDone(), "ended before it folded");
          Thread.sleep(20);
        }
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
      assertEquals(List.of(2, 2), ranks(numbers));
      assertTrue(context.sc().killExecutor("0"));
      awaitSlots(context, 1);
      assertEquals(List.of(1), ranks(numbers));
      assertTrue(context.sc().requestTotalExecutors(2, 0, Map$.MODULE$.empty()));
      awaitSlots(context, 2);
      assertEquals(List.of(2, 2), ranks(numbers));
    }
  }

  /** The number of ranks, once for each. */
  private static List<Integer> ranks(JavaRDD<Integer> numbers) {
    return JavaCollectives.of(numbers)
        .collectively((communicator, elements) -> List.of(communicator.size()).iterator())
        .collect();
  }

  private static void awaitSlots(JavaSparkContext context, int slots) throws Exception {
    var profile = context.sc().resourceProfileManager().defaultResourceProfile();
    long start = System.nanoTime();
    while (context.sc().maxNumConcurrentTasks(profile) != slots) {
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(120), "no executors");
      Thread.sleep(50);
    }
  }
}
