package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serial;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/** Jobs whose slots are fewer than they look, or taken: they start on others, or say why not. */
@Timeout(180)
class StartIT {

  private static SparkConf conf() {
    return SharedCluster.get().conf("start", 2, 2, "512m");
  }

  private static JavaRDD<double[]> vectors(JavaSparkContext context, int count) {
    List<Integer> numbers = IntStream.range(0, count).boxed().toList();
    return context.parallelize(numbers, count).map(i -> new double[] {i, 1});
  }

  private static List<Integer> ranks(JavaRDD<double[]> rdd) {
    return JavaCollectives.of(rdd)
        .collectively((communicator, elements) -> List.of(communicator.size()).iterator())
        .collect();
  }

  @Test
  void tasksThatNeedTwoCoresAnywhereBehindTheRdd() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      ResourceProfile two =
          new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(2)).build();
      JavaRDD<double[]> direct = vectors(context, 4).withResources(two);
      for (JavaRDD<double[]> rdd : List.of(direct, direct.map(v -> v), direct.coalesce(3))) {
        assertArrayEquals(new double[] {6, 4}, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
        assertEquals(List.of(2, 2), ranks(rdd));
      }
      ResourceProfile one =
          new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(1)).build();
      JavaRDD<double[]> both = direct.union(vectors(context, 2).withResources(one));
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class,
              () -> JavaCollectives.of(both).twoTreeReduce(ReduceOp.SUM));
      assertTrue(e.getMessage().contains("profileMergeConflicts=true"), e.getMessage());
    }
  }

  @Test
  void anExcludedExecutorHasNoSlots() throws InterruptedException {
    SparkConf conf =
        conf()
            .set("spark.excludeOnFailure.enabled", "true")
            .set("spark.excludeOnFailure.application.maxFailedTasksPerExecutor", "1")
            .set("spark.collectives.slots.timeout", "2s");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      vectors(context, 8)
          .foreachPartition(
              elements -> {
                TaskContext task = TaskContext.get();
                if (task.partitionId() == 0 && task.attemptNumber() == 0) {
                  throw new IllegalStateException("once");
                }
              });
      Await.until(
          "an excluded executor",
          () ->
              Scala.asJava(context.sc().statusStore().executorList(true)).stream()
                  .anyMatch(ExecutorSummary::isExcluded));
      assertArrayEquals(
          new double[] {6, 4}, JavaCollectives.of(vectors(context, 4)).twoTreeReduce(ReduceOp.SUM));
      assertEquals(List.of(2, 2), ranks(vectors(context, 4)));
    }
  }

  @Test
  void aJobThatGetsNoSlotsSaysWhoHasThem() throws Exception {
    SparkConf conf = conf().set("spark.collectives.start.timeout", "8s");
    try (JavaSparkContext context = new JavaSparkContext(conf);
        Warnings warnings = Warnings.of("org.sparkcollectives.spark.internal.job.StartWatch")) {
      JavaFutureAction<Void> holder =
          vectors(context, 1)
              .foreachAsync(
                  v -> {
                    while (!TaskContext.get().isInterrupted()) {
                      Thread.sleep(20);
                    }
                  });
      Await.until("the job of those who hold slots", () -> holder.jobIds().size() == 1);
      DeadlineException e =
          assertThrows(
              DeadlineException.class,
              () -> JavaCollectives.of(vectors(context, 4)).twoTreeReduce(ReduceOp.SUM));
      String held = "slots are held by job " + holder.jobIds().get(0) + " (foreachAsync at StartIT";
      assertTrue(e.getMessage().contains("has not started within 8000 ms"), e.getMessage());
      assertTrue(e.getMessage().contains("need 4 slots at once"), e.getMessage());
      assertTrue(e.getMessage().contains(held), e.getMessage());
      assertTrue(e.getMessage().contains("with 1 task"), e.getMessage());
      assertTrue(e.getMessage().contains("spark.collectives.start.timeout"), e.getMessage());
      assertEquals(1, warnings.lines().size(), warnings.lines().toString());
      assertTrue(warnings.lines().get(0).contains(held), warnings.lines().toString());
      Await.until("one job", () -> context.statusTracker().getActiveJobIds().length == 1);
      holder.cancel(true);
    }
  }

  /** Partitions of another RDD that take longer to list than a call waits for slots. */
  private static final class Listed extends RDD<double[]> {
    @Serial private static final long serialVersionUID = 1L;

    Listed(JavaRDD<double[]> parent) {
      super(parent.rdd(), parent.classTag());
    }

    @Override
    public Partition[] getPartitions() {
      try {
        Thread.sleep(7_000);
      } catch (InterruptedException e) {
        throw Calls.<RuntimeException>sneaky(e);
      }
      return firstParent(elementClassTag()).partitions();
    }

    @Override
    public scala.collection.Iterator<double[]> compute(Partition split, TaskContext task) {
      return this.<double[]>firstParent(elementClassTag()).iterator(split, task);
    }
  }

  private static JavaRDD<double[]> shuffled(JavaRDD<double[]> vectors) {
    return vectors
        .mapToPair(v -> new Tuple2<>((int) v[0], v))
        .reduceByKey((left, right) -> left, 2)
        .values();
  }

  /** Spark lists what is behind a second shuffle in the thread that submits the job. */
  @Test
  void whatTheDriverListsIsNoWaitForSlots() {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("listed")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.enabled", "false")
            .set("spark.collectives.start.timeout", "4s");
    try (JavaSparkContext context = new JavaSparkContext(conf);
        Warnings warnings = Warnings.of("org.sparkcollectives.spark.internal.job.StartWatch")) {
      JavaRDD<double[]> rdd = shuffled(shuffled(new Listed(vectors(context, 2)).toJavaRDD()));
      assertArrayEquals(new double[] {1, 2}, JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
      assertEquals(List.of(), warnings.lines());
    }
  }

  @Test
  void callsTakeTurnsHoweverLongOneTakes() throws Exception {
    SparkConf conf = conf().set("spark.collectives.start.timeout", "4s");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      assertEquals(List.of(4, 4, 4, 4), ranks(vectors(context, 4)));
      JavaRDD<double[]> slow =
          vectors(context, 4)
              .map(
                  v -> {
                    Thread.sleep(6_000);
                    return v;
                  });
      Jobs.settle(context.sc()); // so that no job before counts as active
      CompletableFuture<double[]> first =
          CompletableFuture.supplyAsync(() -> JavaCollectives.of(slow).twoTreeReduce(ReduceOp.SUM));
      Await.until("one job", () -> context.statusTracker().getActiveJobIds().length == 1);
      assertArrayEquals(
          new double[] {6, 4}, JavaCollectives.of(vectors(context, 4)).twoTreeReduce(ReduceOp.SUM));
      assertArrayEquals(new double[] {6, 4}, first.get());
    }
  }
}
