package org.sparkcollectives.spark.internal.function

import org.apache.spark.api.java.function.{Function2, Function3}
import org.sparkcollectives.Communicator
import org.sparkcollectives.spark.CollectiveFunction
import org.sparkcollectives.spark.internal.bridge.Scala
import org.sparkcollectives.vector.ReduceOp

/**
 * Functions of Scala as those that the Java API takes. They are classes because lambdas for Java's
 * interfaces cannot be serialized with every compiler of Scala 2.13.
 */
private[sparkcollectives] object Functions {

  /** The sum, of elements of any class that has one. */
  def sum[T]: ReduceOp[T] = ReduceOp.SUM.asInstanceOf[ReduceOp[T]]

  /** An operator. */
  final class Operator[T](combine: (T, T) => T) extends ReduceOp.SerializableBinaryOperator[T] {
    override def apply(left: T, right: T): T = combine(left, right)
  }

  /** What makes a zero. */
  final class Zero[U](make: () => U) extends ReduceOp.SerializableSupplier[U] {
    override def get(): U = make()
  }

  /** A function of two arguments. */
  final class Step[A, B, C](step: (A, B) => C) extends Function2[A, B, C] {
    override def call(first: A, second: B): C = step(first, second)
  }

  /** A function of three arguments. */
  final class ValueStep[V, U, T](step: (V, U, T) => U) extends Function3[V, U, T, U] {
    override def call(value: V, sum: U, element: T): U = step(value, sum, element)
  }

  /** A program over Scala's iterators. */
  final class Program[T, R](program: (Communicator, Iterator[T]) => Iterator[R])
      extends CollectiveFunction[T, R] {

    override def call(
        communicator: Communicator,
        elements: java.util.Iterator[T]
    ): java.util.Iterator[R] = {
      val results = program(communicator, Scala.asScala(elements))
      if (results == null) null else Scala.asJava(results) // the caller names who returned null
    }
  }
}
