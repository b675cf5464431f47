package org.sparkcollectives.examples.ml

import org.apache.spark.{HashPartitioner, SparkContext}
import org.apache.spark.rdd.RDD
import org.sparkcollectives.examples.UserError

/**
 * Training and test samples, spread evenly over the slots of the cluster, with the same classes and
 * features.
 *
 * @param labels
 *   the label of each class, ascending
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
   */
  def read(sc: SparkContext, data: Option[String], test: Option[String]): DataSplit = {
    println(s"reading ${data.getOrElse("the handwritten digits")} …")
    val train = data.fold(LibSvm.readResource(sc, s"/$Digits-train.libsvm.gz"))(LibSvm.read(sc, _))
    checkLabels(train.labels, data.getOrElse(Digits))
    val separate =
      if (data.isEmpty) Some(LibSvm.readResource(sc, s"/$Digits-test.libsvm.gz"))
      else
        test.map { path =>
          println(s"reading $path …")
          LibSvm.read(sc, path)
        }
    separate.fold(holdOut(sc, train))(join(sc, train, _))
  }

  private def holdOut(sc: SparkContext, all: LibSvm.Data): DataSplit = {
    if (all.count < 4)
      throw new UserError(
        s"${all.count} samples are too few to hold out every fourth for the test. Give a --test file."
      )
    val classes = all.labels.zipWithIndex.toMap
    val indexed = all.samples.zipWithIndex()
    val held = all.count / 4
    def part(keep: Long => Boolean): RDD[Samples] =
      spread(sc, indexed.filter { case (_, i) => keep(i) }, classes, all.features)
    describe(part(_ % 4 != 3), part(_ % 4 == 3), all.labels, all.features, all.count - held, held)
  }

  private def join(sc: SparkContext, train: LibSvm.Data, test: LibSvm.Data): DataSplit = {
    val width = train.features max test.features
    val classes = train.labels.zipWithIndex.toMap
    describe(
      spread(sc, train.samples.zipWithIndex(), classes, width),
      spread(sc, test.samples.zipWithIndex(), testClasses(train.labels, test.labels), width),
      train.labels,
      width,
      train.count,
      test.count
    )
  }

  /**
   * The class of each label of the test file. Two files with two labels each correspond by order,
   * so 0/1 fits -1/+1.
   */
  private def testClasses(train: Seq[Double], test: Seq[Double]): Map[Double, Int] =
    if (test.forall(train.contains)) train.zipWithIndex.toMap
    else if (train.size == 2 && test.size == 2) {
      println(
        s"labels ${show(test)} of the test file stand for ${show(train)} of the training file"
      )
      test.zipWithIndex.toMap
    } else
      throw new UserError(
        s"The test file has labels ${show(test.filterNot(train.contains))}, which the training file does not have " +
          s"(it has ${show(train)}). Use files of the same data set."
      )

  private def spread(
      sc: SparkContext,
      indexed: RDD[(LibSvm.Sample, Long)],
      classes: Map[Double, Int],
      width: Int
  ): RDD[Samples] =
    indexed
      .map { case (sample, index) => (index, sample) }
      .repartitionAndSortWithinPartitions(new HashPartitioner(sc.defaultParallelism))
      .mapPartitions { part =>
        if (part.isEmpty) Iterator.empty
        else
          Iterator(
            Samples.pack(part.map { case (_, sample) => (classes(sample.label), sample) }, width)
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
    s"$trainCount training samples, $testCount test samples, $width features, classes ${show(labels)}, " +
      s"${train.getNumPartitions} partitions"
  )

  private def checkLabels(labels: Seq[Double], source: String): Unit = {
    if (labels.size < 2)
      throw new UserError(
        s"All samples of $source have the label ${show(labels)}: there is nothing to tell apart. " +
          "Training needs at least two different labels; is this a part of a sorted file?"
      )
    if (labels.size > LibSvm.MaxClasses)
      throw new UserError(
        s"$source has more than ${LibSvm.MaxClasses} different labels, so they look like measurements, not classes. " +
          "Logistic regression needs one label per class."
      )
  }

  private def show(labels: Seq[Double]): String =
    (labels.take(10).map(x => if (x == math.rint(x)) f"$x%.0f" else x.toString) ++ Option.when(
      labels.size > 10
    )("…")).mkString(", ")
}
