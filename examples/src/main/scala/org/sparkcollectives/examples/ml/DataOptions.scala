package org.sparkcollectives.examples.ml

import org.apache.spark.SparkContext
import org.sparkcollectives.examples.UserError
import picocli.CommandLine.{Option => Opt}

/** The options that say what data an example trains and is measured on. */
final class DataOptions {

  @Opt(
    names = Array("--data"),
    paramLabel = "PATH",
    description = Array(
      "LIBSVM text in any Hadoop file system. Without it: the handwritten digits in this jar."
    )
  )
  private var data: String = _

  @Opt(
    names = Array("--test"),
    paramLabel = "PATH",
    description = Array(
      "LIBSVM text to measure the accuracy on. Without it, every fourth sample of --data is held out."
    )
  )
  private var test: String = _

  /** Refuses options that do not go together, before Spark starts. */
  def check(): Unit =
    UserError.check(
      data != null || test == null,
      "--test without --data: the test file belongs to a training file. Give --data too."
    )

  /**
   * Reads the data and says what they are.
   *
   * @param classes
   *   whether samples of two classes or more are needed
   */
  def read(sc: SparkContext, classes: Boolean = true): DataSplit = {
    val split = DataSplit.read(sc, Option(data), Option(test), classes)
    println(split.description)
    split
  }
}
