package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** Ranks that throw, stay away or die: the first cause reaches the caller, and nothing remains. */
@Timeout(180)
class FailuresIT {
  private static final int EXECUTORS = 2;
  private static final int SLOTS = 4;

  /** A vector's length that is too long for the end of a task. */
  private static final int LONG = 20_000;

  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    SparkConf conf =
        SharedCluster.get()
            .conf("failures", EXECUTORS, SLOTS / EXECUTORS, "512m")
            .set("spark.collectives.timeout", "20s")
            .set("spark.collectives.compute.timeout", "15s")
            .set("spark.collectives.slots.timeout", "90s");
    context = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  /** Whatever a test has done, ranks have links afterwards and no attempt is left open. */
  @AfterEach
  void executorsAreUsable() throws InterruptedException {
    awaitExecutors();
    assertArrayEquals(
        Arrays.copyOf(new double[] {6, 4}, LONG),
        JavaCollectives.of(longVectors()).twoTreeReduce(ReduceOp.SUM));
    assertEquals(0, DriverEndpoint.openAttempts());
  }

  /** An executor that was killed comes back. */
  private static void awaitExecutors() throws InterruptedException {
    ExecutorPlaces.awaitAll(context, EXECUTORS);
  }

  private static JavaRDD<double[]> vectors(int count) {
    return numbers(count).map(i -> new double[] {i, 1});
  }

  private static JavaRDD<double[]> longVectors() {
    return vectors(SLOTS).map(vector -> Arrays.copyOf(vector, LONG));
  }

  private static JavaRDD<Integer> numbers(int count) {
    List<Integer> list = java.util.stream.IntStream.range(0, count).boxed().toList();
    return context.parallelize(list, count);
  }

