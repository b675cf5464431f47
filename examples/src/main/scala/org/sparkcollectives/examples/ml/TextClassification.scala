package org.sparkcollectives.examples.ml

import java.util.concurrent.Callable

import org.apache.spark.ml.{Pipeline, PipelineModel}
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator
import org.apache.spark.ml.feature.{HashingTF, StringIndexer, StringIndexerModel, Tokenizer}
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.sparkcollectives.examples.{ExampleMain, UserError}
import picocli.CommandLine.{Command, Option => Opt}

/**
 * A pipeline that tells two classes of texts apart: words are counted by their hashes, and a linear
 * support vector classifier learns from the counts; that of the library, which trains in one stage,
 * or MLlib's.
 */
@Command(
  name = "text-classification",
  description = Array(
    "Tells two classes of texts apart, in a pipeline: tokenizer, hashed word counts, linear support vectors."
  ),
  mixinStandardHelpOptions = true,
  showDefaultValues = true
)
final class TextClassification extends Callable[Integer] {

  @Opt(
    names = Array("--data"),
    paramLabel = "PATH",
    required = true,
    description = Array(
      "Text in any Hadoop file system: a label, a tab and a text on each line. Every fourth is held out for the test."
    )
  )
  private var data: String = _

  @Opt(names = Array("--mllib"), description = Array("Train with MLlib's own estimator."))
  private var mllib: Boolean = false

  @Opt(
    names = Array("--features"),
    paramLabel = "N",
    description = Array("The number of hashes of words.")
  )
  private var features: Int = 1 << 18

  @Opt(
    names = Array("--iterations"),
    paramLabel = "N",
    description = Array("At most this many iterations.")
  )
  private var iterations: Int = 30

  @Opt(names = Array("--l2"), paramLabel = "X", description = Array("Strength of the L2 penalty."))
  private var l2: Double = 0.01

  override def call(): Integer = {
    UserError.check(features >= 1, s"--features $features: at least 1 is needed.")
    UserError.check(iterations >= 1, s"--iterations $iterations: at least 1 is needed.")
    UserError.check(
      l2 >= 0 && l2 <= Double.MaxValue,
      s"--l2 $l2: the penalty is a number from 0 up."
    )
    val session = SparkSession.builder().appName("text-classification").getOrCreate()
    try {
      val (train, test) = read(session)
      val begun = System.nanoTime()
      val model = pipeline.fit(train)
      val seconds = (System.nanoTime() - begun) * 1e-9
      report(model, test, seconds)
      0
    } finally session.stop()
  }

  /** Texts to train on, spread evenly over the slots of the cluster, and those held out. */
  private def read(session: SparkSession): (DataFrame, DataFrame) = {
    println(s"reading $data …")
    val texts = LabelledText.read(session.sparkContext, data)
    val labels = texts.keys.distinct().take(3).sorted.toSeq
    checkLabels(labels)
    val samples = texts.zipWithIndex().map { case ((label, text), i) => (label, text, i % 4 == 3) }
    checkParts(
      labels,
      samples.map { case (label, _, held) => (label, held) }.distinct().collect().toSeq
    )
    val rows = session.createDataFrame(samples).toDF("class", "text", "held")
    val slots = session.sparkContext.defaultParallelism
    val train = rows.filter("not held").repartition(slots).cache()
    val test = rows.filter("held")
    println(
      s"${train.count()} training texts, ${test.count()} test texts, classes ${labels.mkString(", ")}, " +
        s"$slots partitions"
    )
    (train, test)
  }

  private def pipeline: Pipeline = {
    val classifier =
      if (mllib) new org.apache.spark.ml.classification.LinearSVC
      else new org.sparkcollectives.ml.LinearSVC
    new Pipeline().setStages(
      Array(
        new StringIndexer().setInputCol("class").setOutputCol("label"),
        new Tokenizer().setInputCol("text").setOutputCol("words"),
        new HashingTF().setInputCol("words").setOutputCol("features").setNumFeatures(features),
        classifier.setMaxIter(iterations).setRegParam(l2)
      )
    )
  }

  /**
   * Says how well held-out texts are told apart, and how well those of the rarer class are found.
   */
  private def report(model: PipelineModel, test: DataFrame, seconds: Double): Unit = {
    // The indexer numbers classes by how frequent they are, from 0.
    val rarer = model.stages.head.asInstanceOf[StringIndexerModel].labelsArray.head(1)
    val metrics = new MulticlassClassificationEvaluator().getMetrics(model.transform(test))
    println(
      f"trained in $seconds%.2f s, test accuracy ${metrics.accuracy}%.4f; " +
        f"of $rarer precision ${metrics.precision(1)}%.4f, recall ${metrics.recall(1)}%.4f"
    )
  }

  private def checkLabels(labels: Seq[String]): Unit = {
    UserError.check(
      labels.size >= 2,
      s"All texts of $data have the label ${labels.mkString}: there is nothing to tell apart. " +
        "Training needs texts of two classes; is this a part of a sorted file?"
    )
    UserError.check(
      labels.size <= 2,
      s"$data has more than two labels, ${labels.mkString(", ")} among them, and a support vector classifier tells " +
        "two classes apart. Keep the lines of two, or give all but one the same label."
    )
  }

  /** Each label has to be among the texts that are trained on, and among those held out. */
  private def checkParts(labels: Seq[String], parts: Seq[(String, Boolean)]): Unit =
    for {
      (held, what) <- Seq(false -> "trained on", true -> "held out for the test")
      label <- labels
    } UserError.check(
      parts.contains((label, held)),
      s"No text of $data with the label $label is $what: every fourth text is held out, and the others are " +
        "trained on. Put the lines into another order, or add some."
    )
}

object TextClassification {

  /** Runs the example with a command line; see `--help`. */
  def main(args: Array[String]): Unit = ExampleMain.run(new TextClassification, args: _*)
}
