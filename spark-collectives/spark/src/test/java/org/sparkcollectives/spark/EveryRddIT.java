package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.Placement;
import org.sparkcollectives.spark.internal.input.RankRdd;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * RDDs of any lineage and any number of partitions: one barrier job, no shuffle, and what Spark's
 * own actions bring.
 */
@Timeout(300)
class EveryRddIT {
  static final int SLOTS = 4;

  private static JavaSparkContext context;

  @TempDir static Path checkpoints;

  @BeforeAll
  static void start() {
    SparkConf conf = SharedCluster.get().conf("every-rdd", SLOTS, 1, "512m");
    context = new JavaSparkContext(conf);
    context.setCheckpointDir(checkpoints.toString());
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  /** The application's. */
  static JavaSparkContext context() {
    return context;
  }

  /** Here, since executors take longer to start than these tests. */
  @Nested
  class OfLostShuffles extends LostShufflesCases {}

  /** As those are. */
  @Nested
  class OfPartitions extends PartitionContextCases {}

  /** Elements 0, 1, 2 and so on, as vectors; counts partitions that tell their number. */
  private static JavaRDD<double[]> vectors(JavaRDD<Integer> numbers) {
    return numbers.map(i -> new double[] {i, 1, -i});
  }

  private static JavaRDD<Integer> numbers(int count, int partitions) {
    return context.parallelize(IntStream.range(0, count).boxed().toList(), partitions);
  }

  private static JavaPairRDD<Integer, Integer> shuffled(int partitions) {
    return numbers(200, 9)
        .mapToPair(i -> new Tuple2<>(i % 50, i))
        .reduceByKey(Integer::sum, partitions);
  }

  private static JavaRDD<Integer> ofBarrier(JavaRDD<Integer> numbers) {
    return new JavaRDD<>(
        numbers.rdd().barrier().mapPartitions(new Same<>(), false, numbers.classTag()),
        numbers.classTag());
  }

  private static JavaPairRDD<Integer, Integer> keyedOfBarrier(int count) {
    return ofBarrier(numbers(count, 3)).mapToPair(i -> new Tuple2<>(i % 10, i));
  }

  private static JavaRDD<double[]> joinedBarriers() {
    return vectors(keyedOfBarrier(20).join(keyedOfBarrier(30)).map(t -> t._2()._1() + t._2()._2()));
  }

  private static Map<String, JavaRDD<double[]>> lineages() {
    Map<String, JavaRDD<double[]>> all = new LinkedHashMap<>();
    JavaRDD<Integer> plain = numbers(100, 37);
    all.put("plain", vectors(plain));
    all.put("fewer partitions than slots", vectors(numbers(100, 3)));
    all.put("empty partitions", vectors(numbers(5, 23)));
    all.put("union", vectors(plain.union(numbers(10, 7))));
    all.put("coalesced", vectors(plain.coalesce(11)));
    all.put("coalesced to one", vectors(plain.coalesce(1)));
    all.put("zipped", vectors(plain.zip(plain.map(i -> i + 1)).map(Tuple2::_2)));
    all.put("cartesian", vectors(numbers(6, 3).cartesian(numbers(7, 5)).map(t -> t._1() * t._2())));
    all.put("shuffled", vectors(shuffled(23).map(Tuple2::_2)));
    all.put("shuffled twice", vectors(shuffled(23).repartition(6).map(Tuple2::_2)));
    all.put("joined", vectors(shuffled(23).join(shuffled(7)).map(t -> t._2()._1() + t._2()._2())));
    all.put("shuffled and not, in one", vectors(shuffled(5).map(Tuple2::_2).union(plain)));
    JavaRDD<double[]> cached = vectors(shuffled(23).map(Tuple2::_2)).cache();
    cached.count();
    all.put("cached", cached);
    all.put("made of what is cached", cached.map(double[]::clone));
    all.put("cached by the call itself", vectors(numbers(40, 9)).cache());
    all.put("on disk, twice", vectors(numbers(40, 9)).persist(StorageLevel.DISK_ONLY_2()));
    JavaRDD<double[]> checkpointed = vectors(shuffled(10).map(Tuple2::_2));
    checkpointed.checkpoint();
    checkpointed.count();
    all.put("checkpointed", checkpointed);
    JavaRDD<double[]> local = vectors(numbers(30, 9)).persist(StorageLevel.MEMORY_AND_DISK());
    local.rdd().localCheckpoint();
    local.count();
    all.put("checkpointed on executors", local);
    all.put("of a barrier stage", vectors(ofBarrier(plain.coalesce(3).repartition(3))));
    all.put("of two barrier stages, joined", joinedBarriers());
    JavaRDD<Integer> summed = keyedOfBarrier(20).reduceByKey(Integer::sum, 5).values();
    all.put(
        "of two barrier stages, shuffled and united",
        vectors(summed.union(keyedOfBarrier(30).reduceByKey(Integer::sum, 2).values())));
    return all;
  }

  private static double[] add(double[] left, double[] right) {
    double[] sum = left.clone();
    Arrays.setAll(sum, i -> left[i] + right[i]);
    return sum;
  }

  @Test
  @Tag("cross-version")
  void everyLineageInOneJobWithoutAShuffleOfVectors() {
    lineages()
        .forEach(
            (name, rdd) -> {
              double[] expected =
                  rdd.treeAggregate(new double[3], EveryRddIT::add, EveryRddIT::add);
              rdd.count(); // makes the outputs of its shuffles
              Heard jobs = Heard.listening();
              assertArrayEquals(
                  expected, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM), name);
              Jobs.settle(context.sc());
              context.sc().removeSparkListener(jobs);
              assertEquals(1, jobs.jobs.get(), name);
              assertEquals(0, jobs.shuffleBytes.get(), name);
              assertEquals(1, jobs.stages.get(), name);
            });
  }

