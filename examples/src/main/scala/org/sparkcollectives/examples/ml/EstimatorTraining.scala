package org.sparkcollectives.examples.ml

import org.apache.spark.ml.classification.{LogisticRegression => Estimator}
import org.apache.spark.ml.linalg.Vectors
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

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
    val session = SparkSession.builder().getOrCreate()
    val rows = session
      .createDataFrame(samples.flatMap(EstimatorTraining.rows(_, model.width)))
      .toDF(estimator.getLabelCol, estimator.getFeaturesCol)
    val trained = estimator
      .setMaxIter(training.iterations)
      .setRegParam(training.l2)
      .setTol(training.tolerance)
      .fit(rows)
    for ((loss, iteration) <- trained.summary.objectiveHistory.zipWithIndex)
      report(f"iteration $iteration%3d  loss $loss%.10f")
    (0 until model.columns).toArray.flatMap { column =>
      (0 until model.width).map(trained.coefficientMatrix(column, _)) :+
        trained.interceptVector(column)
    }
  }
}

private object EstimatorTraining {

  /** Label and features of each sample, without the constant that stands for the intercept. */
  private def rows(samples: Samples, width: Int) = {
    val all = samples.transposed
    samples.classes.iterator.zipWithIndex.map { case (label, i) =>
      val places = all.colPtrs(i) until all.colPtrs(i + 1)
      val (indices, values) =
        places.map(place => (all.rowIndices(place), all.data(place))).filter(_._1 < width).unzip
      (label.toDouble, Vectors.sparse(width, indices.toArray, values.toArray))
    }
  }
}
