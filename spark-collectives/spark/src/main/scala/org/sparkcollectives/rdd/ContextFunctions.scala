package org.sparkcollectives.rdd

import org.apache.spark.SparkContext
import org.apache.spark.api.java.JavaSparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.sparkcollectives.spark.JavaCollectives
import org.sparkcollectives.spark.internal.input.VectorAdapters

import scala.reflect.{ClassTag, classTag}

/**
 * Collectives on values of the driver; the Scala form of
 * [[org.sparkcollectives.spark.ContextCollectives]].
 */
final class ContextFunctions private[sparkcollectives] (context: SparkContext) {

  /** Sends a value to all executors at once, through two trees. */
  def twoTreeBroadcast[T](value: T): Broadcast[T] =
    JavaCollectives.of(new JavaSparkContext(context)).twoTreeBroadcast(value)

  /** Sends a value to all executors at once, by the algorithm of a name; `null` is the cheapest. */
  def collectiveBroadcast[T](value: T, algorithm: String = null): Broadcast[T] =
    JavaCollectives.of(new JavaSparkContext(context)).broadcast(value, algorithm)

  /** Cuts a vector into parts, one for each partition of an RDD on the executors. */
  def scatter[T: ClassTag](vector: T, parts: Int, algorithm: String = null): RDD[T] = {
    VectorAdapters.requireResults(classTag[T].runtimeClass)
    RddFunctions.typed(
      JavaCollectives.of(new JavaSparkContext(context)).scatter(vector, parts, algorithm)
    )
  }
}