  @Test
  @Tag("cross-version") // Spark asks the last RDD of a stage, which is the library's
  void whatACallIsTheFirstToCacheIsInTheStorageTab() {
    JavaRDD<double[]> cached =
        vectors(context.parallelize(IntStream.range(0, 30).boxed().toList(), 3 * SLOTS)).cache();
    JavaRDD<double[]> behind = cached.map(double[]::clone).coalesce(SLOTS + 1);
    JavaCollectives.of(behind).twoTreeReduce(ReduceOp.SUM);
    Await.until( // it hears of blocks a little later
        "all partitions in the storage tab", () -> shownAsCached(cached) >= 3 * SLOTS);
    cached.unpersist(true);
  }

  private static int shownAsCached(JavaRDD<?> rdd) {
    return Arrays.stream(context.sc().getRDDStorageInfo())
        .filter(info -> info.id() == rdd.id())
        .mapToInt(RDDInfo::numCachedPartitions)
        .sum();
  }

  @Test
  void everyCallOnALineageWithManyPartitions() {
    JavaRDD<double[]> rdd = lineages().get("joined");
    List<double[]> all = rdd.collect();
    double[] sum = all.stream().reduce(EveryRddIT::add).orElseThrow();
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    assertArrayEquals(sum, collectives.twoTreeAllReduce(ReduceOp.SUM).value());
    List<double[]> prefixes = collectives.twoTreeScan(ReduceOp.SUM).collect();
    double[] before = new double[3];
    for (int i = 0; i < all.size(); i++) {
      before = add(before, all.get(i));
      assertArrayEquals(before, prefixes.get(i), "element " + i);
    }
    assertArrayEquals(
        all.stream().flatMapToDouble(Arrays::stream).toArray(), collectives.allGather().value());
    double[] scattered =
        collectives.reduceScatter(ReduceOp.SUM).collect().stream()
            .flatMapToDouble(Arrays::stream)
            .toArray();
    assertArrayEquals(sum, scattered);
  }