  @Test
  void anExceptionWhileVectorsAreMade() {
    for (int partitions : new int[] {3, 9}) {
      JavaRDD<double[]> rdd =
          numbers(partitions)
              .map(
                  i -> {
                    if (i == 2) {
                      throw new ArithmeticException("no gradient for sample " + i);
                    }
                    return new double[] {i};
                  });
      RankFailedException e =
          assertThrows(
              RankFailedException.class,
              () -> JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM));
      assertInstanceOf(ArithmeticException.class, e.getCause());
      assertTrue(e.getMessage().contains("no gradient for sample 2"), e.getMessage());
      String where = partitions == 3 ? "rank 2 on 127.0.0.1 (executor " : ", partition 2: ";
      assertTrue(e.getMessage().contains(where), e.getMessage());
    }
  }

  @Test
  void anExceptionWhoseTextIsThatOfACancelledJob() {
    JavaRDD<double[]> rdd =
        vectors(3)
            .map(
                vector -> {
                  throw new IllegalStateException("Job 17 cancelled by its owner");
                });
    RankFailedException e =
        assertThrows(
            RankFailedException.class, () -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
    assertInstanceOf(IllegalStateException.class, e.getCause());
  }

  @Test
  void anExceptionInAnOperator() {
    ReduceOp<Object> op =
        ReduceOp.ofDouble(
            "picky",
            false,
            (a, b) -> {
              if (b == 3) {
                throw new IllegalStateException("three is too many");
              }
              return a + b;
            });
    RankFailedException e =
        assertThrows(
            RankFailedException.class, () -> JavaCollectives.of(vectors(SLOTS)).twoTreeReduce(op));
    assertInstanceOf(IllegalStateException.class, e.getCause());
    assertTrue(e.getMessage().contains("three is too many"), e.getMessage());
  }

  /** Of ranks that have combined in their executor what they bring, one takes part. */
  @Test
  void aRankHasOneNumberWhereNotAllTakePart() {
    ReduceOp<Object> op =
        ReduceOp.ofDouble(
            "picky",
            false,
            (a, b) -> {
              if (a + b == 6 && TaskContext.getPartitionId() > 0) {
                throw new IllegalStateException("six is too many");
              }
              return a + b;
            });
    RankFailedException e =
        assertThrows(
            RankFailedException.class,
            () -> JavaCollectives.of(longVectors()).allReduce(op, "recursive-doubling"));
    List<String> ranks =
        Pattern.compile("rank [0-9]+ on 127.0.0.1")
            .matcher(e.getMessage())
            .results()
            .map(MatchResult::group)
            .toList();
    assertEquals(2, ranks.size(), e.getMessage());
    assertEquals(ranks.get(0), ranks.get(1), e.getMessage());
  }

  @Test
  void anExceptionBetweenCollectivesEndsAllRanksSoon() {
    long start = System.nanoTime();
    RankFailedException e =
        assertThrows(
            RankFailedException.class,
            () ->
                JavaCollectives.of(vectors(SLOTS))
                    .collectively(
                        (communicator, elements) -> {
                          communicator.barrier();
                          if (communicator.rank() == 2) {
                            throw new IllegalStateException("gave up");
                          }
                          communicator.allReduce(new double[100_000], ReduceOp.SUM);
                          return elements;
                        }));
    assertEquals("gave up", String.valueOf(e.getCause().getMessage()));
    assertTrue(e.getMessage().contains("rank 2 on 127.0.0.1"), e.getMessage());
    assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(15), "took until a deadline");
  }

  @Test
  void aRankThatNeverCalls() {
    DeadlineException e =
        assertThrows(
            DeadlineException.class,
            () ->
                JavaCollectives.of(vectors(3))
                    .collectively(
                        (communicator, elements) -> {
                          if (communicator.rank() == 1) {
                            while (!TaskContext.get().isInterrupted()) {
                              Thread.sleep(50);
                            }
                            return elements;
                          }
                          communicator.barrier();
                          return elements;
                        }));
    assertTrue(e.getMessage().contains("rank 1 on 127.0.0.1 (executor "), e.getMessage());
    assertTrue(e.getMessage().contains("has called no operation for 15000 ms"), e.getMessage());
    assertTrue(e.getMessage().contains("spark.collectives.compute.timeout"), e.getMessage());
  }

  /** The caller gives up waiting: its job must not go on in the cluster. */
  @Test
  void aCallerThatIsInterrupted() throws Exception {
    JavaRDD<double[]> input = vectors(3);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                JavaCollectives.of(input)
                    .collectively(
                        (communicator, elements) -> {
                          communicator.barrier();
                          while (!TaskContext.get().isInterrupted()) {
                            Thread.sleep(20);
                          }
                          return elements;
                        });
              } catch (RuntimeException e) {
                thrown.set(e);
              }
            });
    caller.start();
    Await.until("its job", () -> context.statusTracker().getActiveJobIds().length > 0);
    Thread.sleep(500);
    caller.interrupt();
    caller.join(15_000);
    assertInstanceOf(CollectiveException.class, thrown.get());
    Await.until("the end of its job", () -> context.statusTracker().getActiveJobIds().length == 0);
  }

  /**
   * What a call has stored is removed by asking executors, which is no reason to fail otherwise.
   */
  @Test
  void aCallerThatIsInterruptedWhileTheDriverHoldsAValue() throws Exception {
    JavaRDD<double[]> input = // more than goes along with a task
        context.parallelize(Collections.nCopies(3, new double[1 << 17]), 3);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              try {
                JavaCollectives.of(input)
                    .twoTreeAggregateWith(
                        new double[100_000],
                        () -> new double[1],
                        (value, sum, element) -> {
                          while (!TaskContext.get().isInterrupted()) {
                            Thread.sleep(20);
                          }
                          return sum;
                        },
                        ReduceOp.SUM);
              } catch (Throwable e) {
                thrown.set(e);
                interrupted.set(Thread.currentThread().isInterrupted());
              }
            });
    caller.start();
    Await.until("its job", () -> context.statusTracker().getActiveJobIds().length > 0);
    Thread.sleep(500);
    caller.interrupt();
    caller.join(15_000);
    assertInstanceOf(AbortedException.class, thrown.get());
    assertTrue(interrupted.get());
    Await.until("the end of its job", () -> context.statusTracker().getActiveJobIds().length == 0);
  }

  @Test
  void aRankThatLeavesEarlyIsNamedAndTheProgramNotRepeated(@TempDir Path folder) throws Exception {
    String started = folder.toString();
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                JavaCollectives.of(vectors(3))
                    .collectively(
                        (communicator, elements) -> {
                          Files.createTempFile(Path.of(started), "rank", "");
                          if (communicator.rank() != 2) {
                            communicator.allReduce(new double[1000], ReduceOp.SUM);
                          }
                          return elements;
                        }));
    assertTrue(e.getMessage().contains("rank 2 on 127.0.0.1"), e.getMessage());
    assertTrue(
        e.getMessage().contains("has returned without what others have called: it was in 0 op"),
        e.getMessage());
    try (var ranks = Files.list(folder)) {
      assertEquals(3, ranks.count());
    }
  }

  /** No rank has a connection to it, nor to any other rank. */
  @Test
  void aRankThatReturnsBeforeItsFirstOperationIsNamedBeforeTheTimeout() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                JavaCollectives.of(vectors(3))
                    .collectively(
                        (communicator, elements) -> {
                          if (communicator.rank() != 2) {
                            communicator.broadcast(new double[1000], 2);
                          }
                          return elements;
                        }));
    assertTrue(e.getMessage().contains("it was in 0 operations, and rank "), e.getMessage());
    assertTrue(e.getMessage().contains("broadcast #1 of 1000 double"), e.getMessage());
  }

  /** No rank has a connection to the one that aborts, which goes on without a word. */
  @Test
  void anAbortReachesTheDriverAndAllRanksAtOnce() {
    long start = System.nanoTime();
    RankFailedException e =
        assertThrows(
            RankFailedException.class,
            () ->
                JavaCollectives.of(vectors(3))
                    .collectively(
                        (communicator, elements) -> {
                          if (communicator.rank() == 1) {
                            communicator.abort(new IllegalStateException("bad sample"));
                            while (!TaskContext.get().isInterrupted()) {
                              Thread.sleep(20);
                            }
                            return elements;
                          }
                          Thread.sleep(300);
                          communicator.barrier();
                          return elements;
                        }));
    assertEquals("bad sample", String.valueOf(e.getCause().getMessage()));
    assertTrue(e.getMessage().contains("rank 1 on 127.0.0.1"), e.getMessage());
    assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(15), "took until a deadline");
  }

  @Test
  void ranksThatCallDifferentCollectives() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                JavaCollectives.of(vectors(2))
                    .collectively(
                        (communicator, elements) -> {
                          double[] vector = new double[communicator.rank() + 1];
                          communicator.allReduce(vector, ReduceOp.SUM);
                          return elements;
                        }));
    assertTrue(e.getMessage().contains("do different operations"), e.getMessage());
  }

  @Test
  void aFunctionThatReturnsNullIsNamed() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                JavaCollectives.of(vectors(SLOTS))
                    .collectively(
                        (communicator, elements) ->
                            communicator.rank() == 1 ? nothing() : elements));
    assertTrue(
        e.getMessage().contains("collectively's function returned null on rank 1"), e.getMessage());
  }

  @SuppressWarnings("NullAway") // what a user's Java code can do
  private static Iterator<double[]> nothing() {
    return null;
  }

  @Test
  void rootsThatDifferAreNamedLongBeforeTheTimeout() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                JavaCollectives.of(vectors(SLOTS))
                    .collectively(
                        (communicator, elements) -> {
                          int root = communicator.rank() == 2 ? 2 : 0;
                          communicator.reduce(new double[4], ReduceOp.SUM, root);
                          return elements;
                        }));
    assertTrue(e.getMessage().contains("do different operations"), e.getMessage());
    assertTrue(e.getMessage().contains("rank 2 on "), e.getMessage());
    assertTrue(e.getMessage().contains("reduce #1 of 4 double, root 2 ("), e.getMessage());
    assertTrue(e.getMessage().contains("root 0"), e.getMessage());
  }

  @Test
  void algorithmsThatDifferAreNamed() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                JavaCollectives.of(vectors(SLOTS))
                    .collectively(
                        (communicator, elements) -> {
                          String slug = communicator.rank() == 1 ? "ring" : "recursive-doubling";
                          communicator.by(slug).allReduce(new double[8], ReduceOp.SUM);
                          return elements;
                        }));
    assertTrue(e.getMessage().contains("rank 1 on "), e.getMessage());
    assertTrue(e.getMessage().contains("(ring, "), e.getMessage());
    assertTrue(e.getMessage().contains("(recursive-doubling, "), e.getMessage());
  }

  @Test
  void aKilledExecutorInTheMiddleOfAnAllReduce(@TempDir Path folder) throws Exception {
    String flag = folder.resolve("killed").toString();
    String busy = folder.resolve("busy").toString();
    CallEvents told = new CallEvents();
    Jobs.settle(context.sc());
    context.sc().addSparkListener(told);
    CompletableFuture<List<Double>> result =
        CompletableFuture.supplyAsync(
            () ->
                JavaCollectives.of(vectors(SLOTS))
                    .<Double>collectively(
                        (communicator, elements) -> {
                          double sum = 0;
                          boolean first = Files.notExists(Path.of(flag));
                          for (int round = 0; round < (first ? 100_000 : 10); round++) {
                            double[] vector = new double[200_000];
                            java.util.Arrays.fill(vector, communicator.rank() + 1);
                            communicator.allReduce(vector, ReduceOp.SUM);
                            sum = vector[199_999];
                            if (round == 5 && communicator.rank() == 0 && first) {
                              long pid = ProcessHandle.current().pid();
                              Files.writeString(Path.of(busy), Long.toString(pid));
                            }
                          }
                          return List.of(sum).iterator();
                        })
                    .collect());
    long victim = Long.parseLong(awaitContent(Path.of(busy)));
    Files.createFile(Path.of(flag));
    SharedCluster.get().killExecutor(victim);
    List<Double> sums = result.get(120, TimeUnit.SECONDS);
    int ranks = sums.size(); // fewer, where the executor comes back late
    assertTrue(ranks == SLOTS || ranks == SLOTS / EXECUTORS, sums.toString());
    assertEquals(Collections.nCopies(ranks, ranks * (ranks + 1) / 2.0), sums);

    Jobs.settle(context.sc());
    context.sc().removeSparkListener(told);
    assertEquals(1, told.calls.size()); // one, whatever the number of attempts and operations
    CallEvent call = told.calls.get(0);
    assertEquals(CallEvent.SUCCEEDED, call.state);
    assertEquals(2, call.attemptCount);
    CallEvent.Attempt lost = call.attempts.get(0);
    assertEquals(CallEvent.FAILED, lost.state);
    assertTrue(lost.stage >= 0 && lost.jobs.size() == 1 && lost.came == SLOTS, lost.cause);
    assertTrue(lost.cause.contains("executor"), lost.cause);
    assertEquals(CallEvent.SUCCEEDED, call.attempts.get(1).state);
    assertTrue(call.attempts.get(1).jobs.get(0) > lost.jobs.get(0));
    assertEquals(ranks, call.rankFigures.size());
    assertEquals(10, call.operations.get(0).count);
    assertTrue(call.sentBytes > 0, "nothing was sent");
  }

  /** The calls that Spark's listeners are told of. */
  private static final class CallEvents extends SparkListener {
    final List<CallEvent> calls = new CopyOnWriteArrayList<>();

    @Override
    public void onOtherEvent(SparkListenerEvent event) {
      if (event instanceof CallEvent call) {
        calls.add(call);
      }
    }
  }

  private static String awaitContent(Path file) throws Exception {
    Await.until("what a rank writes to " + file, () -> Files.exists(file) && Files.size(file) > 0);
    Thread.sleep(100);
    return Files.readString(file);
  }

  /** Spark begins a killed task again, but none of a barrier stage; so the library does. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKilledTaskIsTriedAgain(boolean othersWait, @TempDir Path folder) throws Exception {
    String busy = folder.resolve("busy").toString();
    JavaRDD<double[]> input =
        vectors(SLOTS)
            .map(
                vector -> {
                  if (!othersWait && vector[0] == 2 && Files.notExists(Path.of(busy))) {
                    Files.writeString(Path.of(busy), taskId());
                    Thread.sleep(60_000);
                  }
                  return vector;
                });
    CompletableFuture<List<Integer>> result =
        CompletableFuture.supplyAsync(
            () ->
                JavaCollectives.of(input)
                    .<Integer>collectively(
                        (communicator, elements) -> {
                          boolean first = othersWait && Files.notExists(Path.of(busy));
                          communicator.barrier();
                          if (first && communicator.rank() == 1) {
                            Files.writeString(Path.of(busy), taskId());
                          }
                          while (first) {
                            communicator.barrier();
                          }
                          elements.next();
                          return List.of(communicator.size()).iterator();
                        })
                    .collect());
    long victim = Long.parseLong(awaitContent(Path.of(busy)));
    assertTrue(context.sc().killTaskAttempt(victim, true, "of this test"));
    assertEquals(List.of(SLOTS, SLOTS, SLOTS, SLOTS), result.get(60, TimeUnit.SECONDS));
  }

  private static String taskId() {
    return Long.toString(TaskContext.get().taskAttemptId());
  }

  @Test
  void aCancelledJobEndsAndIsNotRepeated(@TempDir Path folder) throws Exception {
    String busy = folder.resolve("busy").toString();
    CompletableFuture<Object> result =
        CompletableFuture.supplyAsync(
            () ->
                JavaCollectives.of(vectors(SLOTS))
                    .collectively(
                        (communicator, elements) -> {
                          communicator.barrier();
                          Files.writeString(Path.of(busy + communicator.rank()), "yes");
                          while (true) {
                            communicator.barrier();
                          }
                        }));
    awaitContent(Path.of(busy + 0));
    context.cancelAllJobs();
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> result.get(30, TimeUnit.SECONDS));
    assertInstanceOf(CollectiveException.class, e.getCause());
    assertTrue(String.valueOf(e.getMessage()).contains("cancelled"), e.getMessage());
  }

  /** A value that ranks have read only when their tasks are to end. */
  private static final class Awaited implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    private final String begun;

    Awaited(Path folder) {
      begun = folder.resolve("begun").toString();
    }

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      Files.writeString(Path.of(begun), "yes");
      while (!TaskContext.get().isInterrupted()) {
        LockSupport.parkNanos(20_000_000);
      }
    }
  }

  /** Nobody would remove it again. */
  @Test
  void whatABroadcastBringsIsNotStoredOnceItIsCancelled(@TempDir Path folder) throws Exception {
    StoredOnExecutors stored = new StoredOnExecutors();
    Jobs.settle(context.sc());
    context.sc().addSparkListener(stored);
    Awaited value = new Awaited(folder);
    CompletableFuture<Object> result =
        CompletableFuture.supplyAsync(
            () -> JavaCollectives.of(context).broadcast(value, "two-tree"));
    awaitContent(Path.of(value.begun));
    context.cancelAllJobs();
    assertThrows(ExecutionException.class, () -> result.get(30, TimeUnit.SECONDS));
    Await.until(
        "the end of all tasks",
        () ->
            Arrays.stream(context.sc().statusTracker().getExecutorInfos())
                .allMatch(executor -> executor.numRunningTasks() == 0));
    ExecutorPlaces.awaitSlots(context, SLOTS); // that number may be of before they ran
    Jobs.settle(context.sc());
    context.sc().removeSparkListener(stored);
    assertEquals(List.of(), stored.numbers);
  }

  @Test
  void twoCollectivesAtOnceFromTwoThreads() throws Exception {
    CompletableFuture<?>[] both = new CompletableFuture<?>[2];
    for (int t = 0; t < both.length; t++) {
      int thread = t;
      both[t] =
          CompletableFuture.runAsync(
              () -> {
                for (int round = 0; round < 10; round++) {
                  int factor = 1 + thread + round;
                  JavaRDD<double[]> rdd = numbers(2 + thread).map(i -> new double[] {i * factor});
                  double[] sum = JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM).value();
                  assertArrayEquals(new double[] {(1 + 2 * thread) * factor}, sum);
                }
              });
    }
    CompletableFuture.allOf(both).get(120, TimeUnit.SECONDS);
  }
}
