package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Estimators whose ranks have a part of each vector, against MLlib's. */
@Timeout(240)
class DividedVectorsIT {
  private static SparkSession session;
  private static Dataset<Row> rows;

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder()
            .master("local[3]")
            .appName("divided")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.collectives.mllib.vectors", "divided")
            .getOrCreate();
    rows = Examples.of(session, 600, 8, 5);
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  @Test
  void logisticRegression() {
    for (String label : new String[] {"label", "class"}) {
      for (double elastic : new double[] {0, 0.5}) {
        for (boolean standardised : new boolean[] {true, false}) {
          same(
              estimator(new org.apache.spark.ml.classification.LogisticRegression(), elastic)
                  .setStandardization(standardised)
                  .setLabelCol(label)
                  .fit(rows),
              estimator(new LogisticRegression(), elastic)
                  .setStandardization(standardised)
                  .setLabelCol(label)
                  .fit(rows));
        }
      }
    }
  }

  @Test
  void sparseRowsOfManyFeatures() {
    Dataset<Row> sparse = sparse(20_000);
    same(
        estimator(new org.apache.spark.ml.classification.LogisticRegression(), 0).fit(sparse),
        estimator(new LogisticRegression(), 0).fit(sparse));
  }

  @Test
  void linearSvc() {
    LinearSVCModel expected =
        new org.apache.spark.ml.classification.LinearSVC()
            .setRegParam(0.05)
            .setMaxIter(6)
            .fit(rows);
    LinearSVCModel actual = new LinearSVC().setRegParam(0.05).setMaxIter(6).fit(rows);
    Same.coefficients(expected.coefficients(), actual.coefficients());
    assertEquals(expected.intercept(), actual.intercept(), 1e-8);
    Same.histories(expected.summary().objectiveHistory(), actual.summary().objectiveHistory());
  }

  private static org.apache.spark.ml.classification.LogisticRegression estimator(
      org.apache.spark.ml.classification.LogisticRegression estimator, double elastic) {
    return estimator.setRegParam(0.01).setElasticNetParam(elastic).setMaxIter(20);
  }

  private static void same(LogisticRegressionModel expected, LogisticRegressionModel actual) {
    Same.numbers(expected.coefficientMatrix().toArray(), actual.coefficientMatrix().toArray());
    Same.coefficients(expected.interceptVector(), actual.interceptVector());
    Same.histories(expected.summary().objectiveHistory(), actual.summary().objectiveHistory());
  }

  private static Dataset<Row> sparse(int features) {
    Random random = new Random(9);
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      TreeSet<Integer> chosen = new TreeSet<>();
      while (chosen.size() < 30) {
        chosen.add((int) (features * Math.pow(random.nextDouble(), 4)));
      }
      int[] indices = chosen.stream().mapToInt(Integer::intValue).toArray();
      double[] values = random.doubles(indices.length).toArray();
      double margin = Arrays.stream(indices).mapToDouble(index -> Math.cos(index)).sum();
      double label = margin + random.nextGaussian() > 0 ? 1 : 0;
      all.add(RowFactory.create(label, Vectors.sparse(features, indices, values)));
    }
    StructType columns =
        new StructType()
            .add("label", DataTypes.DoubleType)
            .add("features", SQLDataTypes.VectorType());
    return session.createDataFrame(all, columns).repartition(4).cache();
  }
}
