package org.sparkcollectives.rdd

import org.apache.spark.api.java.JavaRDD
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.sparkcollectives.Communicator
import org.sparkcollectives.schedule.Collective
import org.sparkcollectives.spark.{CallExplanation, JavaCollectives, RddCollectives}
import org.sparkcollectives.spark.internal.function.{Closures, Functions}
import org.sparkcollectives.spark.internal.result.StoredRdd
import org.sparkcollectives.vector.ReduceOp

import scala.language.implicitConversions
import scala.reflect.ClassTag

/**
 * Collectives on the elements of an RDD; the Scala form of
 * [[org.sparkcollectives.spark.RddCollectives]], which says what elements can be, in which order
 * they are combined, which exceptions are thrown, and which algorithm runs: two trees in calls with
 * `twoTree` in their names, in the others the one that is given by its slug, the cheapest for
 * `null`. `By` is in a name where Spark's RDD has the shorter one, or where Scala could not tell
 * two calls apart.
 */
final class RddFunctions[T: ClassTag] private[sparkcollectives] (rdd: RDD[T]) {

  /**
   * An operator on the elements; numbers are boxed. Operators on numbers and on wider classes
   * become one by `import org.sparkcollectives.implicits._`.
   */
  type Op = ReduceOp[T]

  /**
   * Combines all elements; every executor that took part holds the result, that of small objects
   * `spark.collectives.result.replicas` of them.
   */
  def twoTreeAllReduce(op: Op = Functions.sum[T]): Broadcast[T] = java.twoTreeAllReduce(any(op))

  /**
   * Combines all elements by the algorithm of a name; every executor that took part holds the
   * result, that of small objects `spark.collectives.result.replicas` of them.
   */
  def allReduce(op: Op = Functions.sum[T], algorithm: String = null): Broadcast[T] =
    java.allReduce(any(op), algorithm)

  /** Combines all elements and brings the result to the driver. */
  def twoTreeReduce(op: Op = Functions.sum[T]): T = java.twoTreeReduce(any(op))

  /** Combines all elements by the algorithm of a name and brings the result to the driver. */
  def reduceBy(op: Op = Functions.sum[T], algorithm: String = null): T =
    java.reduce(any(op), algorithm)

  /** Replaces each element by the combination of all up to and including it. */
  def twoTreeScan(op: Op = Functions.sum[T]): RDD[T] = RddFunctions.typed(java.twoTreeScan(any(op)))

  /**
   * Replaces each element by the combination of all up to and including it, by the algorithm of a
   * name.
   */
  def scan(op: Op = Functions.sum[T], algorithm: String = null): RDD[T] =
    RddFunctions.typed(java.scan(any(op), algorithm))

  /** Replaces each element by the combination of all before it. */
  def twoTreeExscan(op: Op = Functions.sum[T]): RDD[T] =
    RddFunctions.typed(java.twoTreeExscan(any(op)))

  /** Replaces each element by the combination of all before it, by the algorithm of a name. */
  def exscan(op: Op = Functions.sum[T], algorithm: String = null): RDD[T] =
    RddFunctions.typed(java.exscan(any(op), algorithm))

  /** Combines all elements; each partition of the result holds a part of the combination. */
  def reduceScatter(op: Op = Functions.sum[T], algorithm: String = null): RDD[T] =
    RddFunctions.typed(java.reduceScatter(any(op), algorithm))

  /** Puts all elements end to end; every executor that took part holds the result. */
  def allGather(algorithm: String = null): Broadcast[T] = java.allGather(algorithm)

  /** Puts all elements end to end and brings the result to the driver. */
  def gather(algorithm: String = null): T = java.gather(algorithm)

  /** Cuts each partition's vector into parts; partition d of the result holds all parts d. */
  def allToAll(algorithm: String = null): RDD[T] = RddFunctions.typed(java.allToAll(algorithm))

