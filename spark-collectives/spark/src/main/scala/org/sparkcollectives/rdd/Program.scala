package org.sparkcollectives.rdd

import org.sparkcollectives.Communicator
import org.sparkcollectives.spark.CollectiveFunction

import scala.jdk.CollectionConverters._

/** A program over Scala's iterators as one over Java's. */
private[rdd] final class Program[T, R](program: (Communicator, Iterator[T]) => Iterator[R])
    extends CollectiveFunction[T, R] {

  override def call(
      communicator: Communicator,
      elements: java.util.Iterator[T]
  ): java.util.Iterator[R] = program(communicator, elements.asScala).asJava
}
