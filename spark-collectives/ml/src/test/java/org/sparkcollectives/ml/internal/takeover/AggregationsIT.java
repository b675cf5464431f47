package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.optimize.LBFGS;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkDriverExecutionException;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.stat.Summarizer$;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.testing.Await;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** What applications aggregate themselves, with the plugin. */
@Timeout(180)
class AggregationsIT {
  private static JavaSparkContext context;
  private static Counts counts;

  /** Words in order, beside enough numbers to be worth it. */
  private static final class Story implements Serializable {
    private static final long serialVersionUID = 1L;
    private final double[] numbers = new double[20_000];
    private final List<String> words = new ArrayList<>();

    Story add(String word) {
      words.add(word);
      numbers[words.size()] += 1;
      return this;
    }

    Story add(Story next) {
      next.words.forEach(this::add);
      return this;
    }
  }

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[3]")
        .setAppName("aggregations")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.plugins", CollectivesPlugin.class.getName())
        .set("spark.collectives.mllib.minBytes", "8k");
  }

  @BeforeAll
  static void start() {
    context = new JavaSparkContext(conf());
    counts = MllibExtension.counts();
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  private long objects;
  private long left;

  @BeforeEach
  void count() {
    objects = counts.objects();
    left = counts.leftToSpark();
  }

  private void assertTaken(long more) {
    assertEquals(more, counts.objects() - objects, counts::toString);
  }

  private static JavaRDD<String> words(int count, int partitions) {
    return context.parallelize(
        IntStream.range(0, count).mapToObj(i -> "w" + i).toList(), partitions);
  }

  @Test
  void largeObjectsOfAnyClassInTheOrderOfPartitions() {
    for (int partitions : new int[] {1, 3, 7}) { // of three slots; some partitions are empty
      Story story = words(5, partitions).treeAggregate(new Story(), Story::add, Story::add);
      assertEquals(List.of("w0", "w1", "w2", "w3", "w4"), story.words);
      assertEquals(1, story.numbers[5]);
    }
    assertTaken(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void zerosAreAddedToAsSparkDoes(int partitions) {
    Story zero = new Story().add("zero");
    Supplier<List<String>> story =
        () -> words(4, partitions).treeAggregate(zero, Story::add, Story::add).words;
    List<String> found = story.get();
    // Spark combines partitions in the sequence in which they end, the library in theirs.
    assertEquals(bySpark(story).stream().sorted().toList(), found.stream().sorted().toList());
    assertEquals(
        List.of("w0", "w1", "w2", "w3"),
        found.stream().filter(word -> !word.equals("zero")).toList());
    assertEquals("zero", found.get(0));
    assertEquals(List.of("zero"), zero.words);
    assertTaken(1);
  }

  /** As quantiles of Spark 3.5 do: what was not combined cannot be read. */
  @Test
  void aCombinationThatFinishesAnAggregateIsAskedForOnePartitionToo() {
    Story story =
        words(3, 1)
            .treeAggregate(
                new Story(), Story::add, (left, right) -> left.add(right).add("finished"));
    assertEquals("finished", story.words.get(story.words.size() - 1));
    assertTaken(1);
  }

  private static <R> R bySpark(Supplier<R> action) {
    context.setLocalProperty("spark.collectives.mllib.enabled", "false");
    try {
      return action.get();
    } finally {
      context.setLocalProperty("spark.collectives.mllib.enabled", null);
    }
  }

  @Test
  void smallObjectsAreLeftToSpark() {
    assertEquals(10, words(10, 3).treeAggregate(0, (n, word) -> n + 1, Integer::sum));
    assertTaken(0);
    assertEquals(1, counts.leftToSpark() - left);
    assertEquals(10, words(10, 3).mapToDouble(word -> 1).treeReduce(Double::sum));
    assertTaken(0);
    assertEquals(2, counts.leftToSpark() - left, "by treeAggregate, in Spark");
  }

  /** An array of the JVM has a header of 16 bytes, and 8 bytes for each number. */
  @Test
  void objectsAreLargeFromTheSettingsSizeOn() {
    int least = (8192 - 16) / Double.BYTES;
    for (int length : new int[] {least - 1, least}) {
      double[] sum =
          words(10, 3)
              .treeAggregate(
                  new double[length],
                  (sums, word) -> {
                    sums[0]++;
                    return sums;
                  },
                  (left, right) -> {
                    left[0] += right[0];
                    return left;
                  });
      assertEquals(10, sum[0]);
      assertTaken(length < least ? 0 : 1);
    }
    assertEquals(1, counts.leftToSpark() - left);
  }

  @Test
  void aMinimumThatTheDriverFindsAloneIsNoTrainingLeftToSpark() {
    var breeze = new LBFGS<DenseVector<Object>>(9, 3, 1e-9, DenseVector.space_Double());
    var square =
        Optimizer.function(
            x -> {
              double at = DenseVectors.array(x)[0];
              return new Tuple2<>(at * at, DenseVectors.over(new double[] {2 * at}));
            });
    var found = breeze.minimize(square, DenseVectors.over(new double[] {3}));
    assertEquals(0, DenseVectors.array(found)[0], 1e-6);
    assertEquals(0, counts.leftToSpark() - left);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 7})
  void elementsAreReducedInOrderAndNotChanged(int partitions) {
    JavaRDD<StringBuilder> cached = words(5, partitions).map(StringBuilder::new).cache();
    for (int i = 0; i < 2; i++) {
      assertEquals("w0w1w2w3w4", cached.treeReduce(StringBuilder::append).toString());
    }
    assertTaken(2);
    assertEquals(4, context.parallelize(List.of(1, 3), 2).treeReduce(Integer::sum, 2));
  }

  /** So many times each word as it has as number: partitions of a list each, the first empty. */
  private static JavaRDD<List<String>> lists() {
    return words(5, 5)
        .<List<String>>map(word -> new ArrayList<>(Collections.nCopies(word.charAt(1) - '0', word)))
        .cache();
  }

  private static List<String> longer(List<String> list, List<String> by) {
    list.addAll(by);
    return list;
  }

  /** Reduces or aggregates twice, to all words of the lists, which stay as they are. */
  private void assertNotChanged(Function<JavaRDD<List<String>>, ? extends List<String>> reduced) {
    JavaRDD<List<String>> cached = lists();
    List<List<String>> before = cached.collect();
    List<String> words = before.stream().flatMap(List::stream).toList();
    for (int i = 0; i < 2; i++) {
      assertEquals(words, reduced.apply(cached).stream().sorted().toList());
      assertEquals(before, cached.collect());
    }
    assertTaken(2);
  }

  /** As in Spark, whatever of two elements an operator returns, changed. */
  @Test
  void elementsOfOtherPartitionsAreNotChanged() {
    assertNotChanged(lists -> lists.treeReduce((a, b) -> a.isEmpty() ? b : longer(a, b)));
    objects = counts.objects();
    assertNotChanged(
        lists -> lists.treeReduce((a, b) -> a.size() < b.size() ? longer(b, a) : longer(a, b)));
  }

  /** Aggregates that are, or share with, the elements they were made of. */
  @Test
  void aggregatesThatArePartsOfElementsAreNotChanged() {
    double[] numbers = new double[2000]; // enough to be worth it
    Tuple2<List<String>, double[]> zero = new Tuple2<>(new ArrayList<>(), numbers);
    assertNotChanged(
        lists ->
            lists
                .treeAggregate(
                    zero,
                    (sum, list) ->
                        new Tuple2<>(sum._1().isEmpty() ? list : longer(sum._1(), list), numbers),
                    (a, b) ->
                        new Tuple2<>(a._1().isEmpty() ? b._1() : longer(a._1(), b._1()), a._2()))
                ._1());
  }

  @Test
  void nothingButNullsIsReducedToNull() {
    JavaRDD<List<String>> nulls = words(4, 3).map(word -> null);
    assertNull(nulls.treeReduce((a, b) -> a == null ? b : a));
    assertTaken(1);
  }

  @Test
  void arraysOfUnknownMeaningAreNotSummed() {
    JavaRDD<double[]> rows =
        context.parallelize(List.of(new double[] {1, 5}, new double[] {4, 2}), 2);
    double[] most =
        rows.treeReduce((a, b) -> new double[] {Math.max(a[0], b[0]), Math.max(a[1], b[1])});
    assertArrayEquals(new double[] {4, 5}, most);
  }

  @Test
  void nothingToReduceIsSaidBySpark() {
    JavaRDD<String> none = context.<String>parallelize(List.of(), 2);
    assertThrows(UnsupportedOperationException.class, () -> none.treeReduce(String::concat));
    assertEquals(0, none.treeAggregate(new Story(), Story::add, Story::add).words.size());
  }

  /** Rows of so many features each, the value of all of which is the row's index. */
  private static Tuple2<SummarizerBuffer, SummarizerBuffer> summarized(int... features) {
    return summarized(
        IntStream.range(0, features.length)
            .mapToObj(i -> new Instance(i, 1, Vectors.dense(filled(features[i], i))))
            .toList());
  }

  private static Tuple2<SummarizerBuffer, SummarizerBuffer> summarized(List<Instance> instances) {
    JavaRDD<Instance> rows = context.parallelize(instances, 4);
    return Summarizer$.MODULE$.getRegressionSummarizers(
        rows.rdd(), 2, CollectionConverters.asScala(List.of("mean", "std", "count")).toSeq());
  }

  private static double[] filled(int length, double value) {
    double[] values = new double[length];
    Arrays.fill(values, value);
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {100, SummaryProgram.LEAST_IN_BLOCKS - 1, SummaryProgram.LEAST_IN_BLOCKS})
  void summariesOfManyFeaturesAreMergedInBlocks(int features) {
    Tuple2<SummarizerBuffer, SummarizerBuffer> found = summarized(features, features, features);
    assertArrayEquals(filled(features, 1), found._1().mean().toArray());
    assertArrayEquals(filled(features, 1), found._1().std().toArray());
    assertEquals(3, found._1().count());
    assertEquals(1, found._2().mean().apply(0));
    // MLlib weighs the rows that are not zero; blocks weigh all, zeros counted in.
    double weight = features < SummaryProgram.LEAST_IN_BLOCKS ? 2 : 3;
    assertArrayEquals(
        filled(features, weight), (double[]) Hidden.field(found._1(), "currWeightSum"));
    assertEquals(0, summarized()._1().count());
    assertTaken(2);
  }

  /** Features that no row has are not sent. */
  @Test
  void summariesOfManyFeaturesOfWhichRowsHaveFew() {
    int features = 30_000;
    SplittableRandom random = new SplittableRandom(3);
    int[] present = random.ints(200, 0, features).distinct().sorted().toArray();
    List<Instance> rows = new ArrayList<>();
    SummarizerBuffer expected =
        Summarizer$.MODULE$.createSummarizerBuffer(
            CollectionConverters.asScala(List.of("mean", "std", "count")).toSeq());
    for (int i = 0; i < 90; i++) {
      int[] own = random.ints(20, 0, present.length).distinct().sorted().toArray();
      double[] values = random.doubles(own.length, -3, 5).toArray();
      Vector row =
          Vectors.sparse(features, Arrays.stream(own).map(k -> present[k]).toArray(), values);
      double weight = random.nextDouble(0.1, 2);
      rows.add(new Instance(i, weight, row));
      expected.add(row, weight);
    }
    SummarizerBuffer actual = summarized(rows)._1();
    assertEquals(90, actual.count());
    assertArrayEquals(expected.mean().toArray(), actual.mean().toArray(), 1e-12);
    assertArrayEquals(expected.std().toArray(), actual.std().toArray(), 1e-12);
    assertTaken(1);
  }

  @Test
  void rowsOfDifferentLengthsAreRefusedByMllib() {
    SparkException e = assertThrows(SparkException.class, () -> summarized(2, 2, 3));
    assertTrue(e.getMessage().contains("Dimensions mismatch"), e.getMessage());
    assertTaken(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no word", "order cancelled"})
  void aFailureOfTheApplicationIsThrownAsSparkThrowsIt(String reason) {
    Exception e =
        assertThrows(
            Exception.class,
            () ->
                words(4, 2)
                    .treeAggregate(
                        new Story(),
                        (story, word) -> {
                          throw new ArithmeticException(reason);
                        },
                        Story::add));
    assertEquals(SparkException.class, e.getClass());
    assertTrue(e.getMessage().contains("ArithmeticException: " + reason), e.getMessage());
    largeObjectsOfAnyClassInTheOrderOfPartitions(); // the next call is taken over all the same
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void soIsOneThatTheDriverMeetsInMerging(boolean asserted) {
    Exception e =
        assertThrows(
            Exception.class,
            () ->
                words(4, 2)
                    .treeAggregate(
                        new Story(),
                        Story::add,
                        (a, b) -> {
                          if (TaskContext.get() == null && asserted) {
                            throw thrownElsewhere(new AssertionError("at last"));
                          } else if (TaskContext.get() == null) {
                            throw thrownElsewhere(new IllegalStateException("at last"));
                          }
                          return a.add(b);
                        }));
    assertEquals(SparkDriverExecutionException.class, e.getClass());
    assertTrue(e.getCause().getMessage().contains("at last"), e.getCause().toString());
    largeObjectsOfAnyClassInTheOrderOfPartitions(); // the next call is taken over all the same
  }

  /** The same as if code of no package of the library's had thrown it. */
  private static <E extends Throwable> E thrownElsewhere(E thrown) {
    thrown.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("com.example.Story", "add", null, 1)});
    return thrown;
  }

  /** What a sum throws whose tasks wait until the job is ended from outside. */
  private static Throwable thrownWhen(Consumer<Thread> stop) throws InterruptedException {
    Await.until(
        "the end of a job that was interrupted",
        () -> context.statusTracker().getActiveJobIds().length == 0);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              context.setJobGroup("sum", "a sum", true);
              try {
                words(4, 2)
                    .treeAggregate(
                        new Story(),
                        (story, word) -> {
                          Thread.sleep(60_000); // ends with the job
                          return story.add(word);
                        },
                        Story::add);
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    caller.start();
    Await.until(
        "a job", () -> context.statusTracker().getActiveJobIds().length > 0 || !caller.isAlive());
    stop.accept(caller);
    caller.join(30_000);
    return thrown.get();
  }

  @Test
  void anInterruptionAndACancelledJobAreThrownAsSparkThrowsThem() throws InterruptedException {
    assertInstanceOf(InterruptedException.class, thrownWhen(Thread::interrupt));
    Throwable cancelled = thrownWhen(caller -> context.cancelJobGroup("sum"));
    assertEquals(SparkException.class, cancelled.getClass());
    assertTrue(cancelled.getMessage().contains("cancelled part of cancelled job group sum"));
    largeObjectsOfAnyClassInTheOrderOfPartitions(); // the next call is taken over all the same
  }

  @Test
  void inputThatIsMissingIsNamedBySparkAlone() {
    JavaRDD<String> none = context.textFile("no/such/file");
    Exception e =
        assertThrows(
            Exception.class, () -> none.treeAggregate(new Story(), Story::add, Story::add));
    assertTrue(String.valueOf(e.getMessage()).contains("no/such/file"), e.toString());
    largeObjectsOfAnyClassInTheOrderOfPartitions(); // the next call is taken over all the same
  }

  @Test
  void aThreadMayOptOut() {
    Story story = bySpark(() -> words(5, 2).treeAggregate(new Story(), Story::add, Story::add));
    assertEquals(5, story.words.size());
    assertTaken(0);
    assertEquals(0, counts.leftToSpark() - left);
  }
}
