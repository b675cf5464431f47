package org.sparkcollectives.examples.ml

import java.util.concurrent.Callable

import org.apache.spark.ml.Model
import org.apache.spark.ml.classification.OneVsRest
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.sparkcollectives.examples.{ExampleMain, UserError}
import picocli.CommandLine.{Command, Mixin, Option => Opt}

/**
 * A linear support vector classifier by the library's estimator, which trains in one stage, or by
 * MLlib's; for more than two classes one of each against all others, by MLlib's `OneVsRest`.
 */
@Command(
  name = "linear-svc",
  description = Array("Linear support vector classification, one class against the rest."),
  mixinStandardHelpOptions = true,
  showDefaultValues = true
)
final class LinearSvc extends Callable[Integer] {

  @Mixin
  private val data = new DataOptions

  @Opt(names = Array("--mllib"), description = Array("Train with MLlib's own estimator."))
  private var mllib: Boolean = false

  @Opt(
    names = Array("--iterations"),
    paramLabel = "N",
    description = Array("At most this many iterations for each class.")
  )
  private var iterations: Int = 30

  @Opt(names = Array("--l2"), paramLabel = "X", description = Array("Strength of the L2 penalty."))
  private var l2: Double = 0.01

  override def call(): Integer = {
    data.check()
    UserError.check(iterations >= 1, s"--iterations $iterations: at least 1 is needed.")
    UserError.check(
      l2 >= 0 && l2 <= Double.MaxValue,
      s"--l2 $l2: the penalty is a number from 0 up."
    )
    val session = SparkSession.builder().appName("linear-svc").getOrCreate()
    try {
      val split = data.read(session.sparkContext)
      val train = Rows.frame(split.train, split.width).cache()
      println(s"${train.count()} rows in ${train.rdd.getNumPartitions} partitions")
      val begun = System.nanoTime()
      val model = fit(train, split.labels.size)
      val seconds = (System.nanoTime() - begun) * 1e-9
      val accuracy = share(model, Rows.frame(split.test, split.width))
      println(f"${split.labels.size} classes in $seconds%.2f s, test accuracy $accuracy%.4f")
      0
    } finally session.stop()
  }

  private def fit(train: DataFrame, classes: Int): Model[_] = {
    val estimator =
      if (mllib) new org.apache.spark.ml.classification.LinearSVC
      else new org.sparkcollectives.ml.LinearSVC
    estimator.setMaxIter(iterations).setRegParam(l2)
    if (classes == 2) estimator.fit(train)
    else new OneVsRest().setClassifier(estimator).fit(train)
  }

  private def share(model: Model[_], test: DataFrame): Double = {
    val tested = model.transform(test).select(Rows.Label, "prediction")
    tested.filter("label = prediction").count().toDouble / tested.count()
  }
}

object LinearSvc {

  /** Runs the example with a command line; see `--help`. */
  def main(args: Array[String]): Unit = ExampleMain.run(new LinearSvc, args: _*)
}
