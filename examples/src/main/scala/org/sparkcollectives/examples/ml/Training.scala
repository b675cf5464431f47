package org.sparkcollectives.examples.ml

import breeze.linalg.{norm, DenseVector}
import breeze.optimize.{CachedDiffFunction, DiffFunction, LBFGS}

/**
 * L-BFGS on the mean loss of a model and an L2 penalty.
 *
 * @param count
 *   the number of training samples
 * @param l2
 *   the strength of the penalty
 * @param iterations
 *   at most this many
 * @param tolerance
 *   the relative improvement of the loss below which it stops
 */
final case class Training(
    model: Softmax,
    count: Long,
    l2: Double,
    iterations: Int,
    tolerance: Double
) {

  private val Memory = 10

  /** The trained weights. Reports a line per iteration. */
  def run(sums: GradientSums)(report: String => Unit): Array[Double] = {
    val optimiser = new LBFGS[DenseVector[Double]](iterations, Memory, tolerance)
    val states = optimiser
      .iterations(objective(sums), DenseVector.zeros[Double](model.size))
      .map { state =>
        val (compute, communication) = sums.takeMillis()
        report(
          f"iteration ${state.iter}%3d  loss ${state.value}%.10f  gradient norm ${norm(state.grad)}%.3e  " +
            f"compute $compute%.1f ms  communication $communication%.1f ms"
        )
        state
      }
    val last = states.reduceLeft((_, state) => state)
    last.convergenceReason.foreach(reason => report(s"stopped: ${reason.reason}"))
    last.x.toArray
  }

  private def objective(sums: GradientSums): DiffFunction[DenseVector[Double]] =
    new CachedDiffFunction(new DiffFunction[DenseVector[Double]] {
      override def calculate(weights: DenseVector[Double]): (Double, DenseVector[Double]) = {
        val mean = DenseVector(sums.at(weights.toArray)) / count.toDouble
        val loss = mean(model.size) + l2 * model.penalty(weights)
        (loss, mean(0 until model.size) + l2 * model.withoutIntercepts(weights))
      }
    })
}
