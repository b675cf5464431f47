package org.sparkcollectives.spark;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.reflect.ClassTag$;

/** What is said before a call against what the call then does, on two executors of two slots. */
@Timeout(180)
class ExplainIT {
  private static final int LENGTH = 100_000;
  private static final List<String> CHANGED =
      List.of(
          "spark.collectives.reproducible",
          "spark.collectives.combineInExecutors",
          "spark.collectives.sharedMemory",
          "spark.collectives.encryption");

  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    context = new JavaSparkContext(SharedCluster.get().conf("explain", 2, 2, "512m"));
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  @AfterEach
  void reset() {
    CHANGED.forEach(key -> context.sc().conf().remove(key));
  }

  /** A setting of the running application, as if it had been started with it. */
  private static void set(String key, String value) {
    assertTrue(CHANGED.contains(key));
    var unused = context.sc().conf().set(key, value);
  }

  private static JavaRDD<double[]> vectors(int partitions, int length) {
    List<Integer> numbers = IntStream.range(0, partitions).boxed().toList();
    return context.parallelize(numbers, partitions).map(i -> new double[length]);
  }

  private static CallExplanation allReduce(int partitions, int length) {
    return JavaCollectives.of(vectors(partitions, length))
        .explain(Collective.ALLREDUCE, ReduceOp.SUM);
  }

  @Test
  void anRddWithoutPartitionsIsRefusedAsByACall() {
    JavaRDD<double[]> none = context.emptyRDD();
    for (Collective collective : List.of(Collective.ALLREDUCE, Collective.GATHER)) {
      Exception e =
          assertThrows(
              UnsupportedOperationException.class,
              () ->
                  JavaCollectives.of(none).explain(collective, ReduceOp.SUM, null, new double[1]));
      assertEquals("empty collection", e.getMessage());
    }
  }

  @Test
  void ranksAreThoseThatACallThenHas() {
    for (int partitions : new int[] {1, 3, 4, 10}) {
      CallExplanation said = allReduce(partitions, LENGTH);
      List<String> ran =
          JavaCollectives.of(vectors(partitions, LENGTH))
              .<String>collectively((comm, own) -> List.of(SparkEnv.get().executorId()).iterator())
              .collect();
      assertEquals(Math.min(partitions, 4), said.ranks());
      assertEquals(
          ran.stream().collect(groupingBy(id -> id, counting())),
          said.executors().stream()
              .collect(toMap(CallExplanation.Executor::id, each -> (long) each.ranks())));
    }
  }

  @Test
  void theAlgorithmIsThatOfTheRanksThatExchange() {
    CallExplanation said = allReduce(8, LENGTH);
    assertEquals(2, said.members(), said.text());
    String chosen =
        JavaCollectives.of(vectors(2, LENGTH))
            .<String>collectively(
                (comm, own) ->
                    List.of(comm.explain(Collective.ALLREDUCE, own.next(), ReduceOp.SUM).text())
                        .iterator())
            .first();
    assertEquals(chosen, algorithm(said).text());

    set("spark.collectives.combineInExecutors", "false");
    CallExplanation apart = allReduce(8, LENGTH);
    assertEquals(4, apart.members(), apart.text());
    assertEquals(4, algorithm(apart).request().size());
    assertEquals(1, algorithm(apart).request().topology().hosts(4));
    assertTrue(apart.combining().contains("combineInExecutors=false"), apart.text());
    assertTrue(apart.links().startsWith("memory within an executor; shared"), apart.links());
  }

  @Test
  void shortVectorsNeedNoAlgorithm() {
    CallExplanation shorts = allReduce(4, 1000);
    assertNull(shorts.algorithm(), shorts.text());
    assertTrue(shorts.text().contains("algorithm: none"), shorts.text());
    assertNotNull(allReduce(4, 3000).algorithm()); // 24 kB each: more than 64 KiB together
    set("spark.collectives.reproducible", "true");
    CallExplanation fixed = allReduce(4, 1000);
    assertTrue(algorithm(fixed).reason().contains("reproducible"), fixed.text());
    assertEquals(4, fixed.members());
  }

  @Test
  void theTextSaysItAll() {
    String text = allReduce(10, LENGTH).text();
    for (String part :
        List.of(
            "allreduce of 10 partitions: 4 ranks in 2 executors on 1 host, one barrier stage",
            "127.0.0.1: executor 0 (2), executor 1 (2)",
            "vector: 100000 x double, 800000 bytes",
            "combine their vectors in its memory first, so 2 take part",
            "links: shared memory",
            "it is the cheapest",
            "lower bound")) {
      assertTrue(text.contains(part), part + " is not in\n" + text);
    }
    set("spark.collectives.sharedMemory", "false");
    assertEquals("TCP, not encrypted", allReduce(10, LENGTH).links());
    set("spark.collectives.encryption", "on");
    assertEquals("TCP, encrypted by AES-GCM", allReduce(10, LENGTH).links());
  }

