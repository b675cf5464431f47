package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.testing.Background.start;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.job.Preconditions;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.JavaProcess;
import org.sparkcollectives.testing.JdkModules;
import org.sparkcollectives.vector.ReduceOp;

/** How the library meets applications: their settings, their end, and the local master. */
@Timeout(120)
class ApplicationIT {
  /** Reached by a rank that waits until its context stops. */
  private static final CountDownLatch COMPUTES = new CountDownLatch(2);

  private static JavaSparkContext local(Map<String, String> settings) {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[3]")
            .setAppName("application")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    settings.forEach(conf::set);
    return new JavaSparkContext(conf);
  }

  private static JavaRDD<double[]> vectors(JavaSparkContext context, int count) {
    return context.parallelize(
        java.util.stream.IntStream.range(0, count).mapToObj(i -> new double[] {i, 1}).toList(),
        count);
  }

  @Test
  void contextsInLocalModeOneAfterTheOther() {
    for (int i = 0; i < 2; i++) {
      try (JavaSparkContext context = local(Map.of())) {
        for (int count : new int[] {1, 3, 9}) {
          double sum = count * (count - 1) / 2.0;
          assertArrayEquals(
              new double[] {sum, count},
              JavaCollectives.of(vectors(context, count)).twoTreeAllReduce(ReduceOp.SUM).value());
        }
      }
    }
  }

  @Test
  void aJvmWithoutFlightRecorderIsEnough() throws IOException {
    List<String> options = new ArrayList<>(JdkModules.without("jdk.jfr"));
    options.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+", -1)));
    options.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    options.addAll(List.of("-Dspark.master=local[4]"));
    options.addAll(List.of("-Dspark.ui.enabled=false", "-Dspark.driver.host=127.0.0.1"));
    List<String> command = JavaProcess.command(options, SubmittedJob.class, List.of());
    try (JavaProcess application = JavaProcess.start(command).within(Duration.ofSeconds(100))) {
      assertEquals("10.0", application.expect("sum "));
      assertEquals("ArithmeticException: rank 2", application.expect("failed with "));
    }
  }

  @Test
  void aRankThatComputesBetweenOperationsForLongerThanTheTimeoutIsWaitedFor() {
    try (JavaSparkContext context = local(Map.of("spark.collectives.timeout", "2s"))) {
      List<Double> sums =
          JavaCollectives.of(vectors(context, 3))
              .collectively(
                  (communicator, elements) -> {
                    double[] own = communicator.allReduce(elements.next(), ReduceOp.SUM);
                    if (communicator.rank() == 1) {
                      Thread.sleep(5_000);
                    }
                    return List.of(communicator.allReduce(own, ReduceOp.SUM)[0]).iterator();
                  })
              .collect();
      assertEquals(List.of(9.0, 9.0, 9.0), sums);
    }
  }

