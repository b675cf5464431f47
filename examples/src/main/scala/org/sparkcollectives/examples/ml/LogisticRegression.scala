package org.sparkcollectives.examples.ml

import java.util.concurrent.Callable

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.sparkcollectives.examples.{ExampleMain, UserError}
import org.sparkcollectives.implicits._
import org.sparkcollectives.spark.CollectivesPlugin
import picocli.CommandLine.{Command, Mixin, Option => Opt, Spec}
import picocli.CommandLine.Model.CommandSpec

/**
 * Logistic regression with L-BFGS: by the library's estimator or MLlib's, or by a loop of its own,
 * where each step sends the weights to the executors and sums the gradients of all partitions up in
 * one job.
 */
@Command(
  name = "logistic-regression",
  description = Array(
    "Binary or multinomial logistic regression with L-BFGS, by an estimator in one stage or step by step."
  ),
  mixinStandardHelpOptions = true,
  showDefaultValues = true
)
final class LogisticRegression extends Callable[Integer] {

  @Mixin
  private val data = new DataOptions

  @Opt(
    names = Array("--aggregate"),
    paramLabel = "HOW",
    description = Array("How the gradients are summed: ${COMPLETION-CANDIDATES}.")
  )
  private var aggregation: Aggregation = Aggregation.ESTIMATOR

  @Opt(
    names = Array("--compare"),
    description = Array("Train in each of these ways, and print a table of times and accuracies.")
  )
  private var compare: Boolean = false

  @Opt(
    names = Array("--iterations"),
    paramLabel = "N",
    description = Array("At most this many iterations of L-BFGS.")
  )
  private var iterations: Int = 50

  @Opt(names = Array("--l2"), paramLabel = "X", description = Array("Strength of the L2 penalty."))
  private var l2: Double = 0.01

  @Opt(
    names = Array("--tolerance"),
    paramLabel = "X",
    description = Array("Stop when the loss improves relatively by less.")
  )
  private var tolerance: Double = 1e-8

  @Spec
  private var spec: CommandSpec = CommandSpec.create()

  override def call(): Integer = {
    checkOptions()
    val sc = SparkSession.builder().config(settings).getOrCreate().sparkContext
    try {
      val split = data.read(sc)
      val model = Softmax(split.width, split.labels.size)
      val training = Training(model, split.trainCount, l2, iterations, tolerance)
      val samples = split.train.cache()
      if (compare) table(sc, samples, split, training)
      else {
        println(s"training with L-BFGS, gradients summed by --aggregate $aggregation")
        samples.count(): Unit // reads and caches them
        val begun = System.nanoTime()
        val weights = train(sc, samples, training, aggregation)(println(_))
        val seconds = (System.nanoTime() - begun) * 1e-9
        val right = accuracy(split.test, model, weights)
        println(f"trained in $seconds%.2f s, test accuracy $right%.4f")
      }
      0
    } finally sc.stop()
  }

  /** Those of the application, and the plugin if one of the ways needs it. */
  private def settings: SparkConf = {
    val conf = new SparkConf().setAppName("logistic-regression")
    if (compare || aggregation == Aggregation.PLUGIN) {
      val others = conf.get("spark.plugins", "").split(',').filter(_.nonEmpty)
      conf.set(
        "spark.plugins",
        (others :+ classOf[CollectivesPlugin].getName).distinct.mkString(",")
      )
    }
    conf
  }

  private def train(
      sc: SparkContext,
      samples: RDD[Samples],
      training: Training,
      how: Aggregation
  )(report: String => Unit): Array[Double] = {
    val model = training.model
    // With the plugin in the application, the other ways of Spark's are to stay Spark's.
    sc.setLocalProperty("spark.collectives.mllib.enabled", (how == Aggregation.PLUGIN).toString)
    how match {
      case Aggregation.ESTIMATOR =>
        val estimator = new org.sparkcollectives.ml.LogisticRegression
        new EstimatorTraining(estimator, training).run(samples)(report)
      case Aggregation.PLUGIN | Aggregation.MLLIB =>
        val estimator = new org.apache.spark.ml.classification.LogisticRegression
        new EstimatorTraining(estimator, training).run(samples)(report)
      case Aggregation.TWO_TREE => training.run(new TwoTreeSums(sc, samples, model))(report)
      case Aggregation.TREE     => training.run(new TreeSums(sc, samples, model))(report)
      case Aggregation.SPMD     =>
        val (weights, lines) = samples
          .collectively { (comm, parts) =>
            val lines = Seq.newBuilder[String]
            val weights = training.run(new RankSums(comm, parts.toSeq, model))(lines += _)
            if (comm.rank == 0) Iterator((weights, lines.result())) else Iterator.empty
          }
          .collect()
          .head
        lines.foreach(report)
        weights
    }
  }

  /** A line for each way: seconds in all and per iteration, accuracy. */
  private def table(
      sc: SparkContext,
      samples: RDD[Samples],
      split: DataSplit,
      training: Training
  ): Unit = {
    println("training with L-BFGS, in each way once to warm up and once for the table")
    println(f"${"--aggregate"}%-12s ${"seconds"}%8s ${"iterations"}%11s ${"ms each"}%8s accuracy")
    for (how <- Aggregation.values) {
      train(sc, samples, training.copy(iterations = 2), how)(_ => ())
      var iterations = -1 // the first line is of the start
      val begun = System.nanoTime()
      val weights =
        train(sc, samples, training, how)(line => if (line.startsWith("iteration")) iterations += 1)
      val seconds = (System.nanoTime() - begun) * 1e-9
      val each = seconds * 1e3 / math.max(iterations, 1)
      val right = accuracy(split.test, training.model, weights)
      println(f"$how%-12s $seconds%8.2f $iterations%11d $each%8.1f $right%.4f")
    }
  }

  private def accuracy(
      samples: RDD[Samples],
      model: Softmax,
      weights: Array[Double]
  ): Double = {
    val (right, all) = samples
      .map(s =>
        (
          model.predict(s, weights).zip(s.classes).count { case (a, b) => a == b }.toLong,
          s.size.toLong
        )
      )
      .reduce { case ((right, all), (r, a)) => (right + r, all + a) }
    right.toDouble / all
  }

  private def checkOptions(): Unit = {
    data.check()
    UserError.check(
      !compare || !spec.commandLine().getParseResult.hasMatchedOption("--aggregate"),
      "--compare trains in every way, and --aggregate chooses one. Give one of the two."
    )
    UserError.check(iterations >= 1, s"--iterations $iterations: at least 1 is needed.")
    UserError.check(
      l2 >= 0 && l2 <= Double.MaxValue,
      s"--l2 $l2: the penalty is a number from 0 up."
    )
    UserError.check(
      tolerance > 0 && tolerance < 1,
      s"--tolerance $tolerance: a number between 0 and 1 is needed, for example 1e-6."
    )
  }
}

object LogisticRegression {

  /** Runs the example with a command line; see `--help`. */
  def main(args: Array[String]): Unit = ExampleMain.run(new LogisticRegression, args: _*)
}
