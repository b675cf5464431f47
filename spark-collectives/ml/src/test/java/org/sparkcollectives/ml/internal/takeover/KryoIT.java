package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.functions;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.ml.KMeans;
import org.sparkcollectives.ml.LogisticRegression;
import org.sparkcollectives.ml.Trainer;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.testing.SharedCluster;

/** Trainings whose results go to another executor and to the driver by Kryo. */
@Timeout(600)
class KryoIT {
  private static final int ROWS = 300;
  private static final int FEATURES = 4;

  @Test
  void resultsAreThoseOfJavasSerializer() {
    List<double[]> expected = results("org.apache.spark.serializer.JavaSerializer", false);
    same(expected, results("org.apache.spark.serializer.KryoSerializer", false));
    // MLlib's own k-means does not begin there: it collects classes that Spark has not registered.
    same(expected.subList(0, 4), results("org.apache.spark.serializer.KryoSerializer", true));
  }

  private static void same(List<double[]> expected, List<double[]> actual) {
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), actual.get(i), 1e-9, "training " + i);
    }
  }

  private static List<double[]> results(String serializer, boolean registered) {
    SparkConf conf =
        SharedCluster.get()
            .conf("serializers of trainings", 2, 2, "512m")
            .set("spark.serializer", serializer)
            .set("spark.kryo.registrationRequired", String.valueOf(registered))
            .set("spark.plugins", CollectivesPlugin.class.getName());
    SparkSession session = SparkSession.builder().config(conf).getOrCreate();
    try {
      Dataset<Row> data = data(session);
      JavaRDD<double[]> rows = data.javaRDD().map(row -> row.<Vector>getAs("features").toArray());
      List<double[]> found = new ArrayList<>();
      double[] start = new double[FEATURES];
      found.add(Trainer.lbfgs().withMaxIterations(5).minimise(rows, start, KryoIT::distances).x());
      found.add(
          Trainer.sgd(0.1, 0.5).withMaxIterations(5).minimise(rows, start, KryoIT::distances).x());
      found.add(new LogisticRegression().setMaxIter(5).fit(data).coefficients().toArray());
      long before = MllibExtension.counts().trainings();
      found.add(
          new org.apache.spark.ml.classification.LogisticRegression()
              .setMaxIter(5)
              .fit(data)
              .coefficients()
              .toArray());
      int taken = 1;
      if (!registered) {
        found.add(centres(new org.apache.spark.ml.clustering.KMeans(), data));
        taken++;
      }
      assertEquals(taken, MllibExtension.counts().trainings() - before, serializer);
      if (!registered) {
        found.add(centres(new KMeans(), data));
      }
      return found;
    } finally {
      session.stop();
    }
  }

  private static Dataset<Row> data(SparkSession session) {
    Column[] features =
        IntStream.range(0, FEATURES)
            .mapToObj(i -> org.apache.spark.sql.functions.expr("sin(id * " + (i + 1.5) + ")"))
            .toArray(Column[]::new);
    return session
        .range(0, ROWS, 1, 4)
        .select(
            org.apache.spark.sql.functions.expr("if(id % 3 = 0, 1.0D, 0.0D)").as("label"),
            functions
                .array_to_vector(org.apache.spark.sql.functions.array(features))
                .as("features"));
  }

  private static double[] centres(
      org.apache.spark.ml.clustering.KMeans estimator, Dataset<Row> data) {
    return Arrays.stream(estimator.setK(3).setSeed(1).setMaxIter(4).fit(data).clusterCenters())
        .flatMapToDouble(centre -> Arrays.stream(centre.toArray()))
        .toArray();
  }

  /** Half the squares of distances to each row. */
  private static double distances(double[] x, List<double[]> rows, double[] gradient) {
    double value = 0;
    for (double[] row : rows) {
      for (int i = 0; i < x.length; i++) {
        gradient[i] += x[i] - row[i];
        value += (x[i] - row[i]) * (x[i] - row[i]) / 2;
      }
    }
    return value;
  }
}
