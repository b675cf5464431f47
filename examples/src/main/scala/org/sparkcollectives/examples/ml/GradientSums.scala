package org.sparkcollectives.examples.ml

import java.lang.{Long => JLong}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.util.CollectionAccumulator
import org.sparkcollectives.Communicator
import org.sparkcollectives.implicits._
import org.sparkcollectives.vector.ReduceOp

/** Sums of gradients and losses over all samples, with the time that each part of the work took. */
trait GradientSums {

  private var computeNanos = 0L
  private var communicationNanos = 0L

  /** The summed gradient at `weights`, and in one more element the summed loss. */
  def at(weights: Array[Double]): Array[Double]

  /**
   * Milliseconds since the last call: those of the slowest task's own computation, and those of
   * everything else, which is sending the weights, starting the tasks and summing up.
   */
  final def takeMillis(): (Double, Double) = {
    val taken = (computeNanos / 1e6, communicationNanos / 1e6)
    computeNanos = 0
    communicationNanos = 0
    taken
  }

  /** Adds to the time of computation, and the rest since `started` to that of communication. */
  final protected def took(compute: Long, started: Long): Unit = {
    computeNanos += compute
    communicationNanos += System.nanoTime() - started - compute
  }
}

/** Sums that the driver asks for: one Spark job each. */
sealed abstract class JobSums(sc: SparkContext, samples: RDD[Samples], model: Softmax)
    extends GradientSums {

  final override def at(weights: Array[Double]): Array[Double] = {
    val started = System.nanoTime()
    val taskNanos = sc.collectionAccumulator[JLong]
    val shared = send(weights)
    try sum(gradients(shared, model, taskNanos))
    finally {
      shared.destroy()
      took(taskNanos.value.asScala.map(_.toLong).maxOption.getOrElse(0L), started)
    }
  }

  /** The weights on their way to all executors. */
  protected def send(weights: Array[Double]): Broadcast[Array[Double]]

  /** The sum of all vectors, on the driver. */
  protected def sum(gradients: RDD[Array[Double]]): Array[Double]

  private def gradients(
      weights: Broadcast[Array[Double]],
      model: Softmax,
      taskNanos: CollectionAccumulator[JLong]
  ): RDD[Array[Double]] =
    samples.map { part =>
      val values = weights.value
      val started = System.nanoTime()
      val gradient = model.gradientAndLoss(part, values)
      taskNanos.add(System.nanoTime() - started)
      gradient
    }
}

/** Sums over two trees between the executors. */
final class TwoTreeSums(sc: SparkContext, samples: RDD[Samples], model: Softmax)
    extends JobSums(sc, samples, model) {

  override protected def send(weights: Array[Double]): Broadcast[Array[Double]] =
    sc.twoTreeBroadcast(weights)

  override protected def sum(gradients: RDD[Array[Double]]): Array[Double] = {
    val total = gradients.twoTreeAllReduce()
    try total.value
    finally total.destroy()
  }
}

/** Sums by Spark's own means. */
final class TreeSums(sc: SparkContext, samples: RDD[Samples], model: Softmax)
    extends JobSums(sc, samples, model) {

  override protected def send(weights: Array[Double]): Broadcast[Array[Double]] =
    sc.broadcast(weights)

  override protected def sum(gradients: RDD[Array[Double]]): Array[Double] =
    gradients.treeAggregate(new Array[Double](model.size + 1))(add, add)

  private def add: (Array[Double], Array[Double]) => Array[Double] = (into, vector) => {
    for (i <- into.indices) into(i) += vector(i)
    into
  }
}

/** Sums that every rank of a communicator asks for at once; `parts` are this rank's samples. */
final class RankSums(comm: Communicator, parts: Seq[Samples], model: Softmax) extends GradientSums {

  override def at(weights: Array[Double]): Array[Double] = {
    val started = System.nanoTime()
    val own = new Array[Double](model.size + 1)
    for (part <- parts; (value, i) <- model.gradientAndLoss(part, weights).zipWithIndex)
      own(i) += value
    val compute = System.nanoTime() - started
    comm.allReduce(own, ReduceOp.SUM)
    took(compute, started)
    own
  }
}
