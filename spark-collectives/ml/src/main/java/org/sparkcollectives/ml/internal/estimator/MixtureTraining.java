package org.sparkcollectives.ml.internal.estimator;

import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.rdd.RDD;
import org.sparkcollectives.ml.internal.iteration.ExpectationMaximization;
import org.sparkcollectives.ml.internal.iteration.Mixture;
import scala.Tuple2;

/** Mixtures of Gaussian distributions: MLlib chooses the first ones, ranks iterate. */
public final class MixtureTraining {
  private MixtureTraining() {}

  /**
   * What {@code ml.clustering.GaussianMixture} trains.
   *
   * @param estimator the estimator
   * @param rows the rows, each with its weight
   * @param weights the weights of the first mixture; in their place come those of the last
   * @param gaussians mean and covariance of each of the first distributions, and then the last ones
   * @param features how many features there are
   * @param log where it says what it does
   * @return the rows' log likelihood and the number of iterations, or nothing where there are no
   *     partitions
   * @throws org.sparkcollectives.error.InvalidInputException if a mixture is too large to travel as
   *     one object
   */
  public static Optional<Tuple2<Object, Object>> trained(
      GaussianMixture estimator,
      RDD<Tuple2<Vector, Object>> rows,
      double[] weights,
      Tuple2<DenseVector, DenseVector>[] gaussians,
      int features,
      Instrumentation log) {
    if (rows.getNumPartitions() == 0) {
      return Optional.empty();
    }
    ExpectationMaximization.check(weights.length, features);
    Mixture start =
        Mixture.of(
            weights.clone(),
            Arrays.stream(gaussians).map(each -> each._1().values()).toArray(double[][]::new),
            Arrays.stream(gaussians).map(each -> each._2().values()).toArray(double[][]::new));
    Mixture found =
        ExpectationMaximization.over(rows, start, estimator.getMaxIter(), estimator.getTol());
    if (found.iteration() > 0) {
      log.logNumExamples(found.rows());
      log.logSumOfWeights(found.weight());
    }
    double[] likelihoods = found.objective();
    for (int i = 0; i < likelihoods.length; i++) {
      log.logNamedValue("logLikelihood@iter" + i, likelihoods[i]);
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] = found.weight(i);
      gaussians[i] =
          new Tuple2<>(new DenseVector(found.mean(i)), new DenseVector(found.covariance(i)));
    }
    return Optional.of(new Tuple2<>(found.likelihood(), found.iteration()));
  }
}
