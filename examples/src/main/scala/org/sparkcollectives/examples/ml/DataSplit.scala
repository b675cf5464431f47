package org.sparkcollectives.examples.ml

import org.apache.spark.{HashPartitioner, SparkContext}
import org.apache.spark.mllib.linalg.Vectors
import org.apache.spark.mllib.stat.MultivariateOnlineSummarizer
import org.apache.spark.rdd.RDD
import org.sparkcollectives.examples.UserError

/**
 * Training and test samples, spread evenly over the slots of the cluster, with the same classes and
 * features. Each feature is divided by its standard deviation over the training samples; one that
 * does not vary there, or occurs in the test samples only, is left out.
 *
 * @param labels
 *   the label of each class, ascending; empty where labels name no classes
 * @param width
 *   the number of features
 * @param trainCount
 *   the number of training samples
 */
final case class DataSplit(
    train: RDD[Samples],
    test: RDD[Samples],
    labels: Seq[Double],
    width: Int,
    trainCount: Long,
    description: String
)

object DataSplit {

  private val Digits = "digits"

  /**
   * Reads the data and splits them the same way at every call.
   *
   * @param data
   *   a LIBSVM file, or None for the digits in this jar
   * @param test
   *   a LIBSVM file, or None for every fourth sample of `data`
   * @param classes
   *   whether labels have to name two classes or more, each with training samples
   */
  def read(
      sc: SparkContext,
      data: Option[String],
      test: Option[String],
      classes: Boolean
  ): DataSplit = {
    println(s"reading ${data.getOrElse("the handwritten digits")} …")
    val train = data.fold(LibSvm.readResource(sc, s"/$Digits-train.libsvm.gz"))(LibSvm.read(sc, _))
    checkFeatures(train, data.getOrElse(Digits))
    if (classes) checkClasses(train.labels, data.getOrElse(Digits))
    val separate =
      if (data.isEmpty) Some(LibSvm.readResource(sc, s"/$Digits-test.libsvm.gz"))
      else
        test.map { path =>
          println(s"reading $path …")
          LibSvm.read(sc, path)
        }
    separate.fold(holdOut(sc, train, classes))(join(sc, train, _, classes))
  }

  private def holdOut(sc: SparkContext, all: LibSvm.Data, classes: Boolean): DataSplit = {
    if (all.count < 4)
      throw new UserError(
        s"${all.count} samples are too few to hold out every fourth for the test. Give a --test file."
      )
    val labels = if (nameClasses(all.labels)) all.labels else Nil
    val indexed = all.samples.zipWithIndex()
    val train = indexed.collect { case (sample, i) if i % 4 != 3 => (sample, i - i / 4) }
    val test = indexed.collect { case (sample, i) if i % 4 == 3 => (sample, i / 4) }
    val untrained =
      if (classes) labels.diff(train.keys.map(_.label).distinct().collect().toSeq) else Nil
    if (untrained.nonEmpty)
      throw new UserError(
        s"Every sample with the label ${show(untrained)} is held out for the test, as every fourth is: there is " +
          "nothing to learn it from. Give a --test file, or put the samples into another order."
      )
    val scale = scaleOf(train.keys, all.features)
    val held = all.count / 4
    describe(
      spread(sc, train, numbered(labels), scale),
      spread(sc, test, numbered(labels), scale),
      labels,
      scale.length,
      all.count - held,
      held
    )
  }

  private def join(
      sc: SparkContext,
      train: LibSvm.Data,
      test: LibSvm.Data,
      classes: Boolean
  ): DataSplit = {
    val scale = scaleOf(train.samples, train.features)
    val fit = classes || nameClasses(train.labels) && sameClasses(train.labels, test.labels)
    val labels = if (fit) train.labels else Nil
    val tested = if (fit) testClasses(train.labels, test.labels) else numbered(Nil)
    describe(
      spread(sc, train.samples.zipWithIndex(), numbered(labels), scale),
      spread(sc, test.samples.zipWithIndex(), tested, scale),
      labels,
      scale.length,
      train.count,
      test.count
    )
  }

