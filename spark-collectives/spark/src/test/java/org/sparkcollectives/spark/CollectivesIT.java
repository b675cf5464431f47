package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.TorrentBroadcast;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.spark.internal.result.ExecutorBroadcast;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/** Right results of every call on executors in processes of their own, by Java serialization. */
@Timeout(180)
class CollectivesIT {
  private static final int EXECUTORS = 4;
  private static final int SLOTS = 2 * EXECUTORS;

  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    SparkConf conf = SharedCluster.get().conf("collectives", EXECUTORS, 2, "1g");
    context = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8})
  void everyCallOnOneElementPerRank(int ranks) {
    new EveryCall(context).check(ranks, ranks, 1);
  }

  @Test
  void everyCallOnSeveralElementsPerRank() {
    new EveryCall(context).check(30, 5, 25);
  }

  @Test
  void everyCallOnMorePartitionsThanSlots() {
    new EveryCall(context).check(50, 21, 3);
  }

  @Test
  void everyCallWithEmptyPartitions() {
    new EveryCall(context).check(3, 7, 1);
    new EveryCall(context).check(4, 19, 1);
  }

  @Test
  void lineagesThatDoNotFitIntoABarrierStage() {
    JavaRDD<double[]> one = context.parallelize(List.of(new double[] {1}, new double[] {2}), 2);
    JavaRDD<double[]> other = context.parallelize(List.of(new double[] {4}), 1);
    assertArrayEquals(
        new double[] {7}, JavaCollectives.of(one.union(other)).twoTreeReduce(ReduceOp.SUM));
    assertArrayEquals(
        new double[] {3}, JavaCollectives.of(one.coalesce(1)).twoTreeReduce(ReduceOp.SUM));
  }

  @Test
  void vectorsOfOneElementAndOfTenMillion() {
    for (int length : new int[] {1, 10_000_000}) {
      JavaRDD<double[]> rdd =
          context
              .parallelize(List.of(1, 2, 3, 4), 4)
              .map(k -> IntStream.range(0, length).mapToDouble(i -> k * (double) i).toArray());
      double[] sum = JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM).value();
      assertEquals(length, sum.length);
      for (int i = 0; i < length; i += 99_999) {
        assertEquals(10.0 * i, sum[i]);
      }
    }
  }

  @Test
  void allTypesOfVectors() {
    List<Integer> ranks = List.of(1, 2, 3, 4, 5);
    JavaRDD<Integer> rdd = context.parallelize(ranks, 5);
    assertArrayEquals(
        new float[] {15, 30},
        JavaCollectives.of(rdd.map(k -> new float[] {k, 2 * k})).twoTreeReduce(ReduceOp.SUM));
    assertArrayEquals(
        new long[] {120},
        JavaCollectives.of(rdd.map(k -> new long[] {k})).twoTreeReduce(ReduceOp.PROD));
    assertArrayEquals(
        new int[] {1, -5},
        JavaCollectives.of(rdd.map(k -> new int[] {k, -k})).twoTreeReduce(ReduceOp.MIN));
    assertEquals(15, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
    ReduceOp<String> concat = ReduceOp.ofObjects("concat", false, String::concat);
    JavaRDD<String> words = context.parallelize(List.of("a", "b", "c", "d", "e", "f"), 4);
    assertEquals("abcdef", JavaCollectives.of(words).twoTreeReduce(concat));
    assertEquals("abcdef", JavaCollectives.of(words).twoTreeAllReduce(concat).value());
    assertEquals(
        List.of("a", "ab", "abc", "abcd", "abcde", "abcdef"),
        JavaCollectives.of(words).twoTreeScan(concat).collect());
  }

  @Test
  void broadcastReachesEveryExecutor() {
    for (Object value :
        List.of(
            "a model",
            new double[] {1, 2, 3},
            new ArrayList<>(List.of(1, 2)),
            new double[1 << 16])) {
      var broadcast =
          value instanceof double[] array && array.length > 3
              ? JavaCollectives.of(context).twoTreeBroadcast(value)
              : JavaCollectives.of(context).broadcast(value, "two-tree");
      JavaRDD<Integer> rdd = context.parallelize(IntStream.range(0, 16).boxed().toList(), 16);
      long id = broadcast.id();
      List<Boolean> held = rdd.map(i -> BlockStore.holds(id)).collect();
      assertEquals(List.of(true), List.copyOf(new HashSet<>(held)));
      String text = describe(value);
      assertEquals(List.of(text), rdd.map(i -> describe(broadcast.value())).distinct().collect());
      broadcast.destroy();
    }
  }

  @Test
  void aSmallBroadcastIsSparksOwnUnlessAnAlgorithmIsNamed() {
    ContextCollectives collectives = JavaCollectives.of(context);
    double[] small = {1, 2, 3};
    int jobs =
        Jobs.of(
            context.sc(),
            () -> {
              assertInstanceOf(TorrentBroadcast.class, collectives.twoTreeBroadcast(small));
              assertInstanceOf(TorrentBroadcast.class, collectives.twoTreeBroadcast("model"));
              assertInstanceOf(
                  TorrentBroadcast.class, collectives.broadcast(List.of("model"), null));
            });
    assertEquals(0, jobs);
    assertInstanceOf(ExecutorBroadcast.class, collectives.broadcast(small, "two-tree"));
    var large = collectives.twoTreeBroadcast(new ArrayList<>(List.of(new byte[300 << 10])));
    assertInstanceOf(ExecutorBroadcast.class, large);
    assertEquals(300 << 10, large.value().get(0).length);
  }

  private static String describe(Object value) {
    return value instanceof double[] array
        ? java.util.Arrays.toString(array)
        : String.valueOf(value);
  }

  @Test
  void aProgramOnAllRanks() {
    JavaRDD<Integer> rdd = context.parallelize(IntStream.range(0, 12).boxed().toList(), 6);
    List<String> results =
        JavaCollectives.of(rdd)
            .<String>collectively(
                (communicator, elements) -> {
                  double[] sum = {0};
                  elements.forEachRemaining(i -> sum[0] += i);
                  double[] before = sum.clone();
                  communicator.allReduce(sum, ReduceOp.SUM);
                  communicator.exscan(before, ReduceOp.SUM);
                  communicator.barrier();
                  int[] root = {communicator.rank()};
                  communicator.broadcast(root, 3);
                  return List.of(
                          communicator.rank() + "/" + communicator.size(),
                          (long) sum[0] + " " + (long) before[0] + " " + root[0])
                      .iterator();
                })
            .collect();
    assertEquals(
        List.of(
            "0/6", "66 0 3", "1/6", "66 1 3", "2/6", "66 6 3", "3/6", "66 15 3", "4/6", "66 28 3",
            "5/6", "66 45 3"),
        results);
  }

  /** An operator that keeps what is in its right operand, and may later change it. */
  private static Map<Integer, List<Integer>> merged(
      Map<Integer, List<Integer>> left, Map<Integer, List<Integer>> right) {
    right.forEach(
        (key, values) -> {
          List<Integer> known = left.putIfAbsent(key, values);
          if (known != null) {
            known.addAll(values);
          }
        });
    return left;
  }

  @Test
  void scansOfObjectsThatTakeOverWhatTheyMeet() {
    int count = 40;
    JavaRDD<Map<Integer, List<Integer>>> rdd =
        context
            .parallelize(IntStream.range(0, count).boxed().toList(), 20)
            .map(i -> new TreeMap<>(Map.of(i % 3, new ArrayList<>(List.of(i)))));
    ReduceOp<Map<Integer, List<Integer>>> merge =
        ReduceOp.ofObjects("merge", false, CollectivesIT::merged, TreeMap::new);
    List<Map<Integer, List<Integer>>> inclusive =
        JavaCollectives.of(rdd).twoTreeScan(merge).collect();
    List<Map<Integer, List<Integer>>> exclusive =
        JavaCollectives.of(rdd).twoTreeExscan(merge).collect();
    Map<Integer, List<Integer>> expected = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      assertEquals(expected, exclusive.get(i), "exclusive " + i);
      expected.computeIfAbsent(i % 3, key -> new ArrayList<>()).add(i);
      assertEquals(expected, inclusive.get(i), "inclusive " + i);
    }
  }

  @Test
  void aggregatesOfNumbers() {
    JavaRDD<Integer> rdd = context.parallelize(IntStream.range(0, 30).boxed().toList(), 10);
    RddCollectives<Integer> collectives = JavaCollectives.of(rdd);
    assertEquals(435.0, collectives.twoTreeAggregate(() -> 0.0, Double::sum, ReduceOp.SUM));
    assertEquals(29L, collectives.twoTreeAggregate(() -> 0L, Math::max, ReduceOp.MAX));
    JavaRDD<Double> doubles = rdd.map(Integer::doubleValue);
    assertEquals(
        29.0, JavaCollectives.of(doubles).twoTreeAggregate(() -> 0.0, Math::max, ReduceOp.MAX));
    for (int length : new int[] {1, 20_000}) { // sent with the tasks, or not
      double[] weights = new double[length];
      weights[0] = 2;
      double sum =
          collectives.twoTreeAggregateWith(
              weights, () -> 0.0, (w, total, i) -> total + w[0] * i, ReduceOp.SUM);
      assertEquals(870.0, sum);
    }
  }

  @Test
  void whatNoResultCanComeOfIsRefusedBeforeAnythingRuns() {
    JavaRDD<double[]> rdd =
        context
            .parallelize(List.of(1, 2), 2)
            .map(
                i -> {
                  throw new IllegalStateException("computed");
                });
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    ReduceOp<Object> first = ReduceOp.ofDouble("first", false, (left, right) -> left);
    assertThrows(InvalidInputException.class, () -> collectives.twoTreeExscan(first));
    assertThrows(InvalidInputException.class, () -> collectives.explain(Collective.EXSCAN, first));
    ReduceOp<Object> pairs =
        ReduceOp.ofDoubleTuples("pairs", true, 2, (left, leftAt, right, rightAt, sum) -> {});
    InvalidInputException odd =
        assertThrows(
            InvalidInputException.class,
            () -> collectives.twoTreeAggregate(() -> new double[5], (sum, x) -> sum, pairs));
    assertTrue(odd.getMessage().contains("double[]"), odd.getMessage());
    InvalidInputException text =
        assertThrows(
            InvalidInputException.class,
            () ->
                collectives.twoTreeAggregateWith(
                    1, () -> "none", (one, sum, x) -> sum, ReduceOp.SUM));
    assertTrue(text.getMessage().contains("java.lang.String"), text.getMessage());
  }

  @Test
  void resultsGoWhenTheirRddIsUnpersisted() throws InterruptedException {
    RddCollectives<double[]> collectives =
        JavaCollectives.of(context.parallelize(List.of(new double[] {1}, new double[] {2}), 2));
    List<JavaRDD<double[]>> results =
        List.of(
            collectives.collectively((communicator, elements) -> elements),
            collectives.allToAll(),
            collectives.twoTreeScan(ReduceOp.SUM));
    for (JavaRDD<double[]> result : results) {
      result.cache();
      assertEquals(2, result.count());
      result.unpersist(); // the cached copy alone
      int stored = StoredBlocks.numbers().size();
      assertEquals(2, result.count());
      result.unpersist(true);
      int left = StoredBlocks.numbers().size();
      assertTrue(left < stored, left + " blocks of " + stored);
      result.unpersist(true); // once more does nothing, as for any RDD
      SparkException error = assertThrows(SparkException.class, result::count);
      assertTrue(error.getMessage().contains("destroyed"), error.getMessage());
    }
  }

  @Test
  void lengthsChangeNoBitsWhereResultsAreReproducible() {
    context.sc().conf().set("spark.collectives.reproducible", "true");
    try {
      double[] few = sum(300);
      assertArrayEquals(few, java.util.Arrays.copyOf(sum(20_000), few.length));
    } finally {
      context.sc().conf().remove("spark.collectives.reproducible");
    }
  }

  /** A sum of vectors, of which the first 300 elements do not depend on their length. */
  private static double[] sum(int length) {
    JavaRDD<Integer> numbers = context.parallelize(IntStream.range(0, 21).boxed().toList(), 7);
    JavaRDD<double[]> vectors =
        numbers.map(
            number -> {
              double[] first = new java.util.SplittableRandom(number).doubles(300, -1, 1).toArray();
              return java.util.Arrays.copyOf(first, length);
            });
    return JavaCollectives.of(vectors).twoTreeReduce(ReduceOp.SUM);
  }

  @Test
  void whatACallStoresHasOneNumberThatNoOtherCallHas() {
    RddCollectives<double[]> collectives =
        JavaCollectives.of(
            context
                .parallelize(IntStream.range(0, 8).boxed().toList(), 8)
                .map(i -> java.util.Arrays.copyOf(new double[] {i}, 20_000)));
    Set<Long> before = new HashSet<>(StoredBlocks.numbers());
    List<Supplier<Object>> calls =
        List.of(
            () -> collectives.twoTreeScan(ReduceOp.SUM),
            () -> collectives.reduceScatter(ReduceOp.SUM),
            collectives::allToAll,
            () -> collectives.collectively((communicator, elements) -> elements));
    List<Object> held = new ArrayList<>();
    for (Supplier<Object> call : calls) {
      held.add(call.get());
      List<Long> ours = StoredBlocks.numbers().stream().filter(id -> !before.contains(id)).toList();
      assertEquals(held.size(), ours.stream().distinct().count());
      assertTrue(ours.size() >= 7 * held.size(), "nothing precedes the first partition alone");
    }
    long number = ExecutorBroadcast.reserve();
    assertEquals(8 * 20_000, collectives.gather().length); // by way of a block
    assertEquals(number + 2, ExecutorBroadcast.reserve());
    assertEquals(calls.size(), held.size(), "what is held is not removed meanwhile");
  }

  @Test
  void nothingIsLeftWhereTheCheckpointAfterTheJobFails(@TempDir Path folder) throws Exception {
    context.setCheckpointDir(folder.toString());
    Set<Long> before = new HashSet<>(StoredBlocks.numbers());
    List<Consumer<RddCollectives<double[]>>> calls =
        List.of(RddCollectives::allToAll, each -> each.twoTreeAllReduce(ReduceOp.SUM));
    for (Consumer<RddCollectives<double[]>> call : calls) {
      JavaRDD<double[]> vectors =
          context
              .parallelize(List.of(1, 2), 2)
              .map(
                  number -> {
                    if (TaskContext.get().getClass() == TaskContextImpl.class) { // Spark's own
                      throw new IllegalStateException("no rank's task");
                    }
                    return java.util.Arrays.copyOf(new double[] {number}, 20_000);
                  });
      vectors.checkpoint();
      RddCollectives<double[]> collectives = JavaCollectives.of(vectors);
      CollectiveException e =
          assertThrows(CollectiveException.class, () -> call.accept(collectives));
      assertInstanceOf(SparkException.class, e.getCause());
      assertTrue(e.getMessage().contains("no rank's task"), e.getMessage());
    }
    Await.until( // it is removed without waiting
        "the end of all blocks that nobody has", () -> before.containsAll(StoredBlocks.numbers()));
    ExecutorPlaces.awaitSlots(context, SLOTS); // a task that has been ended may still write there
  }

  @Test
  void theArrayOfAScatterIsWithTheDriverAlone() {
    StoredOnExecutors stored = new StoredOnExecutors();
    Jobs.settle(context.sc());
    context.sc().addSparkListener(stored);
    double[] array = new double[100_000];
    assertEquals(8, JavaCollectives.of(context).scatter(array, 8).collect().size());
    Jobs.settle(context.sc());
    context.sc().removeSparkListener(stored);
    assertEquals(List.of(), stored.numbers);
  }

  /** Elements are where their keys are, and what comes of them has other keys. */
  @Test
  void scansOfPairsKeepNoPartitioner() {
    ReduceOp<Tuple2<Integer, Integer>> parity =
        ReduceOp.ofObjects(
            "parity",
            true,
            (left, right) -> new Tuple2<>(left._1 ^ right._1, left._2 + right._2),
            () -> new Tuple2<>(0, 0));
    JavaRDD<Tuple2<Integer, Integer>> pairs =
        context
            .parallelize(List.of(0, 1, 0, 1, 0, 1), 3)
            .mapToPair(i -> new Tuple2<>(i, 1))
            .partitionBy(new HashPartitioner(2))
            .rdd()
            .toJavaRDD();
    assertTrue(pairs.partitioner().isPresent());
    RddCollectives<Tuple2<Integer, Integer>> collectives = JavaCollectives.of(pairs);
    for (JavaRDD<Tuple2<Integer, Integer>> sums :
        List.of(collectives.twoTreeScan(parity), collectives.twoTreeExscan(parity))) {
      assertFalse(sums.partitioner().isPresent());
      List<Integer> keys = JavaPairRDD.fromJavaRDD(sums).reduceByKey(Integer::sum).keys().collect();
      assertEquals(2, keys.size(), keys.toString());
      assertEquals(Set.of(0, 1), new HashSet<>(keys));
    }
  }

  @Test
  void bitsAreEqualFromRunToRun() {
    List<double[]> vectors = new ArrayList<>();
    java.util.SplittableRandom random = new java.util.SplittableRandom(7);
    for (int i = 0; i < 40; i++) {
      vectors.add(random.doubles(1000).toArray());
    }
    for (int partitions : new int[] {7, 33}) {
      RddCollectives<double[]> collectives =
          JavaCollectives.of(context.parallelize(vectors, partitions));
      double[] first = collectives.twoTreeReduce(ReduceOp.SUM);
      for (int run = 0; run < 3; run++) {
        assertArrayEquals(first, collectives.twoTreeReduce(ReduceOp.SUM));
      }
    }
  }
}
