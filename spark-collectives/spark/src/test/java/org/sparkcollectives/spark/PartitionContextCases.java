package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.python.PythonRunner;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * What code sees that computes partitions, of which ranks have several; in the application of
 * {@link EveryRddIT}.
 */
@Timeout(240)
@Tag("cross-version")
abstract class PartitionContextCases {
  private static final int PARTITIONS = 3 * EveryRddIT.SLOTS;

  /** In each executor, contexts that have begun and not ended. */
  private static final AtomicInteger OPEN = new AtomicInteger();

  /** Other cases of the same application may just have lost executors. */
  @BeforeAll
  static void awaitExecutors() throws InterruptedException {
    ExecutorPlaces.awaitAll(EveryRddIT.context(), EveryRddIT.SLOTS);
  }

  private static JavaRDD<Integer> numbers(int partitions) {
    List<Integer> numbers = IntStream.range(0, 4 * PARTITIONS).boxed().toList();
    return EveryRddIT.context().parallelize(numbers, partitions);
  }

  @Test
  void theIndexIsThePartitionsAndWhatItNeedsIsFreedAtItsEnd() {
    JavaRDD<double[]> seen =
        numbers(PARTITIONS)
            .mapPartitionsWithIndex(
                (partition, elements) -> {
                  TaskContext task = TaskContext.get();
                  int open = OPEN.incrementAndGet();
                  task.addTaskCompletionListener(
                      (TaskCompletionListener) unused -> OPEN.decrementAndGet());
                  boolean right =
                      task.partitionId() == partition && task.numPartitions() == PARTITIONS;
                  return Stream.of(new double[] {open, right ? 0 : 1}).iterator();
                },
                true);
    assertArrayEquals(new double[] {1, 0}, JavaCollectives.of(seen).twoTreeReduce(ReduceOp.MAX));
  }

  /** Spark watches no worker of Python twice for one attempt, and each partition needs a watch. */
  @Test
  void aPartitionIsNotTakenForOneWhosePythonIsWatched() {
    JavaRDD<double[]> rdd =
        numbers(PARTITIONS)
            .mapPartitions(
                elements -> {
                  boolean first =
                      watched().add(new Tuple2<>(null, TaskContext.get().taskAttemptId()));
                  return Stream.of(new double[] {first ? 1 : 0}).iterator();
                },
                true);
    assertArrayEquals(new double[] {1}, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.MIN));
  }

  /** Workers and attempts of tasks; the class of workers is another one in each line of Spark. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Set<Object> watched() {
    return (Set<Object>) (Set) PythonRunner.runningMonitorThreads();
  }

  /** A rank's partitions need their memory one after another. */
  @Test
  void thePeakOfARanksMemoryIsThatOfAPartition() {
    JavaRDD<double[]> rdd =
        numbers(PARTITIONS)
            .mapPartitionsWithIndex(
                (partition, elements) -> {
                  TaskContext task = TaskContext.get();
                  task.addTaskCompletionListener(
                      (TaskCompletionListener)
                          unused -> task.taskMetrics().incPeakExecutionMemory(1000));
                  return vectors(elements);
                },
                true);
    AtomicLong peaks = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            peaks.addAndGet(end.taskMetrics().peakExecutionMemory());
          }
        };
    Jobs.settle(EveryRddIT.context().sc());
    EveryRddIT.context().sc().addSparkListener(listener);
    JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM);
    Await.until("the ends of all tasks", () -> peaks.get() >= 1000 * EveryRddIT.SLOTS);
    EveryRddIT.context().sc().removeSparkListener(listener);
    assertEquals(1000 * EveryRddIT.SLOTS, peaks.get());
  }

  /** Counts the partitions whose code is that of a barrier task. */
  private static final class OfBarrier
      extends AbstractFunction1<
          scala.collection.Iterator<Integer>, scala.collection.Iterator<double[]>>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public scala.collection.Iterator<double[]> apply(scala.collection.Iterator<Integer> elements) {
      int tasks = BarrierTaskContext.get().getTaskInfos().length;
      return Scala.asScala(Stream.of(new double[] {tasks}).iterator());
    }
  }

  @Test
  void barrierTasksOfTheUsersSeeTheRanks() {
    ClassTag<double[]> tag = ClassTag$.MODULE$.apply(double[].class);
    JavaRDD<Integer> numbers = numbers(EveryRddIT.SLOTS);
    JavaRDD<double[]> made =
        new JavaRDD<>(numbers.rdd().barrier().mapPartitions(new OfBarrier(), false, tag), tag);
    assertArrayEquals(
        new double[] {EveryRddIT.SLOTS}, JavaCollectives.of(made).twoTreeReduce(ReduceOp.MAX));
  }

  /** Writes a file when a partition's context ends or fails. */
  private static JavaRDD<double[]> telling(JavaRDD<Integer> numbers, String folder) {
    return numbers.mapPartitionsWithIndex(
        (partition, elements) -> {
          TaskContext.get()
              .addTaskFailureListener(
                  (TaskFailureListener)
                      (context, thrown) -> {
                        boolean refused = thrown.toString().contains("refused");
                        write(folder, (refused ? "refused" : "stopped") + partition);
                      });
          TaskContext.get()
              .addTaskCompletionListener(
                  (TaskCompletionListener) context -> write(folder, "ended" + partition));
          return vectors(elements);
        },
        true);
  }

  private static Iterator<double[]> vectors(Iterator<Integer> elements) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return elements.hasNext();
      }

      @Override
      public double[] next() {
        int element = elements.next();
        if (element < 0) {
          throw new IllegalStateException("refused");
        }
        return new double[] {element};
      }
    };
  }

  private static void write(String folder, String name) {
    try {
      Files.createFile(Path.of(folder, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> written(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatARankDoesNotReadToItsEndEndsWithItsTask(@TempDir Path folder) {
    long read =
        JavaCollectives.of(telling(numbers(PARTITIONS), folder.toString()))
            .collectively(
                (communicator, elements) -> {
                  elements.next();
                  return Stream.of(communicator.rank()).iterator();
                })
            .count();
    assertEquals(EveryRddIT.SLOTS, read);
    Await.until("one end for each rank", () -> written(folder).size() == EveryRddIT.SLOTS);
  }

  @Test
  void aFailureIsToldToThePartitionThatFailed(@TempDir Path folder) {
    JavaRDD<Integer> bad = numbers(PARTITIONS).map(i -> i == 4 * PARTITIONS - 1 ? -1 : i);
    assertThrows(
        RankFailedException.class,
        () -> JavaCollectives.of(telling(bad, folder.toString())).twoTreeReduce(ReduceOp.SUM));
    int last = PARTITIONS - 1;
    Await.until(
        "the failure and the end",
        () -> written(folder).containsAll(Set.of("refused" + last, "ended" + last)));
    assertEquals(1, written(folder).stream().filter(name -> name.startsWith("refused")).count());
    ExecutorPlaces.awaitSlots(EveryRddIT.context(), EveryRddIT.SLOTS); // the others' ends, too
  }
}
