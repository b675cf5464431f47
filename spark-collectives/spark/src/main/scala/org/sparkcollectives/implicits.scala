package org.sparkcollectives

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.sparkcollectives.rdd.{ContextFunctions, RddFunctions}
import org.sparkcollectives.spark.internal.function.{Closures, Functions}
import org.sparkcollectives.vector.ReduceOp

import scala.language.implicitConversions
import scala.reflect.ClassTag

/** Collectives as methods of RDDs and of the context: `import org.sparkcollectives.implicits._`. */
object implicits extends RddFunctions.WiderOperators {

  /** Adds collectives to an RDD. */
  implicit def rddToCollectives[T: ClassTag](rdd: RDD[T]): RddFunctions[T] = new RddFunctions(rdd)

  /** Adds collectives to a context. */
  implicit def contextToCollectives(context: SparkContext): ContextFunctions =
    new ContextFunctions(context)

  /**
   * An operator on objects of any class, which are shipped by the application's serializer.
   *
   * @param name
   *   for messages
   * @param commutative
   *   whether operands may be exchanged; otherwise they are combined in RDD order
   * @param combine
   *   associative; it may change and return its left operand
   */
  def operator[T](name: String, commutative: Boolean)(combine: (T, T) => T): ReduceOp[T] =
    ReduceOp.ofObjects(name, commutative, new Functions.Operator(Closures.clean(combine)))

  /**
   * An operator on objects with a neutral element, which an exclusive scan gives to the first.
   *
   * @param name
   *   for messages
   * @param commutative
   *   whether operands may be exchanged; otherwise they are combined in RDD order
   * @param zero
   *   makes a neutral element
   * @param combine
   *   associative; it may change and return its left operand
   */
  def operator[T](name: String, commutative: Boolean, zero: () => T)(
      combine: (T, T) => T
  ): ReduceOp[T] =
    ReduceOp.ofObjects(
      name,
      commutative,
      new Functions.Operator(Closures.clean(combine)),
      new Functions.Zero(Closures.clean(zero))
    )

  /** An operator on numbers and numeric arrays, used on elements of any class. */
  implicit def numericOperator[T](op: ReduceOp[Object]): ReduceOp[T] =
    op.asInstanceOf[ReduceOp[T]]
}
