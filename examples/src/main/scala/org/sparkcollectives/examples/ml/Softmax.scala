package org.sparkcollectives.examples.ml

import breeze.linalg.{*, argmax, softmax, sum, CSCMatrix, DenseMatrix, DenseVector}
import breeze.numerics.exp

/**
 * The samples of one partition.
 *
 * @param features
 *   one row per sample; the last column is 1 for the intercept
 * @param transposed
 *   the same, one column per sample
 * @param classes
 *   the class of each sample
 */
final class Samples(
    val features: CSCMatrix[Double],
    val transposed: CSCMatrix[Double],
    val classes: Array[Int]
) extends Serializable {

  /** The number of samples. */
  def size: Int = classes.length
}

object Samples {

  /**
   * Packs samples, their labels already replaced by classes, into matrices.
   *
   * @param scale
   *   the factor of each feature; features from its length on are left out
   */
  def pack(samples: Iterator[(Int, LibSvm.Sample)], scale: Array[Double]): Samples = {
    val rows = samples.toArray
    val builder = new CSCMatrix.Builder[Double](rows.length, scale.length + 1)
    for (((_, sample), row) <- rows.zipWithIndex) {
      for ((index, value) <- sample.indices.zip(sample.values) if index < scale.length)
        builder.add(row, index, value * scale(index))
      builder.add(row, scale.length, 1.0)
    }
    val features = builder.result()
    new Samples(features, features.t, rows.map(_._1))
  }
}

/**
 * Multinomial logistic regression: the probability of class c is the c-th softmax of
 * `features * weights`. With two classes the margin of class 0 is zero and the weights have one
 * column; otherwise they have one column per class.
 *
 * @param width
 *   the number of features, without the intercept
 * @param classes
 *   the number of classes, at least 2
 */
final case class Softmax(width: Int, classes: Int) {

  /** The number of columns of the weights. */
  val columns: Int = if (classes == 2) 1 else classes

  /** The number of weights, intercepts included. */
  val size: Int = Math.multiplyExact(width + 1, columns)

  /**
   * A vector of `size + 1` values: the gradient of the log-loss, summed over the samples, and then
   * the summed log-loss.
   */
  def gradientAndLoss(samples: Samples, weights: Array[Double]): Array[Double] = {
    val scores = margins(samples, weights)
    val logTotals = softmax(scores(*, ::))
    val loss =
      sum(logTotals) - samples.classes.indices.map(row => scores(row, samples.classes(row))).sum
    val errors = exp(scores(::, *) - logTotals)
    for (row <- samples.classes.indices) errors(row, samples.classes(row)) -= 1.0
    val gradient = samples.transposed * errors(::, classes - columns until classes).copy
    gradient.toDenseVector.data :+ loss
  }

  /** The most likely class of each sample. */
  def predict(samples: Samples, weights: Array[Double]): Array[Int] =
    margins(samples, weights)(*, ::).map(row => argmax(row)).toArray

  /** Half the squared norm of the weights without intercepts: the L2 penalty at strength 1. */
  def penalty(weights: DenseVector[Double]): Double = {
    val w = withoutIntercepts(weights)
    (w dot w) / 2
  }

  /** The weights with the intercepts set to zero: the gradient of `penalty`. */
  def withoutIntercepts(weights: DenseVector[Double]): DenseVector[Double] = {
    val matrix = new DenseMatrix(width + 1, columns, weights.toArray.clone())
    matrix(width, ::) := 0.0
    matrix.toDenseVector
  }

  private def margins(samples: Samples, weights: Array[Double]): DenseMatrix[Double] = {
    val scores = samples.features * new DenseMatrix(width + 1, columns, weights)
    if (columns == classes) scores
    else DenseMatrix.horzcat(DenseMatrix.zeros[Double](samples.size, 1), scores)
  }
}
