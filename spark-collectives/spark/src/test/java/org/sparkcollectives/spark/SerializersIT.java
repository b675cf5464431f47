package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

  private static Stream<Map<String, String>> onlyKnownClasses() {
    return Stream.of(
        Map.of("spark.serializer", KRYO, "spark.kryo.registrationRequired", "true"),
        Map.of("spark.collectives.objects.filter", "java.base/*;com.example.**;!*"));
  }

  @ParameterizedTest
  @MethodSource("onlyKnownClasses")
  void sumsOfSparseVectorsAreOfNoClassOfTheLibrary(Map<String, String> settings) {
    int length = 10_000_000;
    try (JavaSparkContext context = context(settings)) {
      for (int held : new int[] {3, 20_000}) {
        JavaRDD<Vector> rdd =
            context
                .parallelize(List.of(0, 1), 2)
                .map(
                    i -> {
                      int[] at = IntStream.range(0, held).map(k -> 300 * k + i).toArray();
                      double[] values = new double[held];
                      Arrays.fill(values, i + 1);
                      return Vectors.sparse(length, at, values);
                    });
        for (Vector sum :
            List.of(
                JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM),
                JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM).value())) {
          SparseVector sparse = assertInstanceOf(SparseVector.class, sum);
          assertArrayEquals(
              IntStream.range(0, 2 * held).map(k -> k / 2 * 300 + k % 2).toArray(),
              sparse.indices());
          assertEquals(3.0 * held, Arrays.stream(sparse.values()).sum());
        }
      }
    }
  }
}
