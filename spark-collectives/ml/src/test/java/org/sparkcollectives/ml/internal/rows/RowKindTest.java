package org.sparkcollectives.ml.internal.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Option;

/** What rows each kind takes, beside MLlib's checks of columns. */
@Tag("cross-version")
class RowKindTest {
  private static final Double[] NUMBERS = {
    null,
    Double.NaN,
    Double.NEGATIVE_INFINITY,
    Double.POSITIVE_INFINITY,
    -1.0,
    -0.0,
    0.0,
    0.5,
    1.0,
    2.0,
    Integer.MAX_VALUE - 1.0,
    (double) Integer.MAX_VALUE,
    1e300
  };
  private static final Vector GOOD = Vectors.dense(1, new double[] {2});

  private static SparkSession session;

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder()
            .master("local[1]")
            .appName("row kinds")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  @Test
  void labelsAreThoseThatMllibTakes() {
    for (Double label : NUMBERS) {
      Instance row = new Instance(number(label), 1, GOOD);
      assertEquals(
          passes(label, DatasetUtils$.MODULE$.checkRegressionLabels("value")),
          RowKind.NUMBERS.takes(row),
          "" + label);
      assertEquals(
          passes(label, DatasetUtils$.MODULE$.checkClassificationLabels("value", Option.empty())),
          RowKind.CLASSES.takes(row),
          "" + label);
      assertEquals(
          passes(label, DatasetUtils$.MODULE$.checkClassificationLabels("value", Option.apply(2))),
          RowKind.TWO_CLASSES.takes(row),
          "" + label);
    }
  }

  @Test
  void weightsAreThoseThatMllibTakes() {
    for (Double weight : NUMBERS) {
      boolean passes = passes(weight, DatasetUtils$.MODULE$.checkNonNegativeWeights("value"));
      for (RowKind kind : List.of(RowKind.NUMBERS, RowKind.CLASSES, RowKind.TWO_CLASSES)) {
        assertEquals(
            passes, kind.takes(new Instance(1, number(weight), GOOD)), kind + " " + weight);
      }
    }
  }

  @Test
  void lifetimesEndOrDoNot() {
    for (Double number : NUMBERS) {
      double value = number(number);
      assertEquals(
          value > 0 && Double.isFinite(value),
          RowKind.LIFETIMES.takes(new Instance(value, 1, GOOD)),
          "" + number);
      assertEquals(
          value == 0 || value == 1,
          RowKind.LIFETIMES.takes(new Instance(1, value, GOOD)),
          "" + number);
    }
  }

  @Test
  void featuresAreThoseThatMllibTakes() {
    for (@Nullable Vector vector :
        Arrays.asList(
            null,
            GOOD,
            Vectors.dense(1, new double[] {Double.NaN}),
            Vectors.dense(Double.NEGATIVE_INFINITY, new double[] {1}),
            Vectors.sparse(3, new int[0], new double[0]),
            Vectors.sparse(3, new int[] {1}, new double[] {Double.POSITIVE_INFINITY}),
            Vectors.sparse(3, new int[] {1, 2}, new double[] {0, Double.NaN}))) {
      boolean passes =
          passes(
              vector, SQLDataTypes.VectorType(), DatasetUtils$.MODULE$.checkNonNanVectors("value"));
      for (RowKind kind : RowKind.values()) {
        assertEquals(passes, kind.takes(new Instance(1, 1, vector)), kind + " " + vector);
      }
    }
  }

  private static double number(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  private static boolean passes(@Nullable Double value, Column check) {
    return passes(value, DataTypes.DoubleType, check);
  }

  /** Whether MLlib's check lets a value through. */
  private static boolean passes(@Nullable Object value, DataType type, Column check) {
    StructType schema =
        new StructType(new StructField[] {new StructField("value", type, true, Metadata.empty())});
    try {
      session.createDataFrame(List.of(RowFactory.create(value)), schema).select(check).collect();
      return true;
    } catch (Exception e) { // which Scala does not declare
      return false;
    }
  }
}
