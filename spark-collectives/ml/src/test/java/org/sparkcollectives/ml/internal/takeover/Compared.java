package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.Gauge;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkcollectives.ml.SmallTables;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.testing.SharedCluster;
import scala.jdk.javaapi.CollectionConverters;

/** What programs compute without and with the plugin, in one application. */
final class Compared implements AutoCloseable {
  /** How many features rows have. */
  static final int FEATURES = 12;

  private static final String SWITCH = "spark.collectives.mllib.enabled";

  private final SparkSession session;
  private final Dataset<Row> points;

  /**
   * Starts an application.
   *
   * @param name its name
   * @param folder for what SQL writes
   */
  Compared(String name, Path folder) {
    SparkConf conf =
        SharedCluster.get()
            .conf(name, 2, 1, "512m")
            .set("spark.plugins", CollectivesPlugin.class.getName())
            .set("spark.sql.warehouse.dir", folder.toString());
    session = SparkSession.builder().config(SmallTables.in(conf)).getOrCreate();
    points = made().repartition(3).cache();
  }

  @Override
  public void close() {
    session.stop();
  }

  /** Rows with labels 0, 1 and 2 that depend on the features, a target, a weight and words. */
  private Dataset<Row> made() {
    SplittableRandom random = new SplittableRandom(12);
    List<Row> rows =
        IntStream.range(0, 300)
            .mapToObj(
                i -> {
                  double[] x = random.doubles(FEATURES, -1, 1).toArray();
                  double noise = random.nextDouble(-0.4, 0.4);
                  double target = 2 * x[0] - x[1] + 0.5 * x[2] + noise;
                  double[] counts = Arrays.stream(x).map(v -> Math.floor(2 + 2 * v)).toArray();
                  return RowFactory.create(
                      target > 0 ? 1.0 : 0.0,
                      target > 1 ? 2.0 : target > -1 ? 1.0 : 0.0,
                      target,
                      Math.exp(target),
                      i % 4 == 0 ? 0.0 : 1.0,
                      0.5 + i % 3,
                      i % 5 == 0 ? Vectors.dense(x).toSparse() : Vectors.dense(x),
                      Vectors.dense(counts),
                      List.of("a" + i % 7, "b" + i % 5, "c", "d" + i % 3));
                })
            .toList();
    return session.createDataFrame(
        rows,
        new StructType(
            new StructField[] {
              field("label", DataTypes.DoubleType),
              field("class", DataTypes.DoubleType),
              field("target", DataTypes.DoubleType),
              field("time", DataTypes.DoubleType),
              field("censor", DataTypes.DoubleType),
              field("weight", DataTypes.DoubleType),
              field("features", SQLDataTypes.VectorType()),
              field("counts", SQLDataTypes.VectorType()),
              field("words", DataTypes.createArrayType(DataTypes.StringType))
            }));
  }

  private static StructField field(String name, org.apache.spark.sql.types.DataType type) {
    return new StructField(name, type, false, Metadata.empty());
  }

  /** The rows. */
  Dataset<Row> points() {
    return points;
  }

  RDD<org.apache.spark.mllib.linalg.Vector> rows() {
    return points
        .javaRDD()
        .map(row -> org.apache.spark.mllib.linalg.Vectors.fromML((Vector) row.getAs("features")))
        .rdd();
  }

  /** What the plugin has counted. */
  private static long count(String name) {
    return CollectionConverters.asJava(
            SparkEnv.get()
                .metricsSystem()
                .getSourcesByName("plugin." + CollectivesPlugin.class.getName()))
        .stream()
        .map(source -> (Gauge<?>) source.metricRegistry().getMetrics().get(name))
        .mapToLong(gauge -> (Long) gauge.getValue())
        .sum();
  }

  /**
   * Computes something without and with the plugin, and tells how much was taken over.
   *
   * @param program brings arrays, each of which is to agree to 1e-8 of its own norm
   */
  Taken same(Function<Dataset<Row>, List<double[]>> program) {
    session.sparkContext().setLocalProperty(SWITCH, "false");
    Taken before = Taken.now();
    List<double[]> plain = program.apply(points);
    assertEquals(before, Taken.now(), "nothing is taken over from a thread that said so");
    session.sparkContext().setLocalProperty(SWITCH, null);
    List<double[]> taken = program.apply(points);
    assertEquals(plain.size(), taken.size(), "arrays");
    for (int i = 0; i < plain.size(); i++) {
      assertSame(plain.get(i), taken.get(i), "array " + i);
    }
    Taken after = Taken.now();
    return new Taken(
        after.trainings - before.trainings,
        after.sums - before.sums,
        after.objects - before.objects);
  }

  private static void assertSame(double[] plain, double[] taken, String name) {
    double norm = Math.sqrt(DoubleStream.of(plain).map(x -> x * x).sum());
    assertEquals(plain.length, taken.length, name);
    for (int i = 0; i < plain.length; i++) {
      assertEquals(plain[i], taken[i], 1e-8 * norm, name + ", number " + i);
    }
  }

  /** What was taken over. */
  record Taken(long trainings, long sums, long objects) {
    static Taken now() {
      return new Taken(count("mllib.trainings"), count("mllib.sums"), count("mllib.objects"));
    }
  }

  /** One training in one stage, of which nothing else was left. */
  static void assertTrained(Taken taken) {
    assertEquals(1, taken.trainings, taken::toString);
    assertEquals(0, taken.sums, taken::toString);
  }

  /** A number that is compared by itself. */
  static double[] alone(double number) {
    return new double[] {number};
  }
}