  /** The class of each label; 0 for all where labels name no classes. */
  private def numbered(labels: Seq[Double]): Map[Double, Int] =
    if (labels.isEmpty) Map.empty[Double, Int].withDefaultValue(0) else labels.zipWithIndex.toMap

  private def nameClasses(labels: Seq[Double]): Boolean =
    labels.size >= 2 && labels.size <= LibSvm.MaxClasses

  private def sameClasses(train: Seq[Double], test: Seq[Double]): Boolean =
    test.forall(train.contains) || train.size == 2 && test.size == 2

  /**
   * The class of each label of the test file. Two files with two labels each correspond by order,
   * so 0/1 fits -1/+1.
   */
  private def testClasses(train: Seq[Double], test: Seq[Double]): Map[Double, Int] =
    if (test.forall(train.contains)) numbered(train)
    else if (sameClasses(train, test)) {
      println(
        s"labels ${show(test)} of the test file stand for ${show(train)} of the training file"
      )
      test.zipWithIndex.toMap
    } else
      throw new UserError(
        s"The test file has labels ${show(test.filterNot(train.contains))}, which the training file does not have " +
          s"(it has ${show(train)}). Use files of the same data set."
      )

  /** For each feature the inverse of its standard deviation, or 0 where that is 0. */
  private def scaleOf(samples: RDD[LibSvm.Sample], width: Int): Array[Double] =
    samples
      .map(sample => Vectors.sparse(width, sample.indices, sample.values))
      .treeAggregate(new MultivariateOnlineSummarizer)(_.add(_), _.merge(_))
      .variance
      .toArray
      .map(variance => if (variance > 0) 1 / math.sqrt(variance) else 0.0)

  private def spread(
      sc: SparkContext,
      indexed: RDD[(LibSvm.Sample, Long)],
      classes: Map[Double, Int],
      scale: Array[Double]
  ): RDD[Samples] =
    indexed
      .map { case (sample, index) => (index, sample) }
      .repartitionAndSortWithinPartitions(new HashPartitioner(sc.defaultParallelism))
      .mapPartitions { part =>
        if (part.isEmpty) Iterator.empty
        else
          Iterator(
            Samples.pack(part.map { case (_, sample) => (classes(sample.label), sample) }, scale)
          )
      }

  private def describe(
      train: RDD[Samples],
      test: RDD[Samples],
      labels: Seq[Double],
      width: Int,
      trainCount: Long,
      testCount: Long
  ): DataSplit = DataSplit(
    train,
    test,
    labels,
    width,
    trainCount,
    s"$trainCount training samples, $testCount test samples, $width features, " +
      (if (labels.isEmpty) "no classes" else s"classes ${show(labels)}") +
      s", ${train.getNumPartitions} partitions"
  )

  private def checkFeatures(data: LibSvm.Data, source: String): Unit =
    if (data.features == 0)
      throw new UserError(
        s"No sample of $source has a feature: every line holds a label alone. " +
          "Training needs lines of the form: label index:value index:value …"
      )

  private def checkClasses(labels: Seq[Double], source: String): Unit = {
    if (labels.size < 2)
      throw new UserError(
        s"All samples of $source have the label ${show(labels)}: there is nothing to tell apart. " +
          "Training needs at least two different labels; is this a part of a sorted file?"
      )
    if (labels.size > LibSvm.MaxClasses)
      throw new UserError(
        s"$source has more than ${LibSvm.MaxClasses} different labels, so they look like measurements, not classes. " +
          "A classifier needs one label per class."
      )
  }

  private def show(labels: Seq[Double]): String =
    (labels.take(10).map(x => if (x == math.rint(x)) f"$x%.0f" else x.toString) ++ Option.when(
      labels.size > 10
    )("…")).mkString(", ")
}
