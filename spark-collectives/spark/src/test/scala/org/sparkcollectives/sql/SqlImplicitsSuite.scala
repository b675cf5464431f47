package org.sparkcollectives.sql

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, Dataset, SparkSession}
import org.apache.spark.sql.functions.{col, expr, sum}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite
import org.sparkcollectives.error.InvalidInputException
import org.sparkcollectives.implicits._
import org.sparkcollectives.sql.implicits._
import org.sparkcollectives.schedule.Collective
import org.sparkcollectives.testing.SharedCluster
import org.sparkcollectives.vector.ReduceOp

/** A row of a dataset. */
case class Sample(label: Int, features: Array[Double])

/** Every call of the Scala façade for datasets, on executors in processes of their own, by Kryo. */
class SqlImplicitsSuite extends AnyFunSuite with BeforeAndAfterAll {
  private lazy val session: SparkSession = {
    val conf = SharedCluster.get
      .conf("sql-implicits", 2, 2, "512m")
      .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
      .set("spark.sql.shuffle.partitions", "5")
    SparkSession.builder().config(conf).getOrCreate()
  }

  override def afterAll(): Unit = session.stop()

  private def samples: Dataset[Sample] = {
    val spark = session
    import spark.implicits._
    spark
      .range(0, 20, 1, 6)
      .select(expr("cast(id as int)").as("label"), expr("array(id * 1D, 1D)").as("features"))
      .as[Sample]
  }

  private def frame: DataFrame =
    samples.toDF().withColumn("weight", expr("label * 0.5D")).withColumn("id", expr("label * 1L"))

  test("the sum of a column is on every executor") {
    val total: Broadcast[Array[Double]] = frame.twoTreeAllReduce("features")
    assert(total.value.toSeq == Seq(190.0, 20.0))
    assert(session.sparkContext.parallelize(1 to 4, 4).map(_ => total.value(1)).sum() == 80.0)
    assert(
      frame.twoTreeAllReduce[Array[Double]]("features", ReduceOp.MAX).value.toSeq == Seq(19, 1)
    )
  }

  test("columns of numbers give numbers, and the same as Spark SQL's aggregate") {
    val grouped = frame.groupBy(expr("label % 7").as("key")).agg(sum("weight").as("weight"))
    val expected = grouped.agg(sum("weight")).first().getDouble(0)
    assert(grouped.twoTreeReduce[Double]("weight") == expected)
    assert(frame.twoTreeReduce[Long]("id", ReduceOp.MAX) == 19L)
    assert(frame.vectors[Int]("label").reduceBy(ReduceOp.MIN, "binomial") == 0)
  }

  test("scans follow the order of the dataset") {
    val prefixes: RDD[Int] = frame.orderBy(col("label")).twoTreeScan("label")
    assert(prefixes.collect().toSeq == (0 until 20).scanLeft(0)(_ + _).tail)
    val doubled = prefixes.map(_ * 2).twoTreeReduce()
    assert(doubled == (0 until 20).scanLeft(0)(_ + _).tail.sum * 2)
  }

  test("a column has all calls of an RDD") {
    val features = frame.vectors[Array[Double]]("features")
    assert(features.allReduce(ReduceOp.SUM, "ring").value.toSeq == Seq(190.0, 20.0))
    assert(features.gather().length == 40)
    assert(features.explain(Collective.ALLREDUCE).vector == "2 x double, 16 bytes")
    assert(features.twoTreeAggregate(() => 0.0)(_ + _.sum, _ + _) == 210.0)
  }

  test("a program gets objects of a dataset, and rows of a data frame") {
    val labels = samples.collectively { (comm, own) =>
      val sum = comm.allReduce[Array[Int]](Array(own.map(_.label).sum), ReduceOp.SUM)
      Iterator(sum(0) + comm.rank)
    }
    val ranks = labels.getNumPartitions
    assert(labels.collect().toSeq == (190 until 190 + ranks))
    val weights: Array[Double] = frame
      .collectively((_, own) => own.map(_.getAs[Double]("weight")))
      .collect()
    assert(weights.toSeq == (0 until 20).map(_ * 0.5))
  }

  test("a type that was not given, or another one, is told") {
    val untold = intercept[InvalidInputException](frame.vectors("features"))
    assert(untold.getMessage.contains("""vectors[Array[Double]]("features")"""))
    val other = intercept[InvalidInputException](frame.twoTreeReduce[Double]("label"))
    assert(other.getMessage.contains("""vectors[Int]("label")"""))
  }
}
