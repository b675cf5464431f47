package org.sparkcollectives.examples.ml

import java.io.{BufferedReader, IOException, InputStream, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.GZIPInputStream

import scala.reflect.ClassTag
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
 * Text with one sample per line.
 *
 * @param name
 *   what errors call such text
 * @param form
 *   what each line is, with an example
 * @param parse
 *   a line's sample, or None for a line without one; an `IllegalArgumentException` says what is
 *   malformed
 */
final class LineFormat[A: ClassTag](name: String, form: String, parse: String => Option[A])
    extends Serializable {

  /**
   * The samples of a file, a directory or a glob of any Hadoop file system, compressed or not, in
   * the order of the text, cached.
   *
   * @throws UserError
   *   if there is no such file or no sample in it, or a line is malformed: the message names file
   *   and line
   */
  def read(sc: SparkContext, path: String): RDD[A] = {
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
    samples(lines, path, file => open(new Path(file), sc.hadoopConfiguration))
  }

  /**
   * The samples of a gzip file that travels in this jar, cached.
   *
   * @throws UserError
   *   if there is no such resource
   */
  def readResource(sc: SparkContext, resource: String): RDD[A] = {
    def content(): InputStream = Option(getClass.getResourceAsStream(resource))
      .map(new GZIPInputStream(_))
      .getOrElse(
        throw new UserError(
          s"The jar holds no data named $resource. It was packed without its data; build it again."
        )
      )
    val lines = sc.parallelize(LineFormat.linesOf(content())(_.toVector).map(resource -> _))
    samples(lines, resource, _ => content())
  }

  private def samples(
      lines: RDD[(String, String)],
      path: String,
      content: String => InputStream
  ): RDD[A] = {
    val parsed = lines
      .flatMap { case (file, line) =>
        try parse(line).map(sample => file -> Option(sample))
        catch { case _: IllegalArgumentException => Some(file -> None) }
      }
      .persist(StorageLevel.MEMORY_AND_DISK)
    val malformed = parsed.filter(_._2.isEmpty).keys.distinct().collect().minOption
    malformed.foreach(file => throw new UserError(explain(file, content(file))))
    UserError.check(
      !parsed.isEmpty(),
      s"$path holds no sample: every line is blank. Is it the right file?"
    )
    parsed.flatMap(_._2)
  }

  private def explain(file: String, content: InputStream): String = {
    val problems = LineFormat.linesOf(content)(
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
    s"$file, $where, is not $name: $why. Each line is: $form"
  }

  private def requireFile(path: String, conf: Configuration): Unit =
    try {
      val location = new Path(path)
      val system = location.getFileSystem(conf)
      val found = system.globStatus(location)
      if (found == null || found.isEmpty)
        throw new UserError(
          s"There is no file $path (looked up as ${system.makeQualified(location)}). " +
            s"Give a path or URL of $name: file:/…, hdfs://…, or of another file system Hadoop knows."
        )
      if (!conf.getBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, false))
        found.filter(_.isDirectory).flatMap(folder => system.listStatus(folder.getPath)).foreach {
          inner =>
            if (inner.isDirectory && !"_.".contains(inner.getPath.getName.head))
              throw new UserError(
                s"$path has a folder in it, ${inner.getPath}, which is no $name. Give a folder of files alone, " +
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
}

private object LineFormat {

  /** What some editors begin a file with, which is no part of its first line. */
  private val ByteOrderMark: Int = 0xfeff

  private def linesOf[A](content: InputStream)(use: Iterator[String] => A): A =
    Using.resource(new BufferedReader(new InputStreamReader(content, UTF_8))) { reader =>
      reader.mark(1)
      if (reader.read() != ByteOrderMark) reader.reset()
      use(Iterator.continually(reader.readLine()).takeWhile(_ != null))
    }
}
