package org.sparkcollectives.examples.ml

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD

/**
 * Reader of LIBSVM text: one sample per line, `label index:value index:value …`, indices from 1 and
 * ascending; a `#` starts a comment, blank lines are skipped.
 */
object LibSvm {

  /** One line: its label, its zero-based feature indices, ascending, and their values. */
  final case class Sample(label: Double, indices: Array[Int], values: Array[Double])

  /**
   * Samples with what is known about all of them.
   *
   * @param samples
   *   in the order of the text, cached
   * @param labels
   *   the distinct labels, ascending
   * @param features
   *   the highest index in the text
   * @param count
   *   the number of samples
   */
  final case class Data(samples: RDD[Sample], labels: Seq[Double], features: Int, count: Long)

  /** More labels than this are taken for a regression target, not for classes. */
  val MaxClasses: Int = 1000

  private val format = new LineFormat[Sample](
    "LIBSVM text",
    "label index:value index:value … with a number as the label, for example: 1 3:0.5 7:1",
    parse
  )

  /**
   * Reads a file, a directory or a glob of any Hadoop file system, compressed or not.
   *
   * @throws UserError
   *   if there is no such file, or a line is malformed: the message names file and line
   */
  def read(sc: SparkContext, path: String): Data = summarise(format.read(sc, path))

  /**
   * Reads a gzip file that travels in this jar.
   *
   * @throws UserError
   *   if there is no such resource
   */
  def readResource(sc: SparkContext, name: String): Data = summarise(format.readResource(sc, name))

  /**
   * One line as a sample, or None for a line without one.
   *
   * @throws IllegalArgumentException
   *   if the line is malformed
   */
  def parse(line: String): Option[Sample] = {
    val words = line.takeWhile(_ != '#').trim.split("\\s+")
    if (words.head.isEmpty) None
    else {
      val label = finite(words.head, "label")
      val pairs = words.tail.map(parsePair)
      val indices = pairs.map(_._1)
      for (i <- 1 until indices.length)
        require(
          indices(i - 1) < indices(i),
          s"index ${indices(i) + 1} follows index ${indices(i - 1) + 1}, but indices ascend within a line"
        )
      Some(Sample(label, indices, pairs.map(_._2)))
    }
  }

  private def parsePair(word: String): (Int, Double) = {
    val colon = word.indexOf(':')
    require(colon > 0, s"'$word' is not of the form index:value")
    val index = word.take(colon).toIntOption.getOrElse(0)
    require(index >= 1, s"'${word.take(colon)}' is not an index: indices are whole numbers from 1")
    (index - 1, finite(word.drop(colon + 1), s"value of index $index"))
  }

  private def finite(text: String, what: String): Double = {
    val number = text.toDoubleOption.filter(_.abs <= Double.MaxValue)
    number.getOrElse(
      throw new IllegalArgumentException(s"the $what is '$text', which is not a finite number")
    )
  }

  /** What one pass over samples finds out. */
  private final case class Summary(labels: Set[Double], features: Int, count: Long) {
    def add(sample: Sample): Summary = Summary(
      if (labels.size > MaxClasses) labels else labels + sample.label,
      features max sample.indices.lastOption.fold(0)(_ + 1),
      count + 1
    )

    def ++(other: Summary): Summary = Summary(
      (labels ++ other.labels).take(MaxClasses + 1),
      features max other.features,
      count + other.count
    )
  }

  private def summarise(samples: RDD[Sample]): Data = {
    val summary = samples.aggregate(Summary(Set.empty, 0, 0L))(_ add _, _ ++ _)
    Data(samples, summary.labels.toSeq.sorted, summary.features, summary.count)
  }
}
