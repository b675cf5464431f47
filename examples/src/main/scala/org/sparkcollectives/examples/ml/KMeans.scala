package org.sparkcollectives.examples.ml

import java.util.concurrent.Callable

import org.apache.spark.ml.clustering.KMeansModel
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.sparkcollectives.examples.{ExampleMain, UserError}
import picocli.CommandLine.{Command, Mixin, Option => Opt}

/**
 * K-means by the library's estimator, which has all iterations in one stage, or by MLlib's, which
 * has a job for each.
 */
@Command(
  name = "k-means",
  description =
    Array("Clusters samples by k-means, and says how well the clusters fit the labels."),
  mixinStandardHelpOptions = true,
  showDefaultValues = true
)
final class KMeans extends Callable[Integer] {

  @Mixin
  private val data = new DataOptions

  @Opt(names = Array("--mllib"), description = Array("Train with MLlib's own estimator."))
  private var mllib: Boolean = false

  @Opt(names = Array("-k"), paramLabel = "K", description = Array("The number of clusters."))
  private var k: Int = 20

  @Opt(
    names = Array("--iterations"),
    paramLabel = "N",
    description = Array("At most this many iterations.")
  )
  private var iterations: Int = 50

  @Opt(
    names = Array("--seed"),
    paramLabel = "SEED",
    description = Array("Of the random first centres.")
  )
  private var seed: Long = 1

  override def call(): Integer = {
    data.check()
    UserError.check(k >= 2, s"-k $k: at least 2 clusters are needed.")
    UserError.check(iterations >= 1, s"--iterations $iterations: at least 1 is needed.")
    val session = SparkSession.builder().appName("k-means").getOrCreate()
    try {
      val split = data.read(session.sparkContext, classes = false)
      val train = Rows.frame(split.train, split.width).cache()
      println(s"${train.count()} rows in ${train.rdd.getNumPartitions} partitions")
      val estimator =
        if (mllib) new org.apache.spark.ml.clustering.KMeans
        else new org.sparkcollectives.ml.KMeans
      val begun = System.nanoTime()
      val model = estimator.setK(k).setMaxIter(iterations).setSeed(seed).fit(train)
      val seconds = (System.nanoTime() - begun) * 1e-9
      println(
        f"${model.summary.numIter} iterations in $seconds%.2f s, cost ${model.summary.trainingCost}%.6f"
      )
      if (split.labels.nonEmpty) {
        val right = agreement(model, train, Rows.frame(split.test, split.width))
        println(f"test samples whose cluster is one of their class $right%.4f")
      }
      0
    } finally session.stop()
  }

  /** The share of test samples in clusters where their class has most training samples. */
  private def agreement(model: KMeansModel, train: DataFrame, test: DataFrame): Double = {
    val classOf =
      counts(model, train).groupBy(_._1).map { case (cluster, all) =>
        (cluster, all.maxBy(_._3)._2)
      }
    val tested = counts(model, test)
    val right = tested.filter { case (cluster, label, _) => classOf.get(cluster).contains(label) }
    right.map(_._3).sum.toDouble / tested.map(_._3).sum
  }

  /** Cluster, class, and number of samples. */
  private def counts(model: KMeansModel, samples: DataFrame): Seq[(Int, Double, Long)] =
    model
      .transform(samples)
      .groupBy(model.getPredictionCol, Rows.Label)
      .count()
      .collect()
      .toSeq
      .map(row => (row.getInt(0), row.getDouble(1), row.getLong(2)))
}

object KMeans {

  /** Runs the example with a command line; see `--help`. */
  def main(args: Array[String]): Unit = ExampleMain.run(new KMeans, args: _*)
}
