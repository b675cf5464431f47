package org.sparkcollectives.examples

import java.util.concurrent.Callable

import org.apache.spark.{SparkConf, SparkContext}
import org.sparkcollectives.implicits._
import picocli.CommandLine.{Command, Option => Opt}

/**
 * Running totals over a whole RDD: each partition adds up its own numbers, an exclusive scan tells
 * it the total of all partitions before it, and no number leaves its partition.
 */
@Command(
  name = "prefix-sums",
  description = Array("Running totals over the partitions of an RDD with twoTreeExscan."),
  mixinStandardHelpOptions = true,
  showDefaultValues = true
)
final class PrefixSums extends Callable[Integer] {

  @Opt(names = Array("--count"), paramLabel = "N", description = Array("How many numbers, from 1."))
  private var count: Int = 1000000

  @Opt(
    names = Array("--partitions"),
    paramLabel = "N",
    description = Array("Number of partitions.")
  )
  private var partitions: Int = 4

  override def call(): Integer = {
    UserError.check(count >= 1, s"--count $count: at least 1 is needed.")
    UserError.check(partitions >= 1, s"--partitions $partitions: at least 1 is needed.")
    val sc = SparkContext.getOrCreate(new SparkConf().setAppName("prefix-sums"))
    try {
      val numbers = sc.range(1, count.toLong + 1, numSlices = partitions)
      val totals = numbers.mapPartitions(part => Iterator(Array(part.sum)))
      val before = totals.twoTreeExscan()
      val running = numbers.zipPartitions(before) { (part, offset) =>
        part.scanLeft(offset.next()(0))(_ + _).drop(1)
      }

      before.collect().zipWithIndex.foreach { case (offset, i) =>
        println(s"partition $i starts after a total of ${offset(0)}")
      }
      val wrong = running.zip(numbers).filter { case (sum, n) => sum != n * (n + 1) / 2 }.count()
      println(s"running total of all $count numbers: ${running.max()}")
      println(s"$wrong of $count running totals differ from n(n+1)/2")
      if (wrong == 0) 0 else 1
    } finally sc.stop()
  }
}

object PrefixSums {

  /** Runs the example; see `--help`. */
  def main(args: Array[String]): Unit = ExampleMain.run(new PrefixSums, args: _*)
}