  @Test
  void aProgramHasAllElementsInOrderOnAsManyRanksAsThereAreSlots() {
    lineages()
        .forEach(
            (name, rdd) -> {
              if (rdd.getStorageLevel().equals(StorageLevel.NONE())) {
                rdd.cache(); // the order of what a shuffle brings is another each time
              }
              List<double[]> expected = rdd.collect();
              JavaRDD<double[]> results =
                  JavaCollectives.of(rdd)
                      .collectively(
                          (communicator, elements) -> {
                            List<double[]> own = new ArrayList<>();
                            elements.forEachRemaining(own::add);
                            int[] counts = communicator.allGather(new int[] {own.size()});
                            own.add(new double[] {Arrays.stream(counts).sum()});
                            return own.iterator();
                          });
              int ranks = Math.min(SLOTS, rdd.getNumPartitions());
              assertEquals(ranks, results.getNumPartitions(), name);
              List<double[]> got =
                  results.collect().stream().filter(vector -> vector.length == 3).toList();
              assertEquals(expected.size(), got.size(), name);
              for (int i = 0; i < got.size(); i++) {
                assertArrayEquals(expected.get(i), got.get(i), name);
              }
              assertEquals(
                  ranks,
                  results.filter(v -> v.length == 1 && v[0] == expected.size()).count(),
                  name);
              rdd.unpersist();
            });
  }

  @Test
  void orderIsKeptWhereTheOperatorIsNotCommutative() {
    JavaRDD<String> words =
        numbers(100, 37).map(i -> i + " ").union(numbers(3, 2).map(i -> "x" + i));
    ReduceOp<String> concat = ReduceOp.ofObjects("concat", false, (left, right) -> left + right);
    assertEquals(String.join("", words.collect()), JavaCollectives.of(words).twoTreeReduce(concat));
  }

  @Test
  void aCheckpointIsMadeAfterTheCallAsAfterAnyAction() {
    JavaRDD<double[]> rdd = vectors(numbers(30, 9)).cache();
    rdd.checkpoint();
    JavaRDD<double[]> mapped = rdd.map(double[]::clone);
    assertArrayEquals(
        new double[] {435, 30, -435}, JavaCollectives.of(mapped).twoTreeReduce(ReduceOp.SUM));
    assertTrue(rdd.isCheckpointed());
    assertArrayEquals(
        new double[] {435, 30, -435}, JavaCollectives.of(mapped).twoTreeReduce(ReduceOp.SUM));
  }

  // ---- what is lost in between

