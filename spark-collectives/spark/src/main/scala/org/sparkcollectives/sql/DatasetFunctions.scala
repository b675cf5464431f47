package org.sparkcollectives.sql

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.Dataset
import org.sparkcollectives.Communicator
import org.sparkcollectives.rdd.RddFunctions
import org.sparkcollectives.spark.internal.sql.ColumnVectors
import org.sparkcollectives.vector.ReduceOp

import scala.reflect.{ClassTag, classTag}

/**
 * Collectives on a dataset; the Scala form of [[org.sparkcollectives.sql.DatasetCollectives]],
 * which says what columns can be, how they are computed, and which exceptions are thrown. `V` is
 * what the values of a column are: `Double`, `Array[Double]`, `Vector` and so on.
 */
final class DatasetFunctions[T] private[sparkcollectives] (dataset: Dataset[T]) {

  /** All collectives on the vectors of a column. */
  def vectors[V: ClassTag](column: String): RddFunctions[V] = {
    val asked = classTag[V].runtimeClass.asInstanceOf[Class[V]]
    new RddFunctions[V](ColumnVectors.of(dataset, column, asked).rdd)
  }

  /** The sum of all vectors of a column; every executor that took part holds it. */
  def twoTreeAllReduce[V: ClassTag](column: String): Broadcast[V] =
    vectors[V](column).twoTreeAllReduce()

  /** Combines all vectors of a column; every executor that took part holds the result. */
  def twoTreeAllReduce[V: ClassTag](
      column: String,
      op: ReduceOp[_ >: V with AnyRef]
  ): Broadcast[V] = vectors[V](column).twoTreeAllReduce(own[V](op))

  /** The sum of all vectors of a column, at the driver. */
  def twoTreeReduce[V: ClassTag](column: String): V = vectors[V](column).twoTreeReduce()

  /** Combines all vectors of a column and brings the result to the driver. */
  def twoTreeReduce[V: ClassTag](column: String, op: ReduceOp[_ >: V with AnyRef]): V =
    vectors[V](column).twoTreeReduce(own[V](op))

  /** The sums of all vectors of a column up to and including each one, in order. */
  def twoTreeScan[V: ClassTag](column: String): RDD[V] = vectors[V](column).twoTreeScan()

  /** The combinations of all vectors of a column up to and including each one, in order. */
  def twoTreeScan[V: ClassTag](column: String, op: ReduceOp[_ >: V with AnyRef]): RDD[V] =
    vectors[V](column).twoTreeScan(own[V](op))

  /** Runs a program on all ranks at once, with a communicator between them. */
  def collectively[R: ClassTag](program: (Communicator, Iterator[T]) => Iterator[R]): RDD[R] = {
    val rows = dataset.toJavaRDD
    new RddFunctions[T](rows.rdd)(rows.classTag).collectively(program)
  }

  /** An operator on a wider class, as one on what the column has. */
  private def own[V](op: ReduceOp[_ >: V with AnyRef]): ReduceOp[V] =
    op.asInstanceOf[ReduceOp[V]]
}
