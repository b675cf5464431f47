package org.sparkcollectives.examples.ml

import java.lang.{Long => JLong}
import java.util.{List => JList}

import scala.jdk.CollectionConverters._

import org.apache.spark.{SparkContext, TaskContext}
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
   * Milliseconds since the last call: those of computation, and those of everything else, which is
   * sending the weights, starting the tasks and summing up. In a job the slowest task's computation
   * counts; on a rank its own does, and waiting for slower ranks is in the rest.
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

/** Sums that the driver asks for, in Spark jobs. */
sealed abstract class JobSums(sc: SparkContext) extends GradientSums {

  final override def at(weights: Array[Double]): Array[Double] = {
    val started = System.nanoTime()
    val taskNanos = sc.collectionAccumulator[(JLong, JLong)]
    try sum(weights, taskNanos)
    finally took(JobSums.slowest(taskNanos.value), started)
  }

  /**
   * The summed gradient and loss at `weights`, while tasks tell how long they computed: by the id
   * of a task's attempt, for each of what it has added.
   */
  protected def sum(
      weights: Array[Double],
      taskNanos: CollectionAccumulator[(JLong, JLong)]
  ): Array[Double]
}

private[ml] object JobSums {

  /** The longest computation of a task, which may have several partitions. */
  def slowest(nanosOfTasks: JList[(JLong, JLong)]): Long =
    nanosOfTasks.asScala.groupMapReduce(_._1)(_._2.toLong)(_ + _).values.maxOption.getOrElse(0L)
}

/** Sums over two trees between the executors: weights, gradients and their sum in one job. */
final class TwoTreeSums(sc: SparkContext, samples: RDD[Samples], model: Softmax)
    extends JobSums(sc) {

  override protected def sum(
      weights: Array[Double],
      taskNanos: CollectionAccumulator[(JLong, JLong)]
  ): Array[Double] = {
    val adder = new GradientAdder(model, taskNanos)
    samples.twoTreeAggregateWith(weights)(() => adder.zero)(
      (values, sum, part) => adder.add(sum, part, values),
      ReduceOp.SUM
    )
  }
}

/** Sums by Spark's own means: a broadcast, then an aggregation. */
final class TreeSums(sc: SparkContext, samples: RDD[Samples], model: Softmax) extends JobSums(sc) {

  override protected def sum(
      weights: Array[Double],
      taskNanos: CollectionAccumulator[(JLong, JLong)]
  ): Array[Double] = {
    val adder = new GradientAdder(model, taskNanos)
    val shared = sc.broadcast(weights)
    try
      samples.treeAggregate(adder.zero)(
        (sum, part) => adder.add(sum, part, shared.value),
        (sum, other) => Vectors.add(sum, other)
      )
    finally shared.destroy()
  }
}

/** Adds the gradients and losses of samples to a sum, and tells how long that took. */
final private class GradientAdder(model: Softmax, taskNanos: CollectionAccumulator[(JLong, JLong)])
    extends Serializable {

  def zero: Array[Double] = new Array[Double](model.size + 1)

  def add(sum: Array[Double], part: Samples, weights: Array[Double]): Array[Double] = {
    val started = System.nanoTime()
    val into = Vectors.add(sum, model.gradientAndLoss(part, weights))
    taskNanos.add((TaskContext.get().taskAttemptId(), System.nanoTime() - started))
    into
  }
}

private object Vectors {

  /** Adds a vector to another one, in place. */
  def add(into: Array[Double], vector: Array[Double]): Array[Double] = {
    var i = 0
    while (i < into.length) {
      into(i) += vector(i)
      i += 1
    }
    into
  }
}

/** Sums that every rank of a communicator asks for at once; `parts` are this rank's samples. */
final class RankSums(comm: Communicator, parts: Seq[Samples], model: Softmax) extends GradientSums {

  override def at(weights: Array[Double]): Array[Double] = {
    val started = System.nanoTime()
    val own = new Array[Double](model.size + 1)
    for (part <- parts) Vectors.add(own, model.gradientAndLoss(part, weights))
    val compute = System.nanoTime() - started
    comm.allReduce(own, ReduceOp.SUM)
    took(compute, started)
    own
  }
}
