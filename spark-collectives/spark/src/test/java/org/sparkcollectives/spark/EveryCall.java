package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.sparkcollectives.vector.ReduceOp;

/** Every call of the Java entry on one RDD, held against a loop at the driver. */
final class EveryCall {
  private static final long SEED = 20261121;

  private final JavaSparkContext context;

  EveryCall(JavaSparkContext context) {
    this.context = context;
  }

  /** Runs every call. */
  void check(int elements, int partitions, int matrices) {
    List<double[]> all = Matrices.random(SEED + elements, elements, matrices);
    JavaRDD<double[]> rdd = context.parallelize(all, partitions);
    String what = elements + " elements in " + partitions + " partitions, seed " + SEED;
    List<double[]> prefixes = Matrices.prefixes(all);
    double[] product = prefixes.get(prefixes.size() - 1);
    reduces(rdd, product, what);
    sums(rdd, all, what);
    scans(rdd, prefixes, what);
    reduceScatters(rdd, all, product, what);
    exchanges(rdd.map(v -> Arrays.copyOf(v, (int) (Math.abs(v[0]) % 5))), what);
  }

  private static void reduceScatters(
      JavaRDD<double[]> rdd, List<double[]> all, double[] product, String what) {
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    int pieces = rdd.getNumPartitions();
    List<double[]> products = collectives.reduceScatter(Matrices.TUPLES).collect();
    assertArrayEquals(product, concatenation(products), what);
    for (int i = 0; i < pieces; i++) {
      int tuples = product.length / 4;
      int expected = (i + 1) * tuples / pieces - i * tuples / pieces;
      assertEquals(4 * expected, products.get(i).length, what);
    }
    double[] sum = new double[product.length];
    for (double[] next : all) {
      Arrays.setAll(sum, i -> sum[i] + next[i]);
    }
    JavaRDD<double[]> parts = collectives.reduceScatter(ReduceOp.SUM);
    assertArrayEquals(sum, concatenation(parts.collect()), what);
    parts.foreach(part -> Arrays.fill(part, Double.NaN));
    assertArrayEquals(sum, concatenation(parts.collect()), "read again, " + what);
  }

  /** The calls that only move elements. */
  private void exchanges(JavaRDD<double[]> rdd, String what) {
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    int pieces = rdd.getNumPartitions();
    double[] whole = concatenation(rdd.collect());
    assertArrayEquals(whole, collectives.gather(), what);
    Broadcast<double[]> everywhere = collectives.allGather();
    assertEquals(
        List.of(whole.length), rdd.map(v -> everywhere.value().length).distinct().collect(), what);
    assertArrayEquals(whole, everywhere.value(), what);
    List<List<double[]>> expected = new ArrayList<>();
    for (int part = 0; part < pieces; part++) {
      expected.add(new ArrayList<>());
    }
    for (List<double[]> partition : rdd.glom().collect()) {
      double[] own = concatenation(partition);
      for (int part = 0; part < pieces; part++) {
        expected.get(part).add(cut(own, part, pieces));
      }
    }
    List<double[]> exchanged = collectives.allToAll().collect();
    List<double[]> scattered = JavaCollectives.of(context).scatter(whole, pieces).collect();
    assertEquals(pieces, exchanged.size(), what);
    assertEquals(pieces, scattered.size(), what);
    for (int part = 0; part < pieces; part++) {
      assertArrayEquals(concatenation(expected.get(part)), exchanged.get(part), what);
      assertArrayEquals(cut(whole, part, pieces), scattered.get(part), what);
    }
  }

  private static double[] concatenation(List<double[]> vectors) {
    return vectors.stream().flatMapToDouble(Arrays::stream).toArray();
  }

  private static double[] cut(double[] vector, int part, int pieces) {
    return Arrays.copyOfRange(
        vector, vector.length * part / pieces, vector.length * (part + 1) / pieces);
  }

  private static void reduces(JavaRDD<double[]> rdd, double[] product, String what) {
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    assertArrayEquals(product, collectives.twoTreeReduce(Matrices.TUPLES), what);
    assertArrayEquals(product, collectives.reduce(Matrices.TUPLES, "binomial"), what);
    assertArrayEquals(product, collectives.reduce(Matrices.OBJECTS), what);
    Broadcast<double[]> everywhere = collectives.twoTreeAllReduce(Matrices.TUPLES);
    List<double[]> seen =
        rdd.mapPartitions(elements -> List.of(everywhere.value()).iterator()).collect();
    seen.forEach(value -> assertArrayEquals(product, value, what));
    assertArrayEquals(product, everywhere.value(), what);
    everywhere.destroy();
    assertArrayEquals(
        product, collectives.allReduce(Matrices.OBJECTS, "recursive-doubling").value(), what);
    assertArrayEquals(
        product,
        collectives.<double[]>twoTreeAggregate(
            () -> new double[0],
            (sum, next) -> sum.length == 0 ? next.clone() : Matrices.times(sum, next),
            Matrices::times),
        what);
  }

  private static void sums(JavaRDD<double[]> rdd, List<double[]> all, String what) {
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    double[] sum = new double[all.get(0).length];
    double[] most = all.get(0).clone();
    for (double[] next : all) {
      Arrays.setAll(sum, i -> sum[i] + next[i]);
      Arrays.setAll(most, i -> Math.max(most[i], next[i]));
    }
    assertArrayEquals(sum, collectives.allReduce(ReduceOp.SUM).value(), what);
    for (String slug : List.of("rabenseifner", "binary-blocks", "ring")) {
      assertArrayEquals(sum, collectives.allReduce(ReduceOp.SUM, slug).value(), slug + what);
    }
    assertArrayEquals(most, collectives.reduce(ReduceOp.MAX), what);
  }

  private static void scans(JavaRDD<double[]> rdd, List<double[]> prefixes, String what) {
    RddCollectives<double[]> collectives = JavaCollectives.of(rdd);
    assertAll(prefixes, collectives.twoTreeScan(Matrices.TUPLES).collect(), what);
    assertAll(prefixes, collectives.scan(Matrices.OBJECTS, null).collect(), what);
    if (prefixes.get(0).length == 4) {
      List<double[]> before = new ArrayList<>(List.of(new double[] {1, 0, 0, 1}));
      before.addAll(prefixes.subList(0, prefixes.size() - 1));
      assertAll(before, collectives.twoTreeExscan(Matrices.OBJECTS).collect(), what);
    }
  }

  private static void assertAll(List<double[]> expected, List<double[]> actual, String what) {
    assertEquals(expected.size(), actual.size(), what);
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), actual.get(i), what + ", element " + i);
    }
  }
}
