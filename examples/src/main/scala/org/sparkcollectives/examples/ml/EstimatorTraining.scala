package org.sparkcollectives.examples.ml

import org.apache.spark.ml.classification.{LogisticRegression => Estimator}
import org.apache.spark.rdd.RDD

/**
 * The training of [[Training]] by an estimator of MLlib or one that extends it.
 *
 * @param estimator
 *   the estimator, whose parameters this sets
 */
final class EstimatorTraining(estimator: Estimator, training: Training) {

  /** The trained weights, as [[Softmax]] has them. Reports a line per iteration. */
  def run(samples: RDD[Samples])(report: String => Unit): Array[Double] = {
    val model = training.model
    val trained = estimator
      .setLabelCol(Rows.Label)
      .setFeaturesCol(Rows.Features)
      .setMaxIter(training.iterations)
      .setRegParam(training.l2)
      .setTol(training.tolerance)
      .fit(Rows.frame(samples, model.width))
    for ((loss, iteration) <- trained.summary.objectiveHistory.zipWithIndex)
      report(f"iteration $iteration%3d  loss $loss%.10f")
    (0 until model.columns).toArray.flatMap { column =>
      (0 until model.width).map(trained.coefficientMatrix(column, _)) :+
        trained.interceptVector(column)
    }
  }
}
