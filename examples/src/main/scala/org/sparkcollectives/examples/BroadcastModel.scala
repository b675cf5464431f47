package org.sparkcollectives.examples

import java.util.{Arrays, SplittableRandom}
import java.util.concurrent.Callable

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.broadcast.Broadcast
import org.sparkcollectives.implicits._
import picocli.CommandLine.{Command, Option => Opt}

/**
 * Sends a large model to all executors through two trees, and beside it with Spark's own broadcast.
 */
@Command(
  name = "broadcast-model",
  description = Array("Sends a large model to all executors with twoTreeBroadcast."),
  mixinStandardHelpOptions = true,
  showDefaultValues = true
)
final class BroadcastModel extends Callable[Integer] {

  @Opt(
    names = Array("--megabytes"),
    paramLabel = "N",
    description = Array("Size of the model in MiB.")
  )
  private var megabytes: Int = 64

  override def call(): Integer = {
    UserError.check(
      megabytes >= 1 && megabytes <= 1024,
      s"--megabytes $megabytes: 1 to 1024 are possible; the model has to fit into each executor's memory."
    )
    val sc = SparkContext.getOrCreate(new SparkConf().setAppName("broadcast-model"))
    try {
      val random = new SplittableRandom(1)
      val model = Array.fill(megabytes << 17)(random.nextDouble())
      println(s"model of $megabytes MiB, ${model.length} weights")
      val ways = Seq[(String, Array[Double] => Broadcast[Array[Double]])](
        ("twoTreeBroadcast", sc.twoTreeBroadcast(_)),
        ("Spark's broadcast", sc.broadcast(_))
      )
      // The first call loads and connects; of 256 KiB and less both would be Spark's own.
      val short = Array.fill(1 << 16)(random.nextDouble())
      for ((_, send) <- ways) readEverywhere(sc, short, send)

      val right = for ((name, send) <- ways) yield {
        val (millis, hashes) = readEverywhere(sc, model, send)
        val equal = hashes.count(_ == Arrays.hashCode(model))
        println(
          f"$name: $millis%.1f ms until $equal of ${hashes.length} tasks had read the same model"
        )
        equal == hashes.length
      }
      if (right.forall(identity)) 0 else 1
    } finally sc.stop()
  }

  /** Milliseconds until one task per slot has read the model, and the hash that each has found. */
  private def readEverywhere(
      sc: SparkContext,
      model: Array[Double],
      send: Array[Double] => Broadcast[Array[Double]]
  ): (Double, Array[Int]) = {
    val started = System.nanoTime()
    val shared = send(model)
    val slots = sc.defaultParallelism
    val hashes = sc.parallelize(1 to slots, slots).map(_ => Arrays.hashCode(shared.value)).collect()
    val millis = (System.nanoTime() - started) / 1e6
    shared.destroy()
    (millis, hashes)
  }
}

object BroadcastModel {

  /** Runs the example; see `--help`. */
  def main(args: Array[String]): Unit = ExampleMain.run(new BroadcastModel, args: _*)
}
