package org.sparkcollectives.spark.internal.ml;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.BLAS;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.implicits;
import org.sparkcollectives.rdd.ContextFunctions;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.CallExplanation;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.RddCollectives;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.vector.ReduceOp;
import scala.reflect.ClassTag$;

/** MLlib's vectors of both packages, dense and sparse, as elements of RDDs. */
@Timeout(120)
class VectorsIT {

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[3]")
        .setAppName("vectors")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
  }

  /** The first would take 2.4 GB if it were made dense. */
  @Test
  void sparseVectorsAreExplainedAsWhatTheyAreSentAs() {
    SparkConf conf = conf().set("spark.collectives.combineInExecutors", "false");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      Vector one = Vectors.sparse(300_000_000, new int[] {7}, new double[] {1});
      CallExplanation sparse = sumOf(context, one);
      assertEquals("sparse, 12 bytes; 300000000 x double, combined as objects", sparse.vector());
      int held = 10_000;
      CallExplanation large = sumOf(context, sparse(100 * held, held));
      assertEquals("sparse, 120000 bytes; 1000000 x double, combined as objects", large.vector());
      assertEquals(1, requireNonNull(large.algorithm()).request().units());
      assertEquals(0, requireNonNull(large.algorithm()).request().bytes());
      CallExplanation dense = sumOf(context, sparse(3 * held, held));
      assertEquals(
          "sparse, 120000 bytes; sent as dense 30000 x double, 240000 bytes", dense.vector());
      assertEquals(3 * held, requireNonNull(dense.algorithm()).request().units());
      assertEquals(24L * held, requireNonNull(dense.algorithm()).request().bytes());
    }
  }

  private static Vector sparse(int length, int held) {
    return Vectors.sparse(length, IntStream.range(0, held).toArray(), new double[held]);
  }

  private static CallExplanation sumOf(JavaSparkContext context, Vector vector) {
    JavaRDD<Vector> rdd = context.parallelize(List.of(vector, vector), 2);
    return JavaCollectives.of(rdd).explain(Collective.REDUCE, ReduceOp.SUM, null, vector);
  }

  /** Sparse vectors of so many elements that three dense ones do not fit into the memory here. */
  @Test
  void sumsOfSparseVectorsStaySparse() {
    int length = 300_000_000;
    for (int held : new int[] {3, 20_000}) {
      for (boolean combine : new boolean[] {true, false}) {
        SparkConf conf = conf().set("spark.collectives.combineInExecutors", combine + "");
        try (JavaSparkContext context = new JavaSparkContext(conf)) {
          JavaRDD<Vector> rdd =
              context
                  .parallelize(List.of(0, 1, 2, 3, 4, 5, 6), 7)
                  .map(
                      i -> {
                        int[] at = IntStream.range(0, held).map(k -> 7_000 * k + i % 3).toArray();
                        return Vectors.sparse(
                            length, at, new SplittableRandom(i).doubles(held).toArray());
                      });
          double[] expected = new double[3 * held];
          for (int i = 0; i < 7; i++) {
            double[] values = new SplittableRandom(i).doubles(held).toArray();
            for (int k = 0; k < held; k++) {
              expected[3 * k + i % 3] += values[k];
            }
          }
          for (Vector sum :
              List.of(
                  JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM),
                  JavaCollectives.of(rdd).twoTreeAllReduce(ReduceOp.SUM).value(),
                  JavaCollectives.of(rdd).reduce(ReduceOp.SUM, "ring"))) {
            SparseVector sparse = assertInstanceOf(SparseVector.class, sum);
            assertEquals(length, sparse.size());
            assertArrayEquals(
                IntStream.range(0, 3 * held).map(k -> k / 3 * 7_000 + k % 3).toArray(),
                sparse.indices());
            assertArrayEquals(expected, sparse.values(), 1e-12);
          }
        }
      }
    }
  }

  /** Spark's limit is on what tasks return, which no long result does. */
  @Test
  void longResultsDoNotComeWithTasks() {
    SparkConf conf = conf().set("spark.driver.maxResultSize", "1m");
    int length = 200_000;
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<double[]> arrays =
          context
              .parallelize(List.of(1, 2, 3), 3)
              .map(i -> DoubleStream.generate(() -> i).limit(length).toArray());
      JavaRDD<Vector> vectors = arrays.map(Vectors::dense);
      double[] whole = JavaCollectives.of(arrays).gather();
      assertEquals(3 * length, whole.length);
      assertEquals(3, whole[3 * length - 1]);
      Vector ends = JavaCollectives.of(vectors).gather();
      assertArrayEquals(whole, ends.toArray());
      Vector sum = JavaCollectives.of(vectors).twoTreeReduce(ReduceOp.SUM);
      assertEquals(length, sum.size());
      assertEquals(6, sum.apply(length - 1));
      Vector total =
          JavaCollectives.of(vectors)
              .twoTreeAggregate(
                  () -> Vectors.zeros(length),
                  (before, vector) -> {
                    BLAS.axpy(1, vector, before);
                    return before;
                  },
                  ReduceOp.SUM);
      assertArrayEquals(sum.toArray(), total.toArray());
      int held = 90_000;
      Vector sparse =
          JavaCollectives.of(
                  arrays.map(
                      values ->
                          Vectors.sparse(
                              1_000_000_000,
                              IntStream.range(0, held).map(k -> 10_000 * k).toArray(),
                              Arrays.copyOf(values, held))))
              .twoTreeReduce(ReduceOp.SUM);
      assertEquals(held, assertInstanceOf(SparseVector.class, sparse).indices().length);
      assertEquals(6, sparse.apply(10_000 * (held - 1)));
    }
  }

  @Test
  void partsOfVectorsAreTheReadersOwn() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      JavaRDD<Vector> vectors =
          context.parallelize(List.of(1, 2, 3), 3).map(i -> Vectors.dense(i, i, i));
      for (JavaRDD<Vector> parts :
          List.of(
              JavaCollectives.of(vectors).reduceScatter(ReduceOp.SUM),
              JavaCollectives.of(vectors).allToAll())) {
        List<Vector> before = parts.collect();
        double changed =
            parts
                .map(
                    part -> {
                      part.toArray()[0] = 99; // a dense vector's own array
                      return part.apply(0);
                    })
                .first();
        assertEquals(99, changed);
        assertEquals(before, parts.collect());
      }
    }
  }

  /** A sum of three numbers whose order shows, in vectors of which the first has some more. */
  @Test
  void whatElseAVectorHasChangesNoBitsWhereResultsAreReproducible() {
    SparkConf conf = conf().set("spark.collectives.reproducible", "true");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      for (int held : new int[] {1, 10, 5_000}) {
        int[] at = IntStream.range(0, held).toArray();
        double[] values = new double[held];
        values[0] = 1e16;
        Vector one = Vectors.sparse(10_000, new int[] {0}, new double[] {1});
        List<Vector> vectors = List.of(Vectors.sparse(10_000, at, values), one, one);
        Vector sum =
            JavaCollectives.of(context.parallelize(vectors, 1)).twoTreeReduce(ReduceOp.SUM);
        assertEquals(1e16 + 1 + 1, sum.apply(0), held + " held");
      }
    }
  }

  @Test
  void sumsThatBecomeDenseAndOtherOperators() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      int length = 50_000;
      JavaRDD<Vector> rdd =
          context
              .parallelize(IntStream.range(0, 60).boxed().toList(), 12)
              .map(
                  i -> {
                    int[] at =
                        new SplittableRandom(i)
                            .ints(length / 10, 0, length)
                            .sorted()
                            .distinct()
                            .toArray();
                    double[] values = new double[at.length];
                    Arrays.fill(values, 1 + i);
                    return i == 17
                        ? Vectors.dense(new double[length])
                        : Vectors.sparse(length, at, values);
                  });
      double[] sum = new double[length];
      double[] max = new double[length];
      for (Vector vector : rdd.collect()) {
        vector.foreachActive(
            new scala.runtime.AbstractFunction2<Object, Object, scala.runtime.BoxedUnit>() {
              @Override
              public scala.runtime.BoxedUnit apply(Object at, Object value) {
                sum[(Integer) at] += (Double) value;
                max[(Integer) at] = Math.max(max[(Integer) at], (Double) value);
                return scala.runtime.BoxedUnit.UNIT;
              }
            });
      }
      assertEquals(Vectors.dense(sum), JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.SUM));
      assertEquals(Vectors.dense(sum), JavaCollectives.of(rdd).allReduce(ReduceOp.SUM).value());
      assertEquals(Vectors.dense(max), JavaCollectives.of(rdd).twoTreeReduce(ReduceOp.MAX));
      JavaRDD<Vector> other =
          rdd.union(context.parallelize(List.of(Vectors.sparse(7, new int[0], new double[0]))));
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class,
              () -> JavaCollectives.of(other).twoTreeReduce(ReduceOp.SUM));
      assertTrue(e.getMessage().contains(" has 7 x double"), e.getMessage());
    }
  }

  /** What Scala knows of an RDD's class, and Java of one that comes from there. */
  private static <T> JavaRDD<T> typed(JavaRDD<T> rdd, Class<T> type) {
    return JavaRDD.fromRDD(rdd.rdd(), ClassTag$.MODULE$.apply(type));
  }

  @Test
  void aClassOfSparseVectorsAloneIsRefusedWhereResultsMayBeDense() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      JavaRDD<SparseVector> rdd =
          context.parallelize(
              List.of(
                  Vectors.sparse(3, new int[] {0, 1}, new double[] {1, 2}).toSparse(),
                  Vectors.sparse(3, new int[] {2}, new double[] {3}).toSparse()),
              1);
      RddCollectives<SparseVector> sparse = JavaCollectives.of(typed(rdd, SparseVector.class));
      List<Executable> calls =
          List.of(
              () -> sparse.twoTreeReduce(ReduceOp.SUM),
              () -> sparse.twoTreeAllReduce(ReduceOp.SUM),
              () -> sparse.reduce(ReduceOp.MAX, "ring"),
              () -> sparse.twoTreeScan(ReduceOp.SUM),
              () -> sparse.exscan(ReduceOp.SUM, null),
              () -> sparse.reduceScatter(ReduceOp.SUM),
              sparse::gather,
              sparse::allGather,
              sparse::allToAll,
              () -> sparse.explain(Collective.REDUCE, ReduceOp.SUM));
      int jobs =
          Jobs.of(
              context.sc(),
              () -> {
                for (Executable call : calls) {
                  assertRefused(SparseVector.class, call);
                }
              });
      assertEquals(0, jobs);
      assertRefused(
          org.apache.spark.mllib.linalg.SparseVector.class,
          () ->
              JavaCollectives.of(
                      typed(
                          rdd.map(org.apache.spark.mllib.linalg.SparseVector::fromML),
                          org.apache.spark.mllib.linalg.SparseVector.class))
                  .twoTreeReduce(ReduceOp.SUM));
      assertEquals(
          Vectors.dense(1, new double[] {2, 3}),
          JavaCollectives.of(typed(rdd.map(each -> (Vector) each), Vector.class))
              .twoTreeReduce(ReduceOp.SUM));
      assertEquals(
          Vectors.dense(2, new double[] {4, 6}),
          JavaCollectives.of(
                  typed(
                      context.parallelize(
                          List.of(
                              new DenseVector(new double[] {1, 2, 3}),
                              new DenseVector(new double[] {1, 2, 3}))),
                      DenseVector.class))
              .twoTreeReduce(ReduceOp.SUM));
      int held =
          sparse.twoTreeAggregate(
              () -> 0, (sum, each) -> sum + each.numActives(), (one, other) -> one + other);
      assertEquals(3, held);
      assertEquals(
          rdd.first(),
          sparse.twoTreeReduce(ReduceOp.ofObjects("first", false, (one, other) -> one)));
    }
  }

  /** Scala knows the class that a vector of the driver has in the source. */
  @Test
  void aScatteredVectorIsOfTheClassThatPartsCanHave() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      ContextFunctions functions = implicits.contextToCollectives(context.sc());
      SparseVector sparse = Vectors.sparse(2, new int[] {1}, new double[] {7}).toSparse();
      assertRefused(
          SparseVector.class,
          () -> functions.scatter(sparse, 2, null, ClassTag$.MODULE$.apply(SparseVector.class)));
      RDD<Vector> parts = functions.scatter(sparse, 2, null, ClassTag$.MODULE$.apply(Vector.class));
      assertEquals(
          List.of(Vectors.dense(new double[1]), Vectors.dense(new double[] {7})),
          parts.toJavaRDD().collect());
    }
  }

  private static void assertRefused(Class<?> type, Executable call) {
    assertEquals(
        "results cannot have the elements' class, "
            + type.getName()
            + ": they are dense, but for sums that keep few elements. Give the elements the class"
            + " Vector, as rdd.map(v => v: Vector) and scatter[Vector](vector, parts) do.",
        assertThrows(InvalidInputException.class, call).getMessage());
  }

  @Test
  void vectorsOfBothPackages() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      List<Vector> elements =
          List.of(
              Vectors.dense(1, new double[] {2, 3}),
              Vectors.sparse(3, new int[] {1}, new double[] {10}),
              Vectors.dense(100, new double[] {200, 300}),
              Vectors.sparse(3, new int[] {2}, new double[] {7}));
      for (int partitions : new int[] {1, 3, 4}) {
        JavaRDD<Vector> rdd = context.parallelize(elements, partitions);
        RddCollectives<Vector> collectives = JavaCollectives.of(rdd);
        Vector sum = Vectors.dense(101, new double[] {212, 310});
        assertEquals(sum, collectives.twoTreeAllReduce(ReduceOp.SUM).value());
        assertEquals(sum, collectives.twoTreeReduce(ReduceOp.SUM));
        List<Vector> prefixes = collectives.twoTreeScan(ReduceOp.SUM).collect();
        assertEquals(sum, prefixes.get(3));
        assertEquals(Vectors.dense(1, new double[] {12, 3}), prefixes.get(1));
        assertEquals(elements, rdd.collect());
        assertEquals(
            org.apache.spark.mllib.linalg.Vectors.fromML(sum),
            JavaCollectives.of(rdd.map(org.apache.spark.mllib.linalg.Vectors::fromML))
                .twoTreeReduce(ReduceOp.SUM));
      }
    }
  }
}
