package org.sparkcollectives.spark.internal.function

import org.sparkcollectives.vector.ReduceOp

import scala.language.implicitConversions

/** Operators of a wider class, where no other conversion fits. */
trait WiderOperators {

  /** An operator on a class, used on elements of a class below it. */
  implicit def widerOperator[S, T <: S](op: ReduceOp[S]): ReduceOp[T] =
    op.asInstanceOf[ReduceOp[T]]
}