  @Test
  void withAnElementNothingRuns() {
    JavaRDD<double[]> never =
        context
            .parallelize(List.of(1, 2), 2)
            .map(
                i -> {
                  throw new IllegalStateException("computed");
                });
    RddCollectives<double[]> collectives = JavaCollectives.of(never);
    double[] element = new double[LENGTH];
    CallExplanation[] said = new CallExplanation[2];
    int jobs =
        Jobs.of(
            context.sc(),
            () -> {
              said[0] = collectives.explain(Collective.ALLREDUCE, ReduceOp.SUM, "ring", element);
              said[1] =
                  collectives.explain(Collective.ALLREDUCE, ReduceOp.SUM, "two-trees", element);
            });
    assertEquals(0, jobs);
    assertEquals("ring", algorithm(said[0]).choice().algorithm());
    assertEquals("the call asks for it", algorithm(said[0]).reason());
    assertEquals("two-tree", algorithm(said[1]).choice().algorithm());
    assertThrows(Exception.class, () -> collectives.explain(Collective.ALLREDUCE, ReduceOp.SUM));
  }

  @Test
  void everyCollectiveOfAnRddIsExplained() {
    JavaRDD<double[]> rdd = vectors(6, LENGTH);
    for (Collective collective : Collective.values()) {
      boolean ofDriver =
          List.of(Collective.BROADCAST, Collective.SCATTER, Collective.BARRIER)
              .contains(collective);
      @Nullable ReduceOp<Object> op = collective.reducing() ? ReduceOp.SUM : null;
      if (ofDriver) {
        String text = refusal(rdd, collective, null, null);
        assertTrue(text.contains("Name one of reduce, allreduce"), text);
      } else {
        CallExplanation said = JavaCollectives.of(rdd).explain(collective, op);
        assertEquals(4, said.ranks());
        boolean whole = collective == Collective.REDUCE || collective == Collective.ALLREDUCE;
        assertEquals(whole ? 2 : 4, said.members(), said.text());
      }
    }
    CallExplanation gathered = JavaCollectives.of(rdd).explain(Collective.ALLGATHER, null);
    assertEquals(6L * LENGTH * Double.BYTES, algorithm(gathered).request().bytes());
  }

  @Test
  void objectsAndNumbersAreElementsToo() {
    ReduceOp<String> join = ReduceOp.ofObjects("join", false, String::concat, () -> "");
    CallExplanation words =
        JavaCollectives.of(context.parallelize(List.of("a", "b", "c", "d"), 4))
            .explain(Collective.EXSCAN, join);
    assertEquals("object of java.lang.String", words.vector());
    assertTrue(algorithm(words).request().ordered());
    CallExplanation numbers =
        JavaCollectives.of(context.parallelize(List.of(1, 2, 3, 4), 4))
            .explain(Collective.REDUCE, ReduceOp.SUM);
    assertEquals("1 x int, 4 bytes", numbers.vector());
    assertNull(numbers.algorithm());
  }

  @Test
  void whatACallWouldRefuseIsRefused() {
    JavaRDD<double[]> rdd = vectors(4, LENGTH);
    assertTrue(refusal(rdd, Collective.ALLREDUCE, null, null).contains("Give the operator"));
    assertTrue(refusal(rdd, Collective.ALLREDUCE, ReduceOp.SUM, "rings").contains("rings"));
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            JavaCollectives.of(context.<double[]>emptyRDD())
                .explain(Collective.ALLREDUCE, ReduceOp.SUM));
    JavaRDD<double[]> barrier =
        new JavaRDD<>(
            rdd.rdd()
                .barrier()
                .mapPartitions(own -> own, true, ClassTag$.MODULE$.apply(double[].class)),
            ClassTag$.MODULE$.apply(double[].class));
    String text = refusal(barrier, Collective.ALLREDUCE, ReduceOp.SUM, null);
    assertTrue(text.endsWith("Give an element."), text);
    assertEquals(
        4,
        JavaCollectives.of(barrier)
            .explain(Collective.ALLREDUCE, ReduceOp.SUM, null, new double[LENGTH])
            .ranks());
  }

  private static String refusal(
      JavaRDD<double[]> rdd,
      Collective collective,
      @Nullable ReduceOp<Object> op,
      @Nullable String algorithm) {
    InvalidInputException refused =
        assertThrows(
            InvalidInputException.class,
            () -> JavaCollectives.of(rdd).explain(collective, op, algorithm, null));
    return String.valueOf(refused.getMessage());
  }

  private static Explanation algorithm(CallExplanation said) {
    Explanation algorithm = said.algorithm();
    assertNotNull(algorithm, said.text());
    return algorithm;
  }
}
