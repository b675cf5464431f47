package org.sparkcollectives.ml;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Rows that are the same in every run. */
final class Examples {
  private static final StructType SCHEMA =
      new StructType()
          .add("label", DataTypes.DoubleType)
          .add("class", DataTypes.DoubleType)
          .add("time", DataTypes.DoubleType)
          .add("censor", DataTypes.DoubleType)
          .add("weight", DataTypes.DoubleType)
          .add("features", SQLDataTypes.VectorType());

  private Examples() {}

  /**
   * Rows with a noisy linear response: label of two classes, class of three, time; every ninth has
   * weight 0. Of the partitions the third is empty.
   */
  static Dataset<Row> of(SparkSession session, int rows, int features, int partitions) {
    Random random = new Random(7);
    double[] truth = random.doubles(features, -1, 1).toArray();
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      double[] x = random.doubles(features, -2, 3).toArray();
      x[1] = random.nextInt(5) == 0 ? x[1] * 10 : 0; // mostly nothing
      double y = random.nextGaussian();
      for (int j = 0; j < features; j++) {
        y += truth[j] * x[j];
      }
      all.add(
          RowFactory.create(
              y > 1 ? 1.0 : 0.0,
              y > 3 ? 2.0 : y > 0 ? 1.0 : 0.0,
              Math.exp(0.3 * y),
              i % 4 == 0 ? 0.0 : 1.0,
              i % 9 == 0 ? 0.0 : 0.5 + random.nextDouble(),
              i % 2 == 0 ? Vectors.dense(x) : Vectors.dense(x).toSparse()));
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
    List<List<Row>> dealt = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      dealt.add(new ArrayList<>());
    }
    for (int i = 0; i < rows; i++) {
      int p = i % (partitions - 1);
      dealt.get(p < 2 ? p : p + 1).add(all.get(i));
    }
    return session
        .createDataFrame(context.parallelize(dealt, partitions).flatMap(List::iterator), SCHEMA)
        .cache();
  }
}
