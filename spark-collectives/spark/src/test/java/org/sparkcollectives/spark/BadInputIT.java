package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;
import scala.reflect.ClassTag$;

/** Each bad input has an exception whose message names the problem, its cause and a remedy. */
@Timeout(180)
class BadInputIT {
  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    SparkConf conf =
        SharedCluster.get()
            .conf("bad-input", 2, 2, "512m")
            .set("spark.collectives.slots.timeout", "1s")
            .set("spark.collectives.vector.maxBytes", "1k");
    context = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  private static JavaRDD<double[]> vectors(int... lengths) {
    List<Integer> list = IntStream.of(lengths).boxed().toList();
    return context.parallelize(list, Math.max(1, lengths.length)).map(double[]::new);
  }

  private static void assertRefused(Executable call, String... words) {
    InvalidInputException e = assertThrows(InvalidInputException.class, call);
    for (String word : words) {
      assertTrue(String.valueOf(e.getMessage()).contains(word), e.getMessage());
    }
  }

  @Test
  void vectorsOfDifferentLengthsAreNamedWithTheirPartitions() {
    assertRefused(
        () -> JavaCollectives.of(vectors(4, 4, 5, 4)).twoTreeAllReduce(ReduceOp.SUM),
        "different lengths",
        "partition 0 has 4 x double",
        "partition 2 has 5 x double");
  }

  @Test
  void vectorsOfDifferentLengthsAreNamedWithMorePartitionsThanSlots() {
    assertRefused(
        () -> JavaCollectives.of(vectors(4, 4, 4, 4, 4, 4, 4, 9, 4)).twoTreeReduce(ReduceOp.SUM),
        "partition 7 has 9 x double",
        "partition 6 has 4 x double");
  }

