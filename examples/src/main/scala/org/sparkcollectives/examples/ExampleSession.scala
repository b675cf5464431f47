package org.sparkcollectives.examples

import org.apache.spark.{SparkConf, SparkContext}

/** The Spark context of an example. */
object ExampleSession {

  /** Runs `work` on a context of the cluster that spark-submit names, and stops the context. */
  def use[A](name: String)(work: SparkContext => A): A = {
    val sc = SparkContext.getOrCreate(new SparkConf().setAppName(name))
    try work(sc)
    finally sc.stop()
  }
}
