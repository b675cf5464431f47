package org.sparkcollectives.examples.ml

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD

/** Reader of texts with labels: on each line a label, a tab and a text; blank lines are skipped. */
object LabelledText {

  private val format = new LineFormat[(String, String)](
    "labelled text",
    "a label, a tab and a text, for example: spam<tab>You have won a prize",
    parse
  )

  /**
   * Reads a file, a directory or a glob of any Hadoop file system, compressed or not.
   *
   * @return
   *   label and text of each line, in the order of the lines, cached
   * @throws UserError
   *   if there is no such file or no text in it, or a line is malformed: the message names file and
   *   line
   */
  def read(sc: SparkContext, path: String): RDD[(String, String)] = format.read(sc, path)

  private def parse(line: String): Option[(String, String)] =
    Option.when(!line.isBlank) {
      val tab = line.indexOf('\t')
      require(tab >= 0, "it has no tab")
      val label = line.take(tab).trim
      require(label.nonEmpty, "there is no label before its first tab")
      (label, line.drop(tab + 1))
    }
}