  @Test
  void vectorsOfDifferentLengthsInOnePartitionAreNamed() {
    JavaRDD<double[]> rdd = context.parallelize(List.of(3, 2), 1).map(double[]::new);
    assertRefused(
        () -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM),
        "partition 0 has 3 x double",
        "partition 0 has 2 x double");
  }

  @Test
  void aggregatesThatAreTooLargeAreNamedHoweverTheValueIsSent() {
    for (int length : new int[] {1, 10_000}) {
      assertRefused(
          () ->
              JavaCollectives.of(vectors(1, 1))
                  .twoTreeAggregateWith(
                      new double[length],
                      () -> new double[200],
                      (value, sum, element) -> sum,
                      ReduceOp.SUM),
          "twoTreeAggregateWith cannot take the vector of partition ",
          "1600 bytes",
          "spark.collectives.vector.maxBytes");
    }
  }

  @Test
  void nullInPlaceOfAnOperatorIsNamed() {
    RddCollectives<double[]> rdd = JavaCollectives.of(vectors(1, 1));
    ReduceOp<Object> none = null;
    List<Executable> calls =
        List.of(
            () -> rdd.allReduce(none),
            () -> rdd.twoTreeReduce(none),
            () -> rdd.twoTreeScan(none),
            () -> rdd.twoTreeExscan(none),
            () -> rdd.reduceScatter(none),
            () -> rdd.twoTreeAggregate(() -> new double[1], (sum, element) -> sum, none),
            () ->
                rdd.twoTreeAggregateWith(
                    1, () -> new double[1], (value, sum, element) -> sum, none));
    for (Executable call : calls) {
      assertRefused(call, "the operator is null", "ReduceOp.SUM");
    }
  }

  @Test
  void vectorsOfDifferentTypesAreNamed() {
    JavaRDD<Object> rdd =
        context.parallelize(List.of(1, 2), 2).map(i -> i == 1 ? new double[2] : new long[2]);
    assertRefused(
        () -> JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM), "2 x double", "2 x long");
  }

  @Test
  void whatCannotBeDividedIsNamed() {
    JavaRDD<Integer> numbers = context.parallelize(List.of(1, 2, 3), 3);
    for (Executable call :
        List.<Executable>of(
            () -> JavaCollectives.of(numbers).gather(),
            () -> JavaCollectives.of(numbers).allGather(),
            () -> JavaCollectives.of(numbers).allToAll(),
            () -> JavaCollectives.of(numbers).reduceScatter(ReduceOp.SUM),
            () -> JavaCollectives.of(context).scatter(7, 2))) {
      assertRefused(call, "a java.lang.Integer, cannot be divided", "an array of one element");
    }
    assertRefused(
        () -> JavaCollectives.of(context).scatter(new short[4], 2),
        "a short[], cannot be divided",
        "those of a double[], float[], long[], int[] or byte[], or of a vector of MLlib");
    assertRefused(
        () -> JavaCollectives.of(vectors(1, 1)).reduceScatter(Matrices.OBJECTS),
        "works on whole objects");
    assertRefused(
        () -> JavaCollectives.of(context).scatter(new double[3], 0), "the number of parts is 0");
    JavaRDD<Object> mixed =
        context.parallelize(List.of(1, 2), 1).map(i -> i == 1 ? new double[2] : new long[2]);
    assertRefused(
        () -> JavaCollectives.of(mixed).gather(), "cannot be put end to end", "double", "long");
  }

  @Test
  void anEmptyRddFailsAsReduceDoes() {
    JavaRDD<double[]> none = context.emptyRDD();
    JavaRDD<double[]> noElements = vectors(1, 1, 1).filter(v -> false);
    for (JavaRDD<double[]> rdd : List.of(none, noElements)) {
      RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
      UnsupportedOperationException sparks =
          assertThrows(UnsupportedOperationException.class, () -> rdd.reduce((a, b) -> a));
      for (Executable call :
          List.<Executable>of(
              () -> collectives.twoTreeAllReduce(ReduceOp.SUM),
              () -> collectives.twoTreeReduce(ReduceOp.SUM),
              () -> collectives.reduceScatter(ReduceOp.SUM),
              collectives::gather,
              collectives::allGather,
              collectives::allToAll,
              () -> collectives.twoTreeScan(ReduceOp.SUM))) {
        Exception e = assertThrows(UnsupportedOperationException.class, call);
        assertEquals(sparks.getMessage(), e.getMessage());
      }
      assertEquals(0, collectives.twoTreeAggregate(() -> 0, (sum, next) -> sum + 1, Integer::sum));
    }
    assertEquals(
        List.of(),
        JavaCollectives.of(none).collectively((communicator, elements) -> elements).collect());
  }

  @Test
  void nullVectors() {
    JavaRDD<double[]> rdd = context.parallelize(Arrays.asList(new double[1], null), 2);
    assertRefused(
        () -> JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM),
        "an element of partition 1 is null",
        "Filter nulls out");
    assertRefused(() -> JavaCollectives.of(context).twoTreeBroadcast(nothing()), "is null");
  }

  @SuppressWarnings("NullAway") // the point of the test
  private static Object nothing() {
    return null;
  }

  @Test
  void elementsOfTheDriverThatCannotBeSerializedAreRefused() {
    JavaRDD<double[]> rdd =
        context.parallelize(List.of("", new Object()), 2).map(element -> new double[1]);
    assertRefused(
        () -> JavaCollectives.of(rdd).allReduce(ReduceOp.SUM),
        "partition 1 cannot be given to its rank",
        "java.lang.Object",
        "spark.serializer");
  }

  @Test
  void whatCannotBeBroadcastIsRefusedBeforeAnyJob() {
    assertEquals(0, Jobs.of(context.sc(), BadInputIT::refuseBroadcasts));
  }

  private static void refuseBroadcasts() {
    for (int bytes : new int[] {1, 1 << 20}) {
      Object value = new ArrayList<>(List.of(new byte[bytes], new Object()));
      assertRefused(
          () -> JavaCollectives.of(context).twoTreeBroadcast(value),
          "java.util.ArrayList cannot be shipped",
          "java.lang.Object",
          "spark.serializer");
      assertRefused(
          () -> JavaCollectives.of(context).broadcast(value, "binomial"),
          "java.util.ArrayList cannot be shipped",
          "java.lang.Object");
    }
    JavaRDD<double[]> rdd = vectors(1);
    for (Object value : List.of(rdd, rdd.rdd())) {
      for (String algorithm : new String[] {null, "two-tree"}) {
        assertRefused(
            () -> JavaCollectives.of(context).broadcast(value, algorithm),
            "an RDD cannot be broadcast",
            "Call collect() and broadcast the result");
      }
    }
  }

  @Test
  void anUnknownAlgorithm() {
    assertRefused(
        () -> JavaCollectives.of(vectors(1, 1)).allReduce(ReduceOp.SUM, "three-tree"),
        "three-tree",
        "two-tree",
        "recursive-doubling",
        "ring");
    assertRefused(
        () -> JavaCollectives.of(context).broadcast("x", "three-tree"), "three-tree", "binomial");
  }

  @Test
  void aRootOutOfRange() {
    assertRefused(
        () ->
            JavaCollectives.of(vectors(1, 1))
                .collectively(
                    (communicator, elements) -> {
                      communicator.reduce(elements.next(), ReduceOp.SUM, 2);
                      return elements;
                    }),
        "root 2 of a reduce is out of range",
        "0 to 1");
  }

  @Test
  void anOperatorThatMustNotBeReordered() {
    assertRefused(
        () -> JavaCollectives.of(vectors(4, 4)).allReduce(Matrices.TUPLES, "ring"),
        "ring",
        "matrix product",
        "not declared commutative");
  }

  @Test
  void anOperatorOnAnotherType() {
    JavaRDD<String> words = context.parallelize(List.of("a", "b"), 2);
    assertRefused(
        () -> JavaCollectives.of(words).twoTreeReduce(ReduceOp.SUM), "sum", "java.lang.String");
  }

  @Test
  void anExclusiveScanWithoutNeutralElement() {
    ReduceOp<String> concat = ReduceOp.ofObjects("concat", false, String::concat);
    JavaRDD<String> words = context.parallelize(List.of("a", "b"), 2);
    assertRefused(
        () -> JavaCollectives.of(words).twoTreeExscan(concat), "concat", "no neutral element");
  }

  @Test
  void tooFewSlotsForABarrierStageOfTheUsers() {
    JavaRDD<double[]> together =
        new JavaRDD<>(
            vectors(1, 1, 1, 1, 1)
                .rdd()
                .barrier()
                .mapPartitions(new Same<>(), false, ClassTag$.MODULE$.apply(double[].class)),
            ClassTag$.MODULE$.apply(double[].class));
    assertRefused(
        () -> JavaCollectives.of(together).collectively((c, elements) -> elements),
        "needs 5 slots",
        "there are 4",
        "spark.executor.cores");
    assertRefused(
        () -> JavaCollectives.of(together.coalesce(2)).twoTreeReduce(ReduceOp.SUM),
        "barrier stage",
        "coalesce",
        "repartition");
  }

  @Test
  void aVectorThatIsTooLarge() {
    assertRefused(
        () -> JavaCollectives.of(vectors(129, 129)).twoTreeAllReduce(ReduceOp.SUM),
        "1032 bytes",
        "spark.collectives.vector.maxBytes");
  }

  @Test
  void aResultUsedAfterDestroy() {
    Broadcast<double[]> sum = JavaCollectives.of(vectors(1, 1)).twoTreeAllReduce(ReduceOp.SUM);
    sum.destroy();
    // Thrown by Spark's own check, which is the same for every broadcast.
    Exception e = assertThrows(SparkException.class, () -> readChecked(sum));
    assertTrue(String.valueOf(e.getMessage()).contains("destroyed"), e.getMessage());
  }

  private static Object readChecked(Broadcast<?> broadcast) throws Exception {
    return broadcast.value();
  }

  @Test
  void aResultThatNobodyHoldsAnyMore() {
    ReduceOp<String> concat = ReduceOp.ofObjects("concat", false, (left, right) -> left + right);
    Broadcast<String> sum =
        JavaCollectives.of(vectors(1, 1).map(v -> "x")).twoTreeAllReduce(concat);
    BlockStore.remove(sum.id(), true, true);
    JavaRDD<Integer> reading = vectors(1).map(v -> sum.value().length());
    Exception e = assertThrows(Exception.class, reading::collect);
    assertTrue(String.valueOf(e.getMessage()).contains("no executor holds it"), e.getMessage());
  }

  @Test
  void userCodeThatThrowsKeepsItsException() {
    RankFailedException e =
        assertThrows(
            RankFailedException.class,
            () ->
                JavaCollectives.of(vectors(1, 1, 1))
                    .collectively(
                        (communicator, elements) -> {
                          if (communicator.rank() == 1) {
                            throw new java.io.FileNotFoundException("input.txt");
                          }
                          communicator.barrier();
                          return elements;
                        }));
    assertInstanceOf(java.io.FileNotFoundException.class, e.getCause());
    assertTrue(e.getMessage().contains("rank 1 on 127.0.0.1 (executor "), e.getMessage());
    assertTrue(e.getMessage().contains("input.txt"), e.getMessage());
  }
}
