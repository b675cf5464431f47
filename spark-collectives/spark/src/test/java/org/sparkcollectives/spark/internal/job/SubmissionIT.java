package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.Same;
import org.sparkcollectives.spark.internal.body.Plan;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.input.Ranks;
import org.sparkcollectives.spark.internal.rendezvous.Admission;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** Jobs that Spark does not begin, since they need more slots than it has. */
class SubmissionIT {
  private static final AtomicInteger BEGUN = new AtomicInteger();

  /** A plan whose ranks are more than it says, as if slots had gone since it was made. */
  private static Plan tooLarge(JavaSparkContext context) {
    return ofRanks(context, 8);
  }

  /** A plan that says that it has two ranks. */
  private static Plan ofRanks(JavaSparkContext context, int ranks) {
    return ofRanks(context, ranks, 2);
  }

  private static Plan ofRanks(JavaSparkContext context, int ranks, int said) {
    @SuppressWarnings("unchecked")
    RDD<Object> input = (RDD<Object>) (RDD<?>) Ranks.numbered(context, ranks).rdd();
    RankBody body =
        (session, partitions) -> {
          BEGUN.incrementAndGet();
          return null;
        };
    return new Plan(input, said, body);
  }

  @Test
  @Timeout(60) // Spark itself would look forty times, once in fifteen seconds
  void aJobIsGivenUpThatSparkDoesNotKnowYet() {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("submission")
            .set("spark.ui.enabled", "false")
            .set("spark.collectives.start.timeout", "2s");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JobRunner runner = new JobRunner(context.sc(), "test", CollectiveConf.of(conf), null);
      DeadlineException e =
          assertThrows(
              DeadlineException.class,
              () -> runner.run(Admission.ALL, 1, slots -> tooLarge(context)));
      assertTrue(e.getMessage().startsWith("test has not started within 2000 ms"), e.getMessage());
      assertEquals(0, BEGUN.get());
      assertEquals(
          3, JavaCollectives.of(context.parallelize(List.of(1, 2), 2)).reduce(ReduceOp.SUM));
    }
  }

  @Test
  @Timeout(120)
  void aJobWhoseSlotsHaveGoneSaysSo() {
    SparkConf conf =
        SharedCluster.get()
            .conf("slots lost", 2, 1, "512m")
            .set("spark.collectives.slots.timeout", "2s")
            .set("spark.collectives.retries", "0");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JobRunner runner = new JobRunner(context.sc(), "test", CollectiveConf.of(conf), null);
      awaitSlots(context, 2);
      DeadlineException e =
          assertThrows(
              DeadlineException.class,
              () ->
                  runner.run(
                      Admission.ALL,
                      1,
                      slots -> {
                        assertTrue(context.sc().killExecutor("0"));
                        awaitSlots(context, 1);
                        return ofRanks(context, 2);
                      }));
      assertEquals(
          "test has not started within 2000 ms: its tasks need 2 slots at once, and there are 1:"
              + " executors were lost while it waited, or take no new tasks. Call it again, which"
              + " makes do with the slots that there are, or raise spark.collectives.retries.",
          e.getMessage());
      assertEquals(0, BEGUN.get());
    }
  }

  /** However short the time is in which jobs that have slots have to start. */
  @Test
  @Timeout(60)
  void aJobWhoseSlotsHaveGoneSaysSoOfEachAttempt() {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("slots gone")
            .set("spark.ui.enabled", "false")
            .set("spark.collectives.slots.timeout", "2s")
            .set("spark.collectives.start.timeout", "1s")
            .set("spark.collectives.retries", "1");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JobRunner runner = new JobRunner(context.sc(), "test", CollectiveConf.of(conf), null);
      DeadlineException e =
          assertThrows(
              DeadlineException.class,
              () -> runner.run(Admission.ALL, 1, slots -> ofRanks(context, 3, 3)));
      String ended =
          "test has not started within 2000 ms: its tasks need 3 slots at once, and there are 2:"
              + " executors were lost while it waited, or take no new tasks";
      assertEquals(
          "test failed at each of 2 attempts: 1) "
              + ended
              + "; 2) "
              + ended
              + ". See the logs of these executors, or raise spark.collectives.retries.",
          e.getMessage());
      assertInstanceOf(DeadlineException.class, e.getCause());
    }
  }

  private static void awaitSlots(JavaSparkContext context, int slots) {
    var profile = context.sc().resourceProfileManager().defaultResourceProfile();
    Await.until(slots + " slots", () -> context.sc().maxNumConcurrentTasks(profile) == slots);
  }

  @Test
  @Timeout(60)
  void anInterruptedCallerDoesNotWaitForSpark() throws InterruptedException {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("interrupted")
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JobRunner runner = new JobRunner(context.sc(), "test", CollectiveConf.of(conf), null);
      Thread caller = new Thread(() -> runner.run(Admission.ALL, 1, slots -> tooLarge(context)));
      caller.setUncaughtExceptionHandler((thread, thrown) -> {});
      caller.start();
      Thread.sleep(1_000);
      assertTrue(caller.isAlive());
      caller.interrupt();
      caller.join(10_000);
      assertTrue(!caller.isAlive());
    }
  }

  /** Spark knows the stage before the one that lacks slots, and that it is of this job. */
  private static JavaRDD<Integer> behindABarrierStage(JavaSparkContext context) {
    JavaRDD<Integer> before = context.parallelize(List.of(1, 2, 3, 4), 2).repartition(8);
    RDD<Integer> barrier =
        before.rdd().barrier().mapPartitions(new Same<>(), false, before.classTag());
    return new JavaRDD<>(barrier, before.classTag()).repartition(2);
  }

  @Test
  @Timeout(60)
  void aJobIsGivenUpForWhichAnEarlierStageLacksSlots() throws InterruptedException {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("earlier stage")
            .set("spark.ui.enabled", "false")
            .set("spark.collectives.start.timeout", "4s");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<Integer> rdd = behindABarrierStage(context);
      Thread caller = new Thread(() -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
      caller.setUncaughtExceptionHandler((thread, thrown) -> {});
      caller.start();
      Thread.sleep(2_000);
      assertTrue(caller.isAlive());
      caller.interrupt();
      caller.join(10_000);
      assertFalse(caller.isAlive());
      DeadlineException e =
          assertThrows(
              DeadlineException.class, () -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
      assertTrue(
          e.getMessage().startsWith("twoTreeReduce has not started within 4000 ms"),
          e.getMessage());
      Thread.sleep(1_500); // both are cancelled once a second
      assertFalse(context.sc().isStopped());
      assertEquals(
          3, JavaCollectives.of(context.parallelize(List.of(1, 2), 2)).reduce(ReduceOp.SUM));
    }
  }

  @Test
  @Timeout(60)
  void aCallerDoesNotWaitForAJobOfAContextThatIsStopped() throws Exception {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("stopped")
            .set("spark.ui.enabled", "false");
    CompletableFuture<Object> called;
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JobRunner runner = new JobRunner(context.sc(), "test", CollectiveConf.of(conf), null);
      called =
          CompletableFuture.supplyAsync(
              () -> runner.run(Admission.ALL, 1, slots -> tooLarge(context)));
      Thread.sleep(1_000); // Spark now waits for slots
      assertFalse(called.isDone());
    }
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> called.get(30, TimeUnit.SECONDS));
    InvalidInputException stopped = assertInstanceOf(InvalidInputException.class, e.getCause());
    assertEquals(
        "test cannot run: the SparkContext is stopped. Make a new one and its RDDs anew.",
        stopped.getMessage());
  }
}
