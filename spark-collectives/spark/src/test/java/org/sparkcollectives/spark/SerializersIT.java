package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** What ranks send each other, by serializers that take less than Spark's do by default. */
@Timeout(180)
class SerializersIT {
  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  private static JavaSparkContext context(Map<String, String> settings) {
    SparkConf conf = SharedCluster.get().conf("serializers", 2, 1, "512m");
    settings.forEach(conf::set);
    return new JavaSparkContext(conf);
  }

  @Test
  void objectsAboveTheBufferOfKryo() {
    Map<String, String> settings =
        Map.of("spark.serializer", KRYO, "spark.kryoserializer.buffer.max", "1m");
    try (JavaSparkContext context = context(settings)) {
      String large = "x".repeat(3 << 20);
      JavaRDD<Integer> numbers = context.parallelize(List.of(0, 1), 2);
      List<Integer> lengths = List.of(large.length(), large.length());
      var sent = JavaCollectives.of(context).twoTreeBroadcast(large);
      assertEquals(lengths, numbers.map(i -> sent.value().length()).collect());
      ReduceOp<String> either = ReduceOp.ofObjects("either", true, (left, right) -> right);
      var all = JavaCollectives.of(numbers.map(i -> "y".repeat(3 << 20))).twoTreeAllReduce(either);
      assertEquals(lengths, numbers.map(i -> all.value().length()).collect());
    }
  }

  /** Of a class that the filter does not let pass. */
  private record Model(String weights) implements Serializable {}

  @Test
  void theFilterIsAskedForWhatRanksSendAndNotForWhatSparkSends() {
    Map<String, String> filter =
        Map.of("spark.collectives.objects.filter", "java.base/*;scala.**;!*");
    try (JavaSparkContext context = context(filter)) {
      JavaRDD<Integer> numbers = context.parallelize(List.of(0, 1), 2);
      Model small = new Model("x".repeat(1 << 10));
      assertEquals(2 << 10, total(numbers, small));
      var sent = JavaCollectives.of(context).twoTreeBroadcast(small);
      assertEquals(
          List.of(1 << 10, 1 << 10), numbers.map(i -> sent.value().weights.length()).collect());
      Model large = new Model("x".repeat(1 << 20));
      assertRefused(() -> total(numbers, large));
      assertRefused(() -> JavaCollectives.of(context).twoTreeBroadcast(large));
      assertRefused(() -> JavaCollectives.of(context).broadcast(small, "two-tree"));
    }
  }

  private static long total(JavaRDD<Integer> numbers, Model model) {
    return JavaCollectives.of(numbers)
        .twoTreeAggregateWith(
            model,
            () -> new long[1],
            (sent, sum, number) -> new long[] {sum[0] + sent.weights.length()},
            ReduceOp.SUM)[0];
  }

  private static void assertRefused(Executable call) {
    RuntimeException e = assertThrows(InvalidInputException.class, call);
    assertTrue(String.valueOf(e.getMessage()).contains("REJECTED"), e.getMessage());
  }

  /** Spark sends a block's class with its replica, and where it cannot, it only logs that. */
  @Test
  void partsHaveReplicasWhereKryoTakesOnlyWhatIsRegistered() {
    Map<String, String> settings =
        Map.of("spark.serializer", KRYO, "spark.kryo.registrationRequired", "true");
    try (JavaSparkContext context = context(settings)) {
      JavaRDD<double[]> vectors =
          context.parallelize(List.of(1, 2), 2).map(i -> new double[] {i, i});
      JavaRDD<double[]> parts = JavaCollectives.of(vectors).reduceScatter(ReduceOp.SUM);
      for (Partition part : parts.partitions()) {
        assertEquals(2, parts.rdd().preferredLocations(part).size());
      }
    }
  }

  /** Kryo can write small numbers in fewer bytes than large ones; a vector is as short for it. */
  @Test
  void shortVectorsOfSmallAndOfLargeNumbers() {
    Map<String, String> settings = Map.of("spark.serializer", KRYO, "spark.kryo.unsafe", "false");
    try (JavaSparkContext context = context(settings)) {
      JavaRDD<long[]> vectors =
          context
              .parallelize(List.of(1L, Long.MIN_VALUE), 2)
              .map(number -> LongStream.generate(() -> number).limit(4096).toArray());
      long[] sum = JavaCollectives.of(vectors).twoTreeReduce(ReduceOp.SUM);
      assertEquals(Long.MIN_VALUE + 1, sum[4095]);
      assertEquals(Long.MIN_VALUE + 1, sum[0]);
    }
  }
}