  @Test
  @Tag("cross-version")
  void deletedShuffleFilesAreMadeAgain() {
    JavaRDD<double[]> rdd = vectors(shuffled(23).repartition(13).map(Tuple2::_2));
    double[] expected = rdd.treeAggregate(new double[3], EveryRddIT::add, EveryRddIT::add);
    int deleted =
        numbers(SLOTS, SLOTS)
            .map(
                i -> {
                  int files = 0;
                  Thread.sleep(300); // so that every executor has one
                  for (String folder :
                      SparkEnv.get().blockManager().diskBlockManager().localDirsString()) {
                    try (Stream<Path> all = Files.walk(Path.of(folder))) {
                      for (Path file : all.toList()) {
                        if (file.getFileName().toString().startsWith("shuffle_")) {
                          files += Files.deleteIfExists(file) ? 1 : 0;
                        }
                      }
                    }
                  }
                  return files;
                })
            .reduce(Integer::sum);
    assertTrue(deleted > 0);
    assertArrayEquals(expected, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
  }

  @Test
  void outputsOfBarrierStagesAreForgottenWithAllOthers() {
    JavaRDD<double[]> rdd = joinedBarriers();
    rdd.count();
    int[] all = IntStream.range(0, rdd.getNumPartitions()).toArray();
    Placement placement = new Placement(List.of(new Placement.Rank(all, "")));
    Lineage.forgetShuffles(RankRdd.of(Lineage.of(rdd.rdd()), placement));
    Heard jobs = Heard.listening();
    rdd.count();
    Jobs.settle(context.sc());
    context.sc().removeSparkListener(jobs);
    assertEquals(3, jobs.stages.get(), "both sides of the join, and what joins them");
  }

  @Test
  void evictedBlocksAreComputedAgain() {
    JavaRDD<double[]> rdd = vectors(shuffled(23).map(Tuple2::_2)).cache();
    double[] expected = rdd.treeAggregate(new double[3], EveryRddIT::add, EveryRddIT::add);
    for (int partition : new int[] {0, 7, 22}) {
      context
          .env()
          .blockManager()
          .master()
          .removeBlock(new org.apache.spark.storage.RDDBlockId(rdd.id(), partition));
    }
    assertArrayEquals(expected, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExecutorThatIsKilledWhileItFolds(boolean cached, @TempDir Path folder) {
    String killed = folder.resolve("killed").toString();
    JavaRDD<double[]> base = vectors(shuffled(12).map(Tuple2::_2));
    if (cached) {
      base.cache();
    }
    double[] expected = base.treeAggregate(new double[3], EveryRddIT::add, EveryRddIT::add);
    JavaRDD<double[]> deadly =
        base.mapPartitionsWithIndex(
            (partition, elements) -> {
              if (partition == 5 && Files.notExists(Path.of(killed))) {
                Files.writeString(Path.of(killed), "yes");
                Runtime.getRuntime().halt(9);
              }
              return elements;
            },
            true);
    assertArrayEquals(expected, JavaCollectives.of(deadly).twoTreeReduce(ReduceOp.SUM));
    assertArrayEquals(expected, JavaCollectives.of(deadly).twoTreeReduce(ReduceOp.SUM));
  }

  // ---- no wait for places

  /** Caches partitions in executors of a choice: what it is made of says where. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static JavaRDD<double[]> cachedIn(int... executors) {
    List<String> places = ExecutorPlaces.of(context);
    assertEquals(SLOTS, places.size());
    List<Tuple2<Integer, List<String>>> wanted = new ArrayList<>();
    for (int i = 0; i < executors.length; i++) {
      wanted.add(new Tuple2<>(i, List.of(places.get(executors[i]))));
    }
    ClassTag<Integer> tag = ClassTag$.MODULE$.apply(Integer.class);
    // Raw, since not all versions of Scala have one Seq in mind.
    scala.collection.immutable.List list =
        Scala.asScala(
                wanted.stream()
                    .map(t -> new Tuple2<>(t._1(), Scala.asScala(t._2().iterator()).toList()))
                    .iterator())
            .toList();
    JavaRDD<Integer> made = new JavaRDD<>(context.sc().makeRDD(list, tag), tag);
    JavaRDD<double[]> rdd = vectors(made).cache();
    rdd.count();
    return rdd;
  }

  @Test
  @Tag("cross-version")
  void unevenlyCachedPartitionsDoNotMakeRanksWait() {
    for (int[] placement : new int[][] {{0, 0, 1, 2}, {3, 3, 3, 3}, {0, 0, 0, 0, 1, 1, 2}}) {
      JavaRDD<double[]> rdd = cachedIn(placement);
      Heard jobs = Heard.listening();
      double count = JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM)[1];
      Jobs.settle(context.sc());
      context.sc().removeSparkListener(jobs);
      assertEquals(placement.length, count);
      assertEquals(4, jobs.executors(), Arrays.toString(placement));
      assertTrue(jobs.placedAtOnce(), Arrays.toString(placement));
    }
  }

  /** What Spark's scheduler tells of jobs. */
  private static final class Heard extends SparkListener {
    final AtomicInteger jobs = new AtomicInteger();
    final AtomicInteger stages = new AtomicInteger();
    final AtomicLong shuffleBytes = new AtomicLong();
    private final List<org.apache.spark.scheduler.TaskInfo> tasks = new ArrayList<>();

    @Override
    public void onJobStart(SparkListenerJobStart start) {
      jobs.incrementAndGet();
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted completed) {
      stages.incrementAndGet();
      shuffleBytes.addAndGet(
          completed.stageInfo().taskMetrics().shuffleWriteMetrics().bytesWritten());
    }

    @Override
    public synchronized void onTaskStart(org.apache.spark.scheduler.SparkListenerTaskStart start) {
      tasks.add(start.taskInfo());
    }

    synchronized long executors() {
      return tasks.stream().map(org.apache.spark.scheduler.TaskInfo::executorId).distinct().count();
    }

    /** Whether every task runs in the executor that it was meant for. */
    synchronized boolean placedAtOnce() {
      return tasks.stream()
          .allMatch(task -> task.taskLocality().toString().equals("PROCESS_LOCAL"));
    }

    /** Hears of what happens from now on. */
    static Heard listening() {
      Jobs.settle(context.sc());
      Heard jobs = new Heard();
      context.sc().addSparkListener(jobs);
      return jobs;
    }
  }
}
