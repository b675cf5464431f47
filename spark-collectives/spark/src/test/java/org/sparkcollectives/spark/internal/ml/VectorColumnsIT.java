package org.sparkcollectives.spark.internal.ml;

import static org.apache.spark.sql.functions.col;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.stat.Summarizer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.RddCollectives;
import org.sparkcollectives.sql.DatasetCollectives;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** MLlib's vectors of both packages, dense and sparse, as columns of datasets. */
@Timeout(300)
@Tag("cross-version")
class VectorColumnsIT {
  private static SparkSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void start() {
    SparkConf conf =
        SharedCluster.get()
            .conf("vector-columns", 2, 2, "512m")
            .set("spark.sql.warehouse.dir", folder.toString())
            .set("spark.sql.shuffle.partitions", "5");
    session = SparkSession.builder().config(conf).getOrCreate();
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  private static Vector vector(int i) {
    return i % 3 == 0
        ? Vectors.sparse(4, new int[] {1, 3}, new double[] {i, -i})
        : Vectors.dense(1, new double[] {i, 2 * i, 0.5});
  }

  private static Dataset<Row> vectors(int count) {
    List<Row> rows =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    RowFactory.create(
                        i, vector(i), org.apache.spark.mllib.linalg.Vectors.fromML(vector(i))))
            .toList();
    StructType schema =
        new StructType(
            new StructField[] {
              new StructField("id", DataTypes.IntegerType, false, Metadata.empty()),
              new StructField("features", SQLDataTypes.VectorType(), true, Metadata.empty()),
              new StructField(
                  "old", new org.apache.spark.mllib.linalg.VectorUDT(), true, Metadata.empty())
            });
    return session.createDataFrame(rows, schema).repartition(7);
  }

  @Test
  void theSumIsTheSummarizers() {
    Dataset<Row> rows = vectors(50);
    Vector sum = rows.select(Summarizer.sum(col("features"))).first().getAs(0);
    RddCollectives<Vector> features = DatasetCollectives.of(rows).vectors("features", Vector.class);
    Vector reduced = features.twoTreeReduce(ReduceOp.SUM);
    assertArrayEquals(sum.toArray(), reduced.toArray(), 1e-9); // the summarizer multiplies a mean
    assertEquals(reduced, features.twoTreeAllReduce(ReduceOp.SUM).value());
    assertEquals(
        org.apache.spark.mllib.linalg.Vectors.fromML(reduced),
        DatasetCollectives.of(rows)
            .vectors("old", org.apache.spark.mllib.linalg.Vector.class)
            .twoTreeReduce(ReduceOp.SUM));
  }

  @Test
  void scansFollowTheOrderOfTheDataset() {
    List<Vector> prefixes =
        DatasetCollectives.of(vectors(30).orderBy("id"))
            .vectors("features", Vector.class)
            .twoTreeScan(ReduceOp.SUM)
            .collect();
    double[] sum = new double[4];
    for (int i = 0; i < 30; i++) {
      double[] next = vector(i).toArray();
      for (int j = 0; j < sum.length; j++) {
        sum[j] += next[j];
      }
      assertEquals(Vectors.dense(sum.clone()), prefixes.get(i));
    }
  }

  @Test
  void vectorsOfTheOtherPackage() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                DatasetCollectives.of(vectors(3))
                    .vectors("features", org.apache.spark.mllib.linalg.Vector.class));
    assertTrue(
        e.getMessage().contains("gives elements of org.apache.spark.ml.linalg.Vector. Ask for"),
        e::getMessage);
  }
}
