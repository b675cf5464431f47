package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.TorrentBroadcast;
import org.apache.spark.mllib.clustering.LDA;
import org.apache.spark.mllib.clustering.OnlineLDAOptimizer;
import org.apache.spark.mllib.linalg.Matrices;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.spark.StoredBlocks;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.LogLines;
import scala.Tuple2;

/**
 * Online LDA, whose topics go to executors in each mini batch, with the plugin and without: the
 * same topics; in the application of {@link LostExecutorsIT}.
 */
@Timeout(240)
abstract class TopicCases {
  private static final int TOPICS = 4;

  /** So many words that topics take 1 MiB. */
  static final int LARGE = (1 << 20) / Double.BYTES / TOPICS;

  private static final int DOCUMENTS = 12;
  private static final String FILTER = "spark.collectives.objects.filter";

  private static JavaSparkContext context;

  private Counts counts;
  private long broadcasts;
  private long sums;
  private long left;

  @BeforeAll
  static void start() {
    context = LostExecutorsIT.context();
  }

  @BeforeEach
  void count() throws InterruptedException {
    ExecutorPlaces.awaitAll(context, LostExecutorsIT.EXECUTORS);
    counts = MllibExtension.counts();
    broadcasts = counts.broadcasts();
    sums = counts.sums();
    left = counts.leftToSpark();
  }

  private void assertTaken(long broadcastsMore, long sumsMore, long leftMore) {
    assertEquals(broadcastsMore, counts.broadcasts() - broadcasts, counts::toString);
    assertEquals(sumsMore, counts.sums() - sums, counts::toString);
    assertEquals(leftMore, counts.leftToSpark() - left, counts::toString);
  }

  /** Tells in a task that a document is read. */
  @FunctionalInterface
  interface Reading extends Serializable {
    void of(int document) throws IOException;
  }

  private static double[] topics(int words, int iterations, Reading reading) {
    return topics(context, words, iterations, reading);
  }

  /** The topics of few documents of many words, in three partitions. */
  static double[] topics(JavaSparkContext context, int words, int iterations, Reading reading) {
    JavaPairRDD<Long, Vector> documents =
        context
            .parallelize(IntStream.range(0, DOCUMENTS).boxed().toList(), LostExecutorsIT.EXECUTORS)
            .mapToPair(
                i -> {
                  reading.of(i);
                  return new Tuple2<>((long) i, document(i, words));
                });
    return new LDA()
        .setK(TOPICS)
        .setMaxIterations(iterations)
        .setSeed(5)
        .setOptimizer(new OnlineLDAOptimizer().setMiniBatchFraction(1))
        .run(documents)
        .topicsMatrix()
        .toArray();
  }

  private static Vector document(int number, int words) {
    SplittableRandom random = new SplittableRandom(number);
    int[] own = random.ints(30, 0, words).distinct().sorted().toArray();
    return Vectors.sparse(words, own, random.doubles(own.length, 1, 5).map(Math::floor).toArray());
  }

  private static double[] bySpark(Supplier<double[]> topics) {
    context.setLocalProperty("spark.collectives.mllib.enabled", "false");
    try {
      return topics.get();
    } finally {
      context.setLocalProperty("spark.collectives.mllib.enabled", null);
    }
  }

  @Test
  @Tag("cross-version")
  void largeOnesGoBetweenExecutorsAndStayNowhere() {
    Set<Long> before = new HashSet<>(StoredBlocks.numbers());
    double[] expected = bySpark(() -> topics(LARGE, 2, i -> {}));
    assertTaken(0, 0, 0);
    assertArrayEquals(expected, topics(LARGE, 2, i -> {}), 1e-8);
    assertTaken(2, 2, 0);
    Await.until("the end of all topics", () -> before.containsAll(StoredBlocks.numbers()));
  }

  @Test
  void smallOnesAreSentBySpark() {
    assertEquals(TOPICS * (LARGE - 1), topics(LARGE - 1, 1, i -> {}).length);
    assertTaken(0, 1, 0);
  }

  @Test
  void soAreMatricesOfOthers() {
    Object matrix = Matrices.zeros(LARGE, TOPICS).asBreeze();
    assertInstanceOf(TorrentBroadcast.class, context.broadcast(matrix));
    assertTaken(0, 0, 0);
  }

  @Test
  void soAreThoseThatRanksWouldNotTake() throws IOException {
    context.sc().conf().set(FILTER, "java.base/*;!*");
    try (LogLines log = new LogLines(Failures.class.getName())) {
      assertEquals(TOPICS * LARGE, topics(LARGE, 2, i -> {}).length);
      assertTaken(0, 2, 2);
      assertEquals(1, log.lines().size(), log.lines()::toString);
      String line = log.lines().get(0);
      assertTrue(line.startsWith("WARN A call of MLlib is left to Spark. "), line);
      assertTrue(line.contains("breeze.linalg.DenseMatrix"), line);
      assertTrue(line.contains(FILTER), line);
    } finally {
      context.sc().conf().remove(FILTER);
    }
  }

  /** The executor in its place reads topics that were sent before it came. */
  @Test
  void anExecutorIsLostThatHasThem(@TempDir Path folder) {
    String halted = folder.toString();
    double[] expected = bySpark(() -> topics(LARGE, 1, i -> {}));
    double[] actual = topics(LARGE, 1, i -> halt(halted, i));
    assertTrue(folder.resolve("halted").toFile().exists(), "halted");
    assertArrayEquals(expected, actual, 1e-8);
    assertTaken(1, 1, 0);
  }

  /** Ends the executor as it reads the last document in a mini batch: MLlib counts them before. */
  private static void halt(String folder, int document) throws IOException {
    if (document == DOCUMENTS - 1
        && !new File(folder, "counted").createNewFile()
        && new File(folder, "halted").createNewFile()) {
      Runtime.getRuntime().halt(1);
    }
  }
}
