package org.sparkcollectives.ml.internal.minimizer

import java.util.function.Function

import breeze.optimize.DiffFunction

/**
 * A function for Breeze's optimisers and line searches, from Java: what it calls `DiffFunction` no
 * Java class can be.
 *
 * @param evaluation
 *   its value and gradient at a position
 * @tparam T
 *   a position: a vector, or a number
 */
final class RankFunction[T](evaluation: Function[T, (Double, T)]) extends DiffFunction[T] {

  override def calculate(x: T): (Double, T) = evaluation.apply(x)
}