  /** Aggregates all elements as `treeAggregate` does; the zero is made on each executor. */
  def twoTreeAggregate[U](zero: () => U)(seqOp: (U, T) => U, combOp: (U, U) => U): U =
    java.twoTreeAggregate[U](
      new Functions.Zero(clean(zero)),
      new Functions.Step(clean(seqOp)),
      new Functions.Step(clean(combOp))
    )

  /**
   * Aggregates all elements, and combines the aggregates by an operator: faster for primitive
   * arrays, which are combined in blocks.
   *
   * @param zero
   *   makes a neutral element, on each executor; arrays are of one length
   * @param seqOp
   *   adds an element to an aggregate, which it may change and return
   * @param combOp
   *   combines aggregates
   */
  def twoTreeAggregateBy[U](
      zero: () => U
  )(seqOp: (U, T) => U, combOp: ReduceOp[U]): U =
    java.twoTreeAggregate[U](
      new Functions.Zero(clean(zero)),
      new Functions.Step(clean(seqOp)),
      combOp
    )

  /**
   * One step of an iteration in one job: sends a value of the driver to all ranks, which aggregate
   * the elements with it, and brings the combination of all aggregates to the driver.
   *
   * @param value
   *   any serializable value, such as the weights of a model; not to be changed by `seqOp`
   * @param zero
   *   makes a neutral element, on each executor; arrays are of one length
   * @param seqOp
   *   adds an element to an aggregate, which it may change and return
   * @param combOp
   *   combines aggregates; fastest by an operator on arrays
   */
  def twoTreeAggregateWith[V, U](value: V)(
      zero: () => U
  )(seqOp: (V, U, T) => U, combOp: ReduceOp[U]): U =
    java.twoTreeAggregateWith[V, U](
      value,
      new Functions.Zero(clean(zero)),
      new Functions.ValueStep(clean(seqOp)),
      combOp
    )

  /** Runs a program on all ranks at once, with a communicator between them. */
  def collectively[R: ClassTag](program: (Communicator, Iterator[T]) => Iterator[R]): RDD[R] =
    RddFunctions.typed(java.collectively(new Functions.Program(clean(program))))

  /**
   * What a collective would do if it were called now, and why; nothing but a look at the first
   * element runs.
   *
   * @param collective
   *   such as `Collective.ALLREDUCE`
   * @param op
   *   the operator, for collectives that combine
   * @param algorithm
   *   the algorithm's slug, "two-trees" for calls with these in their name; `null` is the cheapest,
   *   and stands for any call where results are reproducible
   * @param element
   *   an element like all others; then nothing runs
   */
  def explain(
      collective: Collective,
      op: Op = Functions.sum[T],
      algorithm: String = null,
      element: Option[T] = None
  ): CallExplanation =
    java.explain(collective, any(op), algorithm, element.getOrElse(null.asInstanceOf[T]))

  private def java: RddCollectives[T] = JavaCollectives.of(new JavaRDD(rdd))

  private def clean[F <: AnyRef](closure: F): F = Closures.clean(rdd.sparkContext, closure)

  private def any(op: Op): ReduceOp[Any] = op.asInstanceOf[ReduceOp[Any]]
}

/** What comes with the collectives of an RDD. */
object RddFunctions {

  /** Java's RDDs carry no class; Scala's need it to make arrays. */
  private[rdd] def typed[R: ClassTag](result: JavaRDD[R]): RDD[R] =
    result.rdd match {
      case stored: StoredRdd[R @unchecked] => stored.typed(implicitly[ClassTag[R]])
      case other                           => other.mapPartitions(elements => elements)
    }

  /** Operators of a wider class, where no other conversion fits. */
  trait WiderOperators {

    /** An operator on a class, used on elements of a class below it. */
    implicit def widerOperator[S, T <: S](op: ReduceOp[S]): ReduceOp[T] =
      op.asInstanceOf[ReduceOp[T]]
  }
}
