package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/**
 * Files of shuffles that are gone when ranks fetch them and nothing is tried again; in the
 * application of {@link EveryRddIT}.
 */
@Timeout(240)
abstract class LostShufflesCases {
  private static final int EXECUTORS = EveryRddIT.SLOTS;
  private static final String RETRIES = "spark.collectives.retries";

  private static JavaSparkContext context;

  @BeforeAll
  static void start() throws InterruptedException {
    context = EveryRddIT.context();
    ExecutorPlaces.awaitAll(context, EXECUTORS); // one that was lost comes back
    var unused = context.sc().conf().set(RETRIES, "0");
  }

  @AfterAll
  static void stop() {
    context.sc().conf().remove(RETRIES);
  }

  private static JavaRDD<Integer> numbers(int count, int partitions) {
    return context.parallelize(IntStream.range(0, count).boxed().toList(), partitions);
  }

  /** Partition i of four is made of partition i of those behind the shuffle, and of no other. */
  private static JavaRDD<Integer> shuffledApart() {
    return numbers(EXECUTORS, EXECUTORS)
        .mapToPair(
            i -> {
              Thread.sleep(300); // so that every executor has one
              return new Tuple2<>(i, 10 * i);
            })
        .reduceByKey(Integer::sum, EXECUTORS)
        .map(Tuple2::_2);
  }

  /** Deletes what some executors have of all shuffles, and sees that each of them had some. */
  private static void deleteFiles(int executors) {
    long deleting =
        numbers(EXECUTORS, EXECUTORS)
            .map(
                i -> {
                  Thread.sleep(300);
                  int files = 0;
                  for (String folder :
                      SparkEnv.get().blockManager().diskBlockManager().localDirsString()) {
                    try (Stream<Path> all = Files.walk(Path.of(folder))) {
                      for (Path file : i < executors ? all.toList() : List.<Path>of()) {
                        if (file.getFileName().toString().startsWith("shuffle_")) {
                          files += Files.deleteIfExists(file) ? 1 : 0;
                        }
                      }
                    }
                  }
                  return files == 0 ? "" : SparkEnv.get().executorId();
                })
            .collect()
            .stream()
            .filter(executor -> !executor.isEmpty())
            .distinct()
            .count();
    assertEquals(executors, deleting, "executors whose files are gone");
  }

  @Test
  @Tag("cross-version")
  void thoseOfAllExecutorsAreMadeAgain() {
    JavaRDD<double[]> rdd =
        numbers(200, 9)
            .mapToPair(
                i -> {
                  Thread.sleep(10); // so that each executor has some of the tasks
                  return new Tuple2<>(i % 50, i);
                })
            .reduceByKey(Integer::sum, 13)
            .map(t -> new double[] {t._2(), 1});
    assertEquals(50, rdd.count());
    deleteFiles(EXECUTORS);
    double[][] sum = new double[1][];
    int jobs =
        Jobs.of(context.sc(), () -> sum[0] = JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
    assertArrayEquals(new double[] {19900, 50}, sum[0]);
    assertTrue(jobs <= 3, jobs + " attempts");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aProgramOfWhichOneRankFailsWhileTheOthersWaitForIt(boolean wrapped) {
    JavaRDD<Integer> rdd = shuffledApart();
    assertEquals(EXECUTORS, rdd.count());
    deleteFiles(1);
    JavaRDD<Integer> sums =
        JavaCollectives.of(rdd)
            .collectively(
                (communicator, elements) -> {
                  int[] sum = {0};
                  for (Integer element : wrapped ? read(elements) : copy(elements)) {
                    sum[0] += element;
                  }
                  return List.of(communicator.allReduce(sum, ReduceOp.SUM)[0]).iterator();
                });
    assertEquals(List.of(60, 60, 60, 60), sums.collect());
  }

  private static List<Integer> copy(Iterator<Integer> elements) {
    List<Integer> all = new ArrayList<>();
    elements.forEachRemaining(all::add);
    return all;
  }

  /** As many readers do. */
  private static List<Integer> read(Iterator<Integer> elements) {
    try {
      return copy(elements);
    } catch (Exception e) {
      throw new IllegalStateException("the input cannot be read", e);
    }
  }
}
