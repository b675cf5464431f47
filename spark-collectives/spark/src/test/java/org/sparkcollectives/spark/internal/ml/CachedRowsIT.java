package org.sparkcollectives.spark.internal.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.ml.linalg.DenseVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;

/** Cached rows whose vectors are aggregated, which stay as they are. */
@Timeout(120)
class CachedRowsIT {
  private static final int LONG = 10_000; // whose vectors go over links

  private static final class Row implements Serializable {
    private static final long serialVersionUID = 1;

    private final double[] vector;

    Row(double[] vector) {
      this.vector = vector;
    }
  }

  private static JavaRDD<Row> rows(JavaSparkContext context, int length) {
    return context
        .parallelize(List.of(1, 2), 2)
        .map(
            i -> {
              double[] vector = new double[length];
              vector[0] = i;
              return new Row(vector);
            })
        .cache();
  }

  private static double[] plus(double[] sum, double[] vector) {
    double[] both = sum.clone();
    for (int i = 0; i < both.length; i++) {
      both[i] += vector[i];
    }
    return both;
  }

  @Test
  void rowsAreAsBeforeAfterEachKindOfAggregation() {
    SparkConf conf =
        new SparkConf().setMaster("local[2]").setAppName("rows").set("spark.ui.enabled", "false");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      Function2<double[], Row, double[]> add =
          (sum, row) -> sum.length == 0 ? row.vector : plus(sum, row.vector);
      for (int length : new int[] {1, LONG}) {
        JavaRDD<Row> rows = rows(context, length);
        for (int call = 0; call < 3; call++) {
          double[] sum =
              JavaCollectives.of(rows).twoTreeAggregate(() -> new double[0], add, ReduceOp.SUM);
          assertArrayEquals(new double[] {1, 2, 3}, firsts(rows, sum));
          DenseVector vector =
              JavaCollectives.of(rows)
                  .twoTreeAggregate(
                      () -> new DenseVector(new double[0]),
                      (all, row) -> new DenseVector(add.call(all.values(), row)),
                      ReduceOp.SUM);
          assertArrayEquals(new double[] {1, 2, 3}, firsts(rows, vector.values()));
          for (int value : new int[] {1, LONG}) {
            sum =
                JavaCollectives.of(rows)
                    .twoTreeAggregateWith(
                        new double[value],
                        () -> new double[0],
                        (weights, all, row) -> add.call(all, row),
                        ReduceOp.SUM);
            assertArrayEquals(new double[] {1, 2, 3}, firsts(rows, sum));
          }
        }
      }
    }
  }

  private static double[] firsts(JavaRDD<Row> rows, double[] sum) {
    List<Row> all = rows.collect();
    return new double[] {all.get(0).vector[0], all.get(1).vector[0], sum[0]};
  }
}
