package org.sparkcollectives.ml.internal.training

import java.util.function.Function

import breeze.linalg.DenseVector
import breeze.optimize.DiffFunction

/**
 * A function of many variables for Breeze's optimisers, from Java: what it calls `DiffFunction` no
 * Java class can be.
 *
 * @param evaluation
 *   its value and gradient at a position
 */
final class RankFunction(evaluation: Function[DenseVector[Double], (Double, DenseVector[Double])])
    extends DiffFunction[DenseVector[Double]] {

  override def calculate(x: DenseVector[Double]): (Double, DenseVector[Double]) =
    evaluation.apply(x)
}
