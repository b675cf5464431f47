package org.sparkcollectives.spark.internal.ml;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** Sums of vectors, by serializers that take only classes that they know, or none of Java's. */
@Timeout(180)
class SerializedSumsIT {
  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  /** Too long to come with the end of a task. */
  private static final int LONG = 20_000;

  private static JavaSparkContext context(Map<String, String> settings) {
    SparkConf conf = SharedCluster.get().conf("sums of vectors", 2, 1, "512m");
    settings.forEach(conf::set);
    return new JavaSparkContext(conf);
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

  /** An array that is not short is left for the driver, where it becomes what the elements are. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sumsOfLongDenseVectorsByKryo(boolean registered) {
    Map<String, String> settings =
        Map.of("spark.serializer", KRYO, "spark.kryo.registrationRequired", "" + registered);
    try (JavaSparkContext context = context(settings)) {
      JavaRDD<double[]> arrays =
          context.parallelize(List.of(1, 2), 2).map(i -> Arrays.copyOf(new double[] {i}, LONG));
      double[] expected = Arrays.copyOf(new double[] {3}, LONG);
      Vector sum = JavaCollectives.of(arrays.map(Vectors::dense)).twoTreeReduce(ReduceOp.SUM);
      assertArrayEquals(expected, sum.toArray());
      var old = arrays.map(org.apache.spark.mllib.linalg.Vectors::dense);
      assertArrayEquals(expected, JavaCollectives.of(old).twoTreeReduce(ReduceOp.SUM).toArray());
      assertArrayEquals(expected, JavaCollectives.of(arrays).twoTreeReduce(ReduceOp.SUM));
    }
  }
}
