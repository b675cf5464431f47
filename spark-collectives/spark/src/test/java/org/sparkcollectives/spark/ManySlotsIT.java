package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BroadcastBlockId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.Function1;
import scala.runtime.AbstractFunction1;

/** Executors of several slots, whose ranks share the memory of one process. */
@Timeout(180)
class ManySlotsIT {
  private static final int EXECUTORS = 2;
  private static final int CORES = 3;
  private static final int LONG = 20_000;
  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    context =
        new JavaSparkContext(
            SharedCluster.get()
                .conf("many-slots", EXECUTORS, CORES, "512m")
                .set("spark.rpc.message.maxSize", "1") // MiB that a task may have
                .set("spark.cleaner.referenceTracking", "false")); // else Spark tidies up, too
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  private static JavaRDD<Integer> numbers(int count, int partitions) {
    return context.parallelize(IntStream.range(0, count).boxed().toList(), partitions);
  }

  private static double[] vector(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] vector = new double[LONG];
    Arrays.setAll(vector, i -> random.nextInt(1000));
    return vector;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 6, 17})
  void sumsOfLongVectors(int partitions) {
    JavaRDD<double[]> rdd = numbers(2 * partitions, partitions).map(ManySlotsIT::vector);
    double[] expected = new double[LONG];
    for (int i = 0; i < 2 * partitions; i++) {
      double[] next = vector(i);
      Arrays.setAll(expected, at -> expected[at] + next[at]);
    }
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    assertArrayEquals(expected, collectives.twoTreeReduce(ReduceOp.SUM));
    assertArrayEquals(expected, collectives.allReduce(ReduceOp.SUM, "ring").value());
    assertArrayEquals(expected, collectives.twoTreeAllReduce(ReduceOp.SUM).value());
  }

  /** Spark's own tasks have one partition each, and ten of these are more than a task may have. */
  @Test
  void partitionsOfARankMayHoldMoreThanATask() {
    List<double[]> vectors = IntStream.range(0, 60).mapToObj(ManySlotsIT::vector).toList();
    JavaRDD<double[]> rdd = context.parallelize(vectors, 60);
    double[] expected = new double[LONG];
    for (double[] next : vectors) {
      Arrays.setAll(expected, at -> expected[at] + next[at]);
    }
    assertArrayEquals(expected, JavaCollectives.of(rdd).allReduce(ReduceOp.SUM).value());
    List<double[]> all =
        JavaCollectives.of(rdd).collectively((communicator, elements) -> elements).collect();
    assertEquals(60, all.size());
    for (int i = 0; i < 60; i++) {
      assertArrayEquals(vectors.get(i), all.get(i));
    }
    Await.until("what ranks were given is removed", () -> largeBroadcasts() == 0);
  }

  /** In order, the last of six ranks has the last two of seven partitions. */
  @Test
  void aPartitionMayFillABroadcastAndTheNextAnother() {
    List<double[]> vectors =
        IntStream.range(0, 7).mapToObj(i -> new double[i < 5 ? i : (2 << 20) + i]).toList();
    JavaRDD<Integer> lengths = context.parallelize(vectors, 7).map(vector -> vector.length);
    List<Integer> expected = vectors.stream().map(vector -> vector.length).toList();
    List<Integer> found =
        JavaCollectives.of(lengths).collectively((communicator, elements) -> elements).collect();
    assertEquals(expected, found);
    Await.until("what ranks were given is removed", () -> largeBroadcasts() == 0);
  }

  /** How many values of Spark's broadcasts the driver has that are more than tasks' code is. */
  private static long largeBroadcasts() {
    BlockManager blocks = SparkEnv.get().blockManager();
    Function1<BlockId, Object> ofSpark =
        new AbstractFunction1<>() {
          @Override
          public Object apply(BlockId id) {
            return id instanceof BroadcastBlockId block && block.broadcastId() < 1L << 48;
          }
        };
    return Scala.asJava(blocks.getMatchingBlockIds(ofSpark)).stream()
        .map(blocks::getStatus)
        .filter(status -> status.isDefined() && status.get().memSize() > 1 << 19)
        .count();
  }

  @Test
  void ranksWithoutElements() {
    for (int only = 0; only < EXECUTORS * CORES; only++) {
      int at = only;
      JavaRDD<double[]> rdd =
          numbers(EXECUTORS * CORES, EXECUTORS * CORES)
              .filter(i -> i == at)
              .map(ManySlotsIT::vector);
      assertArrayEquals(vector(at), JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
    }
    JavaRDD<double[]> none = numbers(6, 6).filter(i -> i < 0).map(ManySlotsIT::vector);
    assertThrows(
        UnsupportedOperationException.class,
        () -> JavaCollectives.of(none).twoTreeReduce(ReduceOp.SUM));
  }

  @Test
  void orderIsKept() {
    JavaRDD<String> words = numbers(40_000, 13).map(i -> i + " ");
    ReduceOp<String> concat =
        ReduceOp.ofObjects("concat", false, (left, right) -> left.concat(right));
    assertEquals(
        String.join("", words.collect()),
        JavaCollectives.of(words.mapPartitions(all -> List.of(joined(all)).iterator()))
            .twoTreeReduce(concat));
  }

  private static String joined(java.util.Iterator<String> words) {
    StringBuilder all = new StringBuilder();
    words.forEachRemaining(all::append);
    return all.toString();
  }

  @Test
  void bitsDoNotDependOnTime() {
    JavaRDD<double[]> rdd =
        numbers(24, 24)
            .map(
                i -> {
                  Thread.sleep(new SplittableRandom().nextInt(30));
                  double[] vector = vector(i);
                  Arrays.setAll(vector, at -> vector[at] / 7);
                  return vector;
                });
    double[] one = JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(one, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM), 0.0);
    }
  }

  @Test
  void aRankThatFailsEndsThoseThatWaitForIt() {
    JavaRDD<double[]> rdd =
        numbers(6, 6)
            .map(
                i -> {
                  if (i == 4) {
                    throw new ArithmeticException("four");
                  }
                  return vector(i);
                });
    RankFailedException e =
        assertThrows(
            RankFailedException.class, () -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
    assertInstanceOf(ArithmeticException.class, e.getCause());
  }

  @Test
  void vectorsOfDifferentLengthsInOneExecutor() {
    JavaRDD<double[]> rdd = numbers(6, 6).map(i -> new double[i == 1 ? LONG - 1 : LONG]);
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class, () -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
    assertTrue(e.getMessage().contains("partition 1 has 19999 x double"), e.getMessage());
  }

  @Test
  void theValueOfAStepIsThereOncePerExecutor() {
    double[] value = vector(7);
    ReduceOp<HashMap<String, Set<Integer>>> join =
        ReduceOp.ofObjects(
            "join",
            true,
            (left, right) -> {
              right.forEach((k, v) -> left.computeIfAbsent(k, any -> new HashSet<>()).addAll(v));
              return left;
            });
    HashMap<String, Set<Integer>> seen =
        JavaCollectives.of(numbers(60, 12))
            .twoTreeAggregateWith(
                value,
                HashMap::new,
                (weights, sum, number) -> {
                  assertEquals(vector(7)[number], weights[number]);
                  sum.computeIfAbsent(SparkEnv.get().executorId(), any -> new HashSet<>())
                      .add(System.identityHashCode(weights));
                  return sum;
                },
                join);
    assertEquals(EXECUTORS, seen.size());
    for (Map.Entry<String, Set<Integer>> executor : seen.entrySet()) {
      assertEquals(1, executor.getValue().size(), executor.getKey());
    }
  }

  @Test
  void stepsOfLongAggregatesInOrderOrNot() {
    List<Double> big = new ArrayList<>();
    IntStream.range(0, LONG).forEach(i -> big.add((double) i));
    for (JavaRDD<Integer> rdd : List.of(numbers(40, 12), numbers(40, 4), numbers(40, 1))) {
      double[] sum =
          JavaCollectives.of(rdd)
              .twoTreeAggregateWith(
                  vector(1),
                  () -> new double[LONG],
                  (weights, all, i) -> {
                    Arrays.setAll(all, at -> all[at] + weights[at]);
                    return all;
                  },
                  ReduceOp.SUM);
      double[] expected = vector(1);
      Arrays.setAll(expected, at -> 40 * expected[at]);
      assertArrayEquals(expected, sum);
      String joined =
          JavaCollectives.of(rdd)
              .twoTreeAggregateWith(
                  big,
                  () -> "",
                  (weights, all, i) -> all + weights.get(i).intValue() + " ",
                  ReduceOp.ofObjects("join", false, (left, right) -> left + right));
      assertEquals(
          String.join(" ", IntStream.range(0, 40).mapToObj(String::valueOf).toList()) + " ",
          joined);
    }
  }
}
