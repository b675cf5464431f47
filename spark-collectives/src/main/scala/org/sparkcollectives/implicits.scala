package org.sparkcollectives

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.sparkcollectives.rdd.{ContextFunctions, RddFunctions}

import scala.language.implicitConversions
import scala.reflect.ClassTag

/** Collectives as methods of RDDs and of the context: `import org.sparkcollectives.implicits._`. */
object implicits {

  /** Adds collectives to an RDD. */
  implicit def rddToCollectives[T: ClassTag](rdd: RDD[T]): RddFunctions[T] = new RddFunctions(rdd)

  /** Adds collectives to a context. */
  implicit def contextToCollectives(context: SparkContext): ContextFunctions =
    new ContextFunctions(context)
}