  /** The others wait in memory or have ended, so nobody waits at the rendezvous. */
  @ParameterizedTest
  @ValueSource(ints = {4, 1})
  void aRankThatComputesForTooLongEndsTheCall(int partitions) {
    try (JavaSparkContext context =
        local(Map.of("spark.master", "local[4]", "spark.collectives.compute.timeout", "3s"))) {
      JavaRDD<double[]> slow =
          vectors(context, partitions)
              .map(
                  vector -> {
                    while (vector[0] == partitions - 1 && !TaskContext.get().isInterrupted()) {
                      Thread.sleep(20);
                    }
                    return vector;
                  });
      long start = System.nanoTime();
      DeadlineException e =
          assertThrows(
              DeadlineException.class, () -> JavaCollectives.of(slow).twoTreeReduce(ReduceOp.SUM));
      String rank = "rank " + (partitions - 1) + " has computed its partitions for 3000 ms";
      assertTrue(e.getMessage().contains(rank), e.getMessage());
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(15));
    }
  }

  @Test
  void aContextThatIsStoppedDuringACall() throws Exception {
    JavaSparkContext context = local(Map.of());
    JavaRDD<double[]> rdd = vectors(context, 2);
    CompletableFuture<Object> result =
        CompletableFuture.supplyAsync(
            () ->
                JavaCollectives.of(rdd)
                    .collectively(
                        (communicator, elements) -> {
                          COMPUTES.countDown();
                          while (!TaskContext.get().isInterrupted()) {
                            Thread.sleep(20);
                          }
                          return elements;
                        }));
    assertTrue(COMPUTES.await(60, TimeUnit.SECONDS));
    context.stop();
    InvalidInputException thrown = assertSaysStopped(result);
    Throwable ofSpark = thrown.getCause();
    assertTrue(ofSpark != null && ofSpark.getMessage().contains("shut down"), thrown.toString());
  }

  private static InvalidInputException assertSaysStopped(CompletableFuture<Object> result) {
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> result.get(30, TimeUnit.SECONDS));
    InvalidInputException thrown = assertInstanceOf(InvalidInputException.class, e.getCause());
    assertTrue(thrown.getMessage().contains("the SparkContext is stopped"), thrown.getMessage());
    return thrown;
  }

  /** A program that tasks can read only when their application has stopped. */
  private static final class ReadAfterTheStop implements CollectiveFunction<double[], Integer> {
    @Serial private static final long serialVersionUID = 1L;

    static final CountDownLatch BEGUN = new CountDownLatch(2);
    static final CountDownLatch STOPPED = new CountDownLatch(1);

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (TaskContext.get() == null) {
        return; // Spark's cleaner looks whether it can be sent
      }
      BEGUN.countDown();
      try {
        STOPPED.await();
      } catch (InterruptedException e) { // as Spark ends tasks
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public Iterator<Integer> call(Communicator communicator, Iterator<double[]> elements) {
      return List.of(communicator.rank()).iterator();
    }
  }

  /** Its ranks find no driver, and Spark says what comes of that, or that it stops. */
  @Test
  void aContextThatIsStoppedBeforeRanksHaveMet() throws Exception {
    JavaSparkContext context = local(Map.of());
    JavaRDD<double[]> rdd = vectors(context, 2);
    CompletableFuture<Object> result =
        CompletableFuture.supplyAsync(
            () -> JavaCollectives.of(rdd).collectively(new ReadAfterTheStop()));
    assertTrue(ReadAfterTheStop.BEGUN.await(60, TimeUnit.SECONDS));
    FutureTask<Void> stop =
        start(
            () -> {
              context.stop();
              return null;
            });
    Await.until("the stop", context.sc()::isStopped);
    ReadAfterTheStop.STOPPED.countDown();
    assertSaysStopped(result);
    stop.get(30, TimeUnit.SECONDS);
  }

  /** An exception that a thread does not catch ends an executor. */
  @Test
  void aRankWhoseDriverCannotBeFoundWarnsAndComputes() {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
    try (JavaSparkContext context = local(Map.of());
        Warnings warnings =
            Warnings.of("org.sparkcollectives.spark.internal.rendezvous.DriverLine")) {
      context
          .parallelize(List.of(0), 1)
          .foreach(
              i -> {
                CollectiveConf conf = CollectiveConf.of(SparkEnv.get().conf());
                // No call has set the driver's endpoint up.
                RankSession unused = RankSession.ofTask(new Attempt("test", 1, 0, conf, 0));
                Thread.sleep(3_000);
              });
      assertEquals(List.of("the driver does not hear that rank 0 computes"), warnings.lines());
      assertEquals(List.of(), uncaught);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void aStoppedContextIsNotHeld() {
    WeakReference<DriverEndpoint> endpoint = endpointOfAStoppedContext();
    Await.until(
        "the endpoint's end",
        () -> {
          System.gc();
          return endpoint.get() == null;
        });
  }

  private static WeakReference<DriverEndpoint> endpointOfAStoppedContext() {
    try (JavaSparkContext context = local(Map.of())) {
      return new WeakReference<>(DriverEndpoint.of(context.sc()));
    }
  }

  @Test
  void aStoppedContext() {
    JavaSparkContext context = local(Map.of());
    JavaRDD<double[]> rdd = vectors(context, 2);
    context.stop();
    assertRefused(
        () -> JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM), "SparkContext is stopped");
    assertRefused(
        () -> JavaCollectives.of(context).twoTreeBroadcast("x"), "SparkContext is stopped");
  }

  /** Partitions of another RDD, listed when the application has just stopped. */
  private static class Stopping extends RDD<double[]> {
    @Serial private static final long serialVersionUID = 1L;

    private final transient Partition[] partitions;
    private final transient @Nullable ResourceProfile resources;

    Stopping(JavaRDD<double[]> parent, @Nullable ResourceProfile resources) {
      super(parent.rdd(), parent.classTag());
      this.partitions = parent.rdd().partitions();
      this.resources = resources;
    }

    @Override
    public @Nullable ResourceProfile getResourceProfile() {
      return resources;
    }

    @Override
    public Partition[] getPartitions() {
      context().stop();
      return partitions;
    }

    @Override
    public scala.collection.Iterator<double[]> compute(Partition split, TaskContext task) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aContextThatIsStoppedWhilePartitionsAreListed() {
    try (JavaSparkContext context = local(Map.of())) {
      JavaRDD<double[]> rdd = new Stopping(vectors(context, 2), null).toJavaRDD();
      assertRefused(
          () -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM), "SparkContext is stopped");
    }
  }

  /** Asks another part of Spark for its partitions, as an RDD that depends on blocks does. */
  private static final class Asking extends Stopping {
    @Serial private static final long serialVersionUID = 1L;

    Asking(JavaRDD<double[]> parent) {
      super(parent, null);
    }

    @Override
    public Partition[] getPartitions() {
      Partition[] unused = super.getPartitions();
      throw Calls.<RuntimeException>sneaky(new SparkException("Exception thrown in awaitResult"));
    }
  }

  @Test
  void aContextThatIsStoppedWhileItIsAsked() {
    for (boolean program : new boolean[] {false, true}) {
      try (JavaSparkContext context = local(Map.of())) {
        RddCollectives<double[]> collectives =
            JavaCollectives.of(new Asking(vectors(context, 2)).toJavaRDD());
        assertRefused(
            () -> {
              Object unused =
                  program
                      ? collectives.collectively((communicator, elements) -> elements)
                      : collectives.twoTreeReduce(ReduceOp.SUM);
            },
            "SparkContext is stopped");
      }
    }
  }

  /** Spark's scheduler, which merges profiles, is not there then. */
  @Test
  void aContextThatIsStoppedBeforeResourcesAreLookedAt() {
    for (boolean explained : new boolean[] {false, true}) {
      try (JavaSparkContext context = local(Map.of())) {
        ResourceProfile own = context.sc().resourceProfileManager().defaultResourceProfile();
        RddCollectives<double[]> collectives =
            JavaCollectives.of(new Stopping(vectors(context, 2), own).toJavaRDD());
        assertRefused(
            () -> {
              Object unused =
                  explained
                      ? collectives.explain(
                          Collective.REDUCE, ReduceOp.SUM, null, new double[] {1, 2})
                      : collectives.twoTreeReduce(ReduceOp.SUM);
            },
            "SparkContext is stopped");
      }
    }
  }

  /** What a rank brings is small, so that it comes without links, and again as another's is not. */
  @Test
  void aRankThatComesTwiceHasWaitedOnce() {
    try (JavaSparkContext context =
        local(Map.of("spark.collectives.combineInExecutors", "false"))) {
      JavaRDD<String> words =
          context
              .parallelize(List.of(1, 1 << 20), 2)
              .map(
                  length -> {
                    Thread.sleep(length == 1 ? 0 : 6_000);
                    return "x".repeat(length);
                  });
      ReduceOp<String> concat = ReduceOp.ofObjects("concat", false, String::concat);
      long begin = System.nanoTime();
      assertEquals(1 + (1 << 20), JavaCollectives.of(words).twoTreeReduce(concat).length());
      double call = (System.nanoTime() - begin) / 1e9;
      double waited = rendezvousSeconds();
      assertTrue(waited > 2 && waited < call, waited + " s of " + call); // of the other's 6
    }
  }

  private static double rendezvousSeconds() {
    return Scala.asJava(SparkEnv.get().metricsSystem().getSourcesByName("spark-collectives"))
            .stream()
            .map(source -> source.metricRegistry().getGauges().get("rendezvous.waitedNanos"))
            .filter(Objects::nonNull)
            .mapToLong(gauge -> (Long) gauge.getValue())
            .sum()
        / 1e9;
  }

  @Test
  void aResultAfterItsContextIsStopped() {
    ReduceOp<String> concat = ReduceOp.ofObjects("concat", false, String::concat);
    List<Broadcast<String>> results = new ArrayList<>();
    try (JavaSparkContext context = local(Map.of())) {
      JavaRDD<String> words = context.parallelize(List.of("a", "b", "c"), 3);
      for (int i = 0; i < 3; i++) {
        results.add(JavaCollectives.of(words).twoTreeAllReduce(concat));
      }
    }
    for (org.junit.jupiter.api.function.Executable call :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> results.get(0).value(),
            () -> results.get(1).unpersist(),
            () -> results.get(2).destroy())) {
      CollectiveException e = assertThrows(CollectiveException.class, call);
      assertTrue(e.getMessage().contains("the SparkContext is stopped"), e.getMessage());
    }
  }

  @Test
  void theOnlyExecutorKeepsOneReplicaWithoutAWarning() {
    try (JavaSparkContext context = local(Map.of());
        Warnings warnings = Warnings.of("org.apache.spark.storage.BlockManager")) {
      JavaRDD<Integer> numbers = context.parallelize(List.of(1, 2, 3), 3);
      List<Integer> sums = JavaCollectives.of(numbers).twoTreeScan(ReduceOp.SUM).collect();
      assertEquals(List.of(1, 3, 6), sums);
      assertEquals(List.of(), warnings.lines());
    }
  }

  @Test
  void anUnknownSettingAndABadValue() {
    try (JavaSparkContext context = local(Map.of("spark.collectives.timeot", "1s"))) {
      assertRefused(
          () -> JavaCollectives.of(vectors(context, 2)).twoTreeReduce(ReduceOp.SUM),
          "unknown setting spark.collectives.timeot",
          "spark.collectives.timeout");
    }
    try (JavaSparkContext context = local(Map.of("spark.collectives.timeout", "soon"))) {
      assertRefused(
          () -> JavaCollectives.of(vectors(context, 2)).twoTreeReduce(ReduceOp.SUM),
          "'soon'",
          "spark.collectives.timeout");
    }
  }

  @Test
  void aPinnedAlgorithmThatDoesNotExist() {
    try (JavaSparkContext context = local(Map.of("spark.collectives.select.allreduce", "star"))) {
      assertRefused(
          () -> JavaCollectives.of(vectors(context, 2)).allReduce(ReduceOp.SUM), "star", "ring");
    }
  }

  @Test
  void whatIsRefusedOnAClusterOnly() {
    SparkConf tls = new SparkConf(false).set("spark.ssl.rpc.enabled", "true");
    assertRefused(
        () -> Preconditions.check(tls, false, "twoTreeReduce"),
        "spark.ssl.rpc.enabled",
        "spark.ssl.rpc.keyStore",
        "unencrypted",
        "spark.collectives.allowPlaintext=true");
    Preconditions.check(tls.set("spark.collectives.allowPlaintext", "true"), false, "reduce");
    SparkConf filter =
        new SparkConf(false)
            .set("spark.collectives.objects.filter", "java.base/*;!*")
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    assertRefused(
        () -> Preconditions.check(filter, true, "reduce"),
        "spark.collectives.objects.filter",
        "spark.kryo.registrationRequired");
    Preconditions.check(filter.set("spark.kryo.registrationRequired", "true"), true, "reduce");
    SparkConf dynamic = new SparkConf(false).set("spark.dynamicAllocation.enabled", "true");
    assertRefused(
        () -> Preconditions.check(dynamic, false, "twoTreeReduce"),
        "spark.dynamicAllocation.enabled",
        "spark.executor.instances");
    Preconditions.check(dynamic, true, "twoTreeReduce");
  }

  private static void assertRefused(
      org.junit.jupiter.api.function.Executable call, String... words) {
    InvalidInputException e = assertThrows(InvalidInputException.class, call);
    for (String word : words) {
      assertTrue(String.valueOf(e.getMessage()).contains(word), e.getMessage());
    }
  }
}
