package org.sparkcollectives.ml.internal.estimator;

import java.util.Optional;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.regression.FactorizationMachines;
import org.apache.spark.ml.regression.FactorizationMachines$;
import org.apache.spark.rdd.RDD;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.training.Descent;
import scala.Tuple2;

/** Factorization machines in one stage: MLlib chooses the first coefficients, ranks iterate. */
public final class FactorizationTraining {
  /** MLlib's optimiser refuses a larger one, which its parameter allows. */
  private static final double LARGEST_TOLERANCE = 1;

  private FactorizationTraining() {}

  /**
   * What MLlib's {@code trainImpl} does.
   *
   * @param estimator the estimator
   * @param rows a label and features each
   * @param features how many features there are
   * @param loss the loss, as MLlib names it
   * @return the coefficients and the objective's history; nothing where MLlib is to train
   */
  public static Optional<Tuple2<Vector, double[]>> trained(
      FactorizationMachines estimator,
      RDD<Tuple2<Object, org.apache.spark.mllib.linalg.Vector>> rows,
      int features,
      String loss) {
    if (estimator.getTol() > LARGEST_TOLERANCE) {
      return Optional.empty();
    }
    var initial = estimator.initCoefficients(features);
    MiniBatches how =
        new MiniBatches(
            FactorizationMachines$.MODULE$.parseLoss(
                loss,
                estimator.getFactorSize(),
                estimator.getFitIntercept(),
                estimator.getFitLinear(),
                features),
            FactorizationMachines$.MODULE$.parseSolver(estimator.getSolver(), initial.size()),
            estimator.getStepSize(),
            estimator.getMaxIter(),
            estimator.getRegParam(),
            estimator.getMiniBatchFraction(),
            initial,
            estimator.getTol());
    return Descent.miniBatches(rows, how)
        .map(trained -> new Tuple2<>(trained._1().asML(), trained._2()));
  }
}
