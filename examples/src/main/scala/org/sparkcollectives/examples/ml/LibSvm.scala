package org.sparkcollectives.examples.ml

import java.io.{BufferedReader, IOException, InputStream, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.io.{LongWritable, Text}
import org.apache.hadoop.io.compress.CompressionCodecFactory
import org.apache.hadoop.mapreduce.lib.input.{FileInputFormat, FileSplit, TextInputFormat}
import org.apache.spark.SparkContext
import org.apache.spark.rdd.{NewHadoopRDD, RDD}
import org.apache.spark.storage.StorageLevel
import org.sparkcollectives.examples.UserError

/**
 * Reader of LIBSVM text: one sample per line, `label index:value index:value …`, indices from 1 and
 * ascending; a `#` starts a comment, blank lines are skipped.
 */
object LibSvm {

  /** What some editors begin a file with, which is no part of its first line. */
  private val ByteOrderMark: Int = 0xfeff

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

  /**
   * Reads a file, a directory or a glob of any Hadoop file system, compressed or not.
   *
   * @throws UserError
   *   if there is no such file, or a line is malformed: the message names file and line
   */
  def read(sc: SparkContext, path: String): Data = {
    requireFile(path, sc.hadoopConfiguration)
    val lines = sc
      .newAPIHadoopFile[LongWritable, Text, TextInputFormat](path)
      .asInstanceOf[NewHadoopRDD[LongWritable, Text]]
      .mapPartitionsWithInputSplit(
        { (split, records) =>
          val file = split.asInstanceOf[FileSplit].getPath.toString
          records.map { case (_, text) => file -> text.toString }
        },
        preservesPartitioning = false
      )
    summarise(lines, path, file => open(new Path(file), sc.hadoopConfiguration))
  }

  /**
   * Reads a gzip file that travels in this jar.
   *
   * @throws UserError
   *   if there is no such resource
   */
  def readResource(sc: SparkContext, name: String): Data = {
    def content(): InputStream = Option(getClass.getResourceAsStream(name))
      .map(new java.util.zip.GZIPInputStream(_))
      .getOrElse(
        throw new UserError(
          s"The jar holds no data named $name. It was packed without its data; build it again."
        )
      )
    val lines = sc.parallelize(linesOf(content())(_.toVector).map(name -> _))
    summarise(lines, name, _ => content())
  }

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

  /** What one pass over lines finds out. `badFile` is the first file with a malformed line. */
  private final case class Summary(
      labels: Set[Double],
      features: Int,
      count: Long,
      badFile: Option[String]
  ) {
    def add(file: String, parsed: Option[Sample]): Summary = parsed match {
      case None         => copy(badFile = badFile.orElse(Some(file)))
      case Some(sample) =>
        val known = if (labels.size > MaxClasses) labels else labels + sample.label
        Summary(known, features max sample.indices.lastOption.fold(0)(_ + 1), count + 1, badFile)
    }

    def ++(other: Summary): Summary = Summary(
      (labels ++ other.labels).take(MaxClasses + 1),
      features max other.features,
      count + other.count,
      badFile.orElse(other.badFile)
    )
  }

  private def summarise(
      lines: RDD[(String, String)],
      path: String,
      content: String => InputStream
  ): Data = {
    val parsed = lines
      .flatMap { case (file, line) =>
        try parse(line).map(sample => file -> Option(sample))
        catch { case _: IllegalArgumentException => Some(file -> None) }
      }
      .persist(StorageLevel.MEMORY_AND_DISK)
    val summary = parsed.aggregate(Summary(Set.empty, 0, 0L, None))(
      { case (summary, (file, sample)) => summary.add(file, sample) },
      _ ++ _
    )
    summary.badFile.foreach(file => throw new UserError(explain(file, content(file))))
    if (summary.count == 0)
      throw new UserError(s"$path holds no sample: every line is blank. Is it the right file?")
    Data(parsed.flatMap(_._2), summary.labels.toSeq.sorted, summary.features, summary.count)
  }

  private def explain(file: String, content: InputStream): String = {
    val problems = linesOf(content)(
      _.zipWithIndex
        .flatMap { case (line, index) =>
          try parse(line).flatMap(_ => None)
          catch {
            case e: IllegalArgumentException =>
              Some(index -> e.getMessage.stripPrefix("requirement failed: "))
          }
        }
        .nextOption()
    )
    val (where, why) = problems.fold("somewhere" -> "it changed while it was read") {
      case (index, message) =>
        s"line ${index + 1}" -> message
    }
    s"$file, $where, is not LIBSVM text: $why. Each line is: label index:value index:value … " +
      "with a number as the label, for example: 1 3:0.5 7:1"
  }

  private def requireFile(path: String, conf: Configuration): Unit =
    try {
      val location = new Path(path)
      val system = location.getFileSystem(conf)
      val found = system.globStatus(location)
      if (found == null || found.isEmpty)
        throw new UserError(
          s"There is no file $path (looked up as ${system.makeQualified(location)}). " +
            "Give a path or URL of a LIBSVM file: file:/…, hdfs://…, or of another file system Hadoop knows."
        )
      if (!conf.getBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, false))
        found.filter(_.isDirectory).flatMap(folder => system.listStatus(folder.getPath)).foreach {
          inner =>
            if (inner.isDirectory && !"_.".contains(inner.getPath.getName.head))
              throw new UserError(
                s"$path has a folder in it, ${inner.getPath}, which is no LIBSVM text. Give a folder of files alone, " +
                  "or a glob that matches files."
              )
        }
    } catch {
      case e @ (_: IOException | _: IllegalArgumentException) =>
        throw new UserError(
          s"The file system of $path does not answer: ${e.getMessage}. Check scheme, host and port."
        )
    }

  private def open(file: Path, conf: Configuration): InputStream = {
    val stream = FileSystem.get(file.toUri, conf).open(file)
    Option(new CompressionCodecFactory(conf).getCodec(file))
      .fold[InputStream](stream)(_.createInputStream(stream))
  }

  private def linesOf[A](content: InputStream)(use: Iterator[String] => A): A =
    Using.resource(new BufferedReader(new InputStreamReader(content, UTF_8))) { reader =>
      reader.mark(1)
      if (reader.read() != ByteOrderMark) reader.reset()
      use(Iterator.continually(reader.readLine()).takeWhile(_ != null))
    }
}
