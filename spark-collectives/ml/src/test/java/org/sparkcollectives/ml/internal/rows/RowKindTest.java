package org.sparkcollectives.ml.internal.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.InterpretedMutableProjection;
import org.apache.spark.sql.catalyst.plans.logical.Project;
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
import scala.collection.immutable.Seq;

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
    assertLabels(RowKind.NUMBERS, DatasetUtils$.MODULE$.checkRegressionLabels("value"));
    assertLabels(
        RowKind.CLASSES, DatasetUtils$.MODULE$.checkClassificationLabels("value", Option.empty()));
    assertLabels(
        RowKind.TWO_CLASSES,
        DatasetUtils$.MODULE$.checkClassificationLabels("value", Option.apply(2)));
  }

  private static void assertLabels(RowKind kind, Column mllibs) {
    Predicate<@Nullable Object> check = check(DataTypes.DoubleType, mllibs);
    for (Double label : NUMBERS) {
      Instance row = new Instance(number(label), 1, GOOD);
      assertEquals(check.test(label), kind.takes(row), kind + " " + label);
    }
  }

  @Test
  void weightsAreThoseThatMllibTakes() {
    Predicate<@Nullable Object> check =
        check(DataTypes.DoubleType, DatasetUtils$.MODULE$.checkNonNegativeWeights("value"));
    for (Double weight : NUMBERS) {
      boolean passes = check.test(weight);
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
    VectorUDT type = new VectorUDT();
    Predicate<@Nullable Object> check =
        check(type, DatasetUtils$.MODULE$.checkNonNanVectors("value"));
    for (@Nullable Vector vector :
        Arrays.asList(
            null,
            GOOD,
            Vectors.dense(1, new double[] {Double.NaN}),
            Vectors.dense(Double.NEGATIVE_INFINITY, new double[] {1}),
            Vectors.sparse(3, new int[0], new double[0]),
            Vectors.sparse(3, new int[] {1}, new double[] {Double.POSITIVE_INFINITY}),
            Vectors.sparse(3, new int[] {1, 2}, new double[] {0, Double.NaN}))) {
      boolean passes = check.test(vector == null ? null : type.serialize(vector));
      for (RowKind kind : RowKind.values()) {
        assertEquals(passes, kind.takes(new Instance(1, 1, vector)), kind + " " + vector);
      }
    }
  }

  private static double number(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  /** Whether MLlib's check lets a value through, as Spark SQL keeps it; there is no job for it. */
  @SuppressWarnings("unchecked") // each expression with a name is one
  private static Predicate<@Nullable Object> check(DataType type, Column mllibs) {
    StructType schema =
        new StructType(new StructField[] {new StructField("value", type, true, Metadata.empty())});
    Project project =
        (Project)
            session
                .createDataFrame(List.<Row>of(), schema)
                .select(mllibs)
                .queryExecution()
                .analyzed();
    var evaluated =
        new InterpretedMutableProjection(
            (Seq<Expression>) (Seq<?>) project.projectList(), project.child().output());
    evaluated.initialize(0);
    return value -> {
      try {
        var unused = evaluated.apply(new GenericInternalRow(new @Nullable Object[] {value}));
        return true;
      } catch (Exception e) { // which Scala does not declare
        assertTrue(String.valueOf(e.getMessage()).contains("MUST"), e::toString);
        return false;
      }
    };
  }
}
