package org.sparkcollectives.benchmarks.ml;

import java.util.Arrays;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What is trained. */
enum Model {
  LOGISTIC_REGRESSION {
    @Override
    Fit fit(Dataset<Row> data, boolean own, int iterations) {
      LogisticRegression estimator =
          own ? new org.sparkcollectives.ml.LogisticRegression() : new LogisticRegression();
      LogisticRegressionModel model =
          estimator.setMaxIter(iterations).setRegParam(REGULARISATION).setTol(TOLERANCE).fit(data);
      return new Fit(model.summary().totalIterations(), model.coefficientMatrix().toArray());
    }
  },

  LINEAR_SVC {
    @Override
    Fit fit(Dataset<Row> data, boolean own, int iterations) {
      LinearSVC estimator = own ? new org.sparkcollectives.ml.LinearSVC() : new LinearSVC();
      LinearSVCModel model =
          estimator.setMaxIter(iterations).setRegParam(REGULARISATION).setTol(TOLERANCE).fit(data);
      return new Fit(model.summary().totalIterations(), model.coefficients().toArray());
    }
  },

  KMEANS {
    @Override
    Fit fit(Dataset<Row> data, boolean own, int iterations) {
      KMeans estimator = own ? new org.sparkcollectives.ml.KMeans() : new KMeans();
      KMeansModel model =
          estimator.setK(CENTRES).setSeed(1).setTol(0).setMaxIter(iterations).fit(data);
      double[] centres =
          Arrays.stream(model.clusterCenters())
              .map(Vector::toArray)
              .flatMapToDouble(Arrays::stream)
              .toArray();
      return new Fit(model.summary().numIter(), centres);
    }
  };

  private static final double REGULARISATION = 1e-3;
  private static final double TOLERANCE = 1e-6;
  private static final int CENTRES = 100;

  /**
   * A training.
   *
   * @param iterations how many iterations it took
   * @param coefficients what it found
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Fit(int iterations, double[] coefficients) {

    /** The largest difference to another training's coefficients, over their largest. */
    double differenceTo(Fit other) {
      double most = 0;
      double difference = 0;
      for (int i = 0; i < coefficients.length; i++) {
        most = Math.max(most, Math.abs(other.coefficients[i]));
        difference = Math.max(difference, Math.abs(coefficients[i] - other.coefficients[i]));
      }
      return difference / Math.max(most, Double.MIN_NORMAL);
    }
  }

  /**
   * Trains.
   *
   * @param data columns {@code label} and {@code features}
   * @param own whether by the library's estimator
   * @param iterations how many at most
   * @return what came of it
   */
  abstract Fit fit(Dataset<Row> data, boolean own, int iterations);
}
