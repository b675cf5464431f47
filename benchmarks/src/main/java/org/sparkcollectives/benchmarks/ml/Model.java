package org.sparkcollectives.benchmarks.ml;

import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassificationModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.GaussianMixtureModel;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What is trained. */
enum Model {
  LOGISTIC_REGRESSION("RDDLossFunction.scala", true) {
    @Override
    boolean learns(TrainingSet problem) {
      return problem.classes() > 0;
    }

    @Override
    long numbers(TrainingSet problem) {
      int classes = problem.classes();
      return classes > 2 ? classes * (problem.features() + 1L) : problem.features();
    }

    @Override
    Fit fit(Dataset<Row> data, TrainingSet problem, boolean own, int iterations) {
      LogisticRegression estimator =
          own ? new org.sparkcollectives.ml.LogisticRegression() : new LogisticRegression();
      LogisticRegressionModel model =
          estimator.setMaxIter(iterations).setRegParam(REGULARISATION).setTol(TOLERANCE).fit(data);
      return new Fit(model.summary().totalIterations(), () -> model.coefficientMatrix().toArray());
    }
  },

  LINEAR_SVC("RDDLossFunction.scala", true) {
    @Override
    boolean learns(TrainingSet problem) {
      return problem.classes() == 2;
    }

    @Override
    Fit fit(Dataset<Row> data, TrainingSet problem, boolean own, int iterations) {
      LinearSVC estimator = own ? new org.sparkcollectives.ml.LinearSVC() : new LinearSVC();
      LinearSVCModel model =
          estimator.setMaxIter(iterations).setRegParam(REGULARISATION).setTol(TOLERANCE).fit(data);
      return new Fit(model.summary().totalIterations(), () -> model.coefficients().toArray());
    }
  },

  KMEANS("KMeans.scala", true) {
    @Override
    long numbers(TrainingSet problem) {
      return CENTRES * (problem.features() + 1L) + 2;
    }

    @Override
    Fit fit(Dataset<Row> data, TrainingSet problem, boolean own, int iterations) {
      KMeans estimator = own ? new org.sparkcollectives.ml.KMeans() : new KMeans();
      KMeansModel model =
          estimator.setK(CENTRES).setSeed(1).setTol(0).setMaxIter(iterations).fit(data);
      return new Fit(
          model.summary().numIter(),
          () ->
              Arrays.stream(model.clusterCenters())
                  .map(Vector::toArray)
                  .flatMapToDouble(Arrays::stream)
                  .toArray());
    }
  },

  FACTORIZATION_MACHINE("GradientDescent.scala", true) {
    @Override
    boolean learns(TrainingSet problem) {
      return problem.classes() == 2;
    }

    @Override
    long numbers(TrainingSet problem) {
      return 1 + problem.features() * (1L + FACTORS);
    }

    @Override
    Fit fit(Dataset<Row> data, TrainingSet problem, boolean own, int iterations) {
      FMClassifier estimator =
          own ? new org.sparkcollectives.ml.FMClassifier() : new FMClassifier();
      FMClassificationModel model =
          estimator.setFactorSize(FACTORS).setSeed(1).setTol(0).setMaxIter(iterations).fit(data);
      return new Fit(model.summary().totalIterations(), () -> model.factors().toArray());
    }
  },

  PERCEPTRON("LBFGS.scala", false) {
    @Override
    boolean learns(TrainingSet problem) {
      return problem.classes() > 0;
    }

    @Override
    long numbers(TrainingSet problem) {
      return HIDDEN * (problem.features() + 1L) + problem.classes() * (HIDDEN + 1L);
    }

    @Override
    Fit fit(Dataset<Row> data, TrainingSet problem, boolean own, int iterations) {
      MultilayerPerceptronClassificationModel model =
          new MultilayerPerceptronClassifier()
              .setLayers(new int[] {problem.features(), HIDDEN, problem.classes()})
              .setSeed(1)
              .setTol(0)
              .setMaxIter(iterations)
              .fit(data);
      return new Fit(model.summary().totalIterations(), () -> model.weights().toArray());
    }
  },

  GAUSSIAN_MIXTURE("GaussianMixture.scala", false) {
    @Override
    long numbers(TrainingSet problem) {
      long features = problem.features();
      return DISTRIBUTIONS * (1 + features + features * (features + 1) / 2) + 2;
    }

    @Override
    Fit fit(Dataset<Row> data, TrainingSet problem, boolean own, int iterations) {
      GaussianMixtureModel model =
          new GaussianMixture()
              .setK(DISTRIBUTIONS)
              .setSeed(1)
              .setTol(0)
              .setMaxIter(iterations)
              .fit(data);
      return new Fit(
          model.summary().numIter(),
          () ->
              Arrays.stream(model.gaussians())
                  .map(each -> each.mean().toArray())
                  .flatMapToDouble(Arrays::stream)
                  .toArray());
    }
  };

  private static final double REGULARISATION = 1e-3;
  private static final double TOLERANCE = 1e-6;
  private static final int CENTRES = 100;
  private static final int FACTORS = 8;
  private static final int HIDDEN = 32;
  private static final int DISTRIBUTIONS = 10;

  private final String loop;
  private final boolean own;

  Model(String loop, boolean own) {
    this.loop = loop;
    this.own = own;
  }

  /** The source file of Spark's that starts a job for each iteration or evaluation. */
  String loop() {
    return loop;
  }

  /**
   * The vector that ranks sum up in each iteration, without the few numbers that do not grow with
   * the features.
   *
   * @param problem what is learnt from
   * @return how many numbers it has
   */
  long numbers(TrainingSet problem) {
    return problem.features();
  }

  /** Whether it can tell the classes of a problem apart; true where it does without classes. */
  boolean learns(TrainingSet problem) {
    return true;
  }

  /** Whether the library has an estimator of its own for it. */
  boolean hasOwn() {
    return own;
  }

  /**
   * A training.
   *
   * @param iterations how many iterations it took
   * @param coefficients copies what it found out of the model
   */
  record Fit(int iterations, Supplier<double[]> coefficients) {}

  /**
   * Trains.
   *
   * @param data columns {@code label} and {@code features}
   * @param problem what they are the rows of, which this model {@linkplain #learns learns}
   * @param own whether by the library's estimator
   * @param iterations how many at most
   * @return what came of it
   */
  abstract Fit fit(Dataset<Row> data, TrainingSet problem, boolean own, int iterations);
}
