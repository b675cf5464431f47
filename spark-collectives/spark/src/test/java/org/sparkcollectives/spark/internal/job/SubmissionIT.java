package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.JobResult;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.Same;
import org.sparkcollectives.spark.internal.body.Plan;
import org.sparkcollectives.spark.internal.body.RankBody;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.input.Ranks;
import org.sparkcollectives.spark.internal.rendezvous.Admission;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.spark.internal.rendezvous.Rendezvous;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.collection.immutable.Map$;

/** Jobs that Spark does not begin, since they need more slots than it has. */
class SubmissionIT {
  /** Ranks that have begun of those that are too many; they run in this JVM. */
  private static final AtomicInteger BEGUN = new AtomicInteger();

  /** Far longer than it takes to cancel a job that has begun. */
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** A plan whose ranks are more than it says, as if slots had gone since it was made. */
  private static Plan tooLarge(JavaSparkContext context) {
    return plan(context, 8, 2, (session, partitions) -> BEGUN.incrementAndGet());
  }

  private static Plan plan(JavaSparkContext context, int ranks, int said, RankBody body) {
    @SuppressWarnings("unchecked")
    RDD<Object> input = (RDD<Object>) (RDD<?>) Ranks.numbered(context, ranks).rdd();
    return new Plan(input, said, body);
  }

  /** A plan whose ranks go on for long, unless they are killed. */
  private static Plan ofLongRanks(JavaSparkContext context, int ranks) {
    return plan(
        context,
        ranks,
        ranks,
        (session, partitions) -> {
          goOn();
          return null;
        });
  }

  private static void goOn() throws InterruptedException {
    long start = System.nanoTime();
    while (!TaskContext.get().isInterrupted() && System.nanoTime() - start < LONG_NANOS) {
      Thread.sleep(20);
    }
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
      assertEquals(
          3, JavaCollectives.of(context.parallelize(List.of(1, 2), 2)).reduce(ReduceOp.SUM));
      assertEquals(0, BEGUN.get());
    }
  }

  /** Spark begins it all the same when there are slots again; then it is cancelled. */
  @Test
  @Timeout(240)
  void aJobWhoseSlotsHaveGoneSaysSo() throws InterruptedException {
    SparkConf conf =
        SharedCluster.get()
            .conf("slots lost", 2, 1, "512m")
            .set("spark.collectives.slots.timeout", "2s")
            .set("spark.collectives.retries", "0")
            .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
            .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "1000");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      BlockingQueue<JobResult> ended = jobsEnded(context);
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
                        return ofLongRanks(context, 2);
                      }));
      assertEquals(
          "test has not started within 2000 ms: its tasks need 2 slots at once, and there are 1:"
              + " executors were lost while it waited, or take no new tasks. Call it again, which"
              + " makes do with the slots that there are, or raise spark.collectives.retries.",
          e.getMessage());
      assertNull(ended.peek());
      assertTrue(context.sc().requestTotalExecutors(2, 0, Map$.MODULE$.empty()));
      JobResult result = ended.poll(120, TimeUnit.SECONDS);
      assertNotNull(result, "Spark has not ended it");
      assertNotEquals(JobSucceeded$.MODULE$, result);
    }
  }

  private static BlockingQueue<JobResult> jobsEnded(JavaSparkContext context) {
    BlockingQueue<JobResult> ended = new LinkedBlockingQueue<>();
    context
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onJobEnd(SparkListenerJobEnd event) {
                ended.add(event.jobResult());
              }
            });
    return ended;
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
              () ->
                  runner.run(
                      Admission.ALL,
                      1,
                      slots -> plan(context, 3, 3, (session, partitions) -> null)));
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
  void anInterruptedCallerDoesNotWaitForSpark() throws Exception {
    SparkConf conf = local("interrupted");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JobRunner runner = new JobRunner(context.sc(), "test", CollectiveConf.of(conf), null);
      isAbortedWhenInterrupted(
          () -> runner.run(Admission.ALL, 1, slots -> tooLarge(context)), 1_000);
    }
  }

  private static SparkConf local(String name) {
    return new SparkConf().setMaster("local[2]").setAppName(name).set("spark.ui.enabled", "false");
  }

  /** A call that waits for slots, whose thread is interrupted after a while. */
  private static void isAbortedWhenInterrupted(Executable call, long millis) throws Exception {
    FutureTask<Boolean> aborted =
        new FutureTask<>(
            () -> {
              AbortedException e = assertThrows(AbortedException.class, call);
              assertTrue(e.getMessage().contains("its thread was interrupted"), e.getMessage());
              return Thread.currentThread().isInterrupted();
            });
    Thread caller = new Thread(aborted);
    caller.start();
    Thread.sleep(millis);
    assertFalse(aborted.isDone());
    caller.interrupt();
    assertTrue(aborted.get(10, TimeUnit.SECONDS), "the thread is left as interrupted");
  }

  /** It may take a while, and deadlines are not to wait for that. */
  @Test
  @Timeout(60)
  void whatTasksOfAnAbandonedJobNeedIsNotFreedInTheThreadForDeadlines() throws Exception {
    SparkConf conf = local("abandoned");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      DriverEndpoint endpoint = DriverEndpoint.of(context.sc());
      Attempt attempt = new Attempt("test", endpoint.nextJob(), 0, CollectiveConf.of(conf), 0);
      Rendezvous rendezvous = endpoint.open(attempt, 1, Admission.ALL);
      String tag = RunningStage.tag(attempt);
      context.addJobTag(tag);
      JavaRDD<Object> ranks =
          Ranks.numbered(context, 1)
              .map(
                  rank -> {
                    goOn();
                    return rank;
                  });
      Submission submission =
          Submission.of(context.sc(), endpoint, ranks.rdd(), 1, rendezvous, tag);
      CompletableFuture<String> thread = new CompletableFuture<>();
      submission.leave(() -> thread.complete(Thread.currentThread().getName()));
      assertEquals("spark-collectives-cleaner", thread.get(30, TimeUnit.SECONDS));
      endpoint.close(attempt);
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
  void aJobIsGivenUpForWhichAnEarlierStageLacksSlots() throws Exception {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("earlier stage")
            .set("spark.ui.enabled", "false")
            .set("spark.collectives.start.timeout", "4s");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<Integer> rdd = behindABarrierStage(context);
      isAbortedWhenInterrupted(() -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM), 2_000);
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
    SparkConf conf = local("stopped");
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
