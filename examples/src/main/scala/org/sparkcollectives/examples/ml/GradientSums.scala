package org.sparkcollectives.examples.ml

import java.lang.{Long => JLong}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.util.CollectionAccumulator

/**
 * Sums of the gradients and losses of all partitions, with the time that each part of the work
 * took.
 */
final class GradientSums(
    sc: SparkContext,
    samples: RDD[Samples],
    model: Softmax,
    aggregation: Aggregation
) {

  private var computeNanos = 0L
  private var communicationNanos = 0L

  /** The summed gradient at `weights`, and in one more element the summed loss. */
  def at(weights: Array[Double]): Array[Double] = {
    val started = System.nanoTime()
    val taskNanos = sc.collectionAccumulator[JLong]
    val sum = aggregation match {
      case Aggregation.TREE => byTree(weights, taskNanos)
    }
    val slowestTask = taskNanos.value.asScala.map(_.toLong).max
    computeNanos += slowestTask
    communicationNanos += System.nanoTime() - started - slowestTask
    sum
  }

  /**
   * Milliseconds since the last call: in the slowest task's own computation, and in everything
   * else, which is sending the weights, starting the tasks and summing up.
   */
  def takeMillis(): (Double, Double) = {
    val taken = (computeNanos / 1e6, communicationNanos / 1e6)
    computeNanos = 0
    communicationNanos = 0
    taken
  }

  private def byTree(
      weights: Array[Double],
      taskNanos: CollectionAccumulator[JLong]
  ): Array[Double] = {
    val shared = sc.broadcast(weights)
    val size = model.size + 1
    val sum =
      gradients(() => shared.value, taskNanos).treeAggregate(new Array[Double](size))(add, add)
    shared.destroy()
    sum
  }

  private def gradients(
      weights: () => Array[Double],
      taskNanos: CollectionAccumulator[JLong]
  ): RDD[Array[Double]] = {
    val model = this.model
    samples.map { part =>
      val started = System.nanoTime()
      val gradient = model.gradientAndLoss(part, weights())
      taskNanos.add(System.nanoTime() - started)
      gradient
    }
  }

  private def add: (Array[Double], Array[Double]) => Array[Double] = (into, vector) => {
    for (i <- into.indices) into(i) += vector(i)
    into
  }
}
