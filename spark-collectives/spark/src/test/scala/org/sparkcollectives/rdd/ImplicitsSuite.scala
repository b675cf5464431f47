package org.sparkcollectives.rdd

import org.apache.spark.{SparkContext, SparkException}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite
import org.sparkcollectives.error.InvalidInputException
import org.sparkcollectives.implicits._
import org.sparkcollectives.schedule.Collective
import org.sparkcollectives.testing.SharedCluster
import org.sparkcollectives.vector.ReduceOp

/** Every call of the Scala façade, on executors in processes of their own, by Kryo. */
class ImplicitsSuite extends AnyFunSuite with BeforeAndAfterAll {
  private var sc: SparkContext = _

  override def beforeAll(): Unit = {
    val conf = SharedCluster.get
      .conf("implicits", 2, 2, "512m")
      .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
    sc = new SparkContext(conf)
  }

  override def afterAll(): Unit = sc.stop()

  private def vectors = sc.parallelize(1 to 6, 3).map(i => Array(i.toDouble, -i.toDouble))

  test("the sum of all vectors is on every executor") {
    val sum = vectors.twoTreeAllReduce()
    assert(sum.value.toSeq == Seq(21.0, -21.0))
    assert(sc.parallelize(1 to 8, 8).map(_ => sum.value.sum).collect().toSeq == Seq.fill(8)(0.0))
    assert(vectors.allReduce(ReduceOp.MAX, "ring").value.toSeq == Seq(6.0, -1.0))
    assert(vectors.allReduce().value.toSeq == Seq(21.0, -21.0))
  }

  test("a reduce brings the result to the driver, for numbers too") {
    assert(vectors.twoTreeReduce(ReduceOp.MIN).toSeq == Seq(1.0, -6.0))
    assert(sc.parallelize(1 to 10, 4).twoTreeReduce() == 55)
    assert(sc.parallelize(1 to 10, 4).reduceBy(ReduceOp.PROD, "binomial") == 3628800)
  }

  test("scans keep elements, partitions and their class") {
    assert(sc.parallelize(1 to 6, 3).twoTreeScan().collect().toSeq == Seq(1, 3, 6, 10, 15, 21))
    assert(sc.parallelize(1 to 6, 3).twoTreeExscan().collect().toSeq == Seq(0, 1, 3, 6, 10, 15))
    assert(vectors.scan().map(_.head).collect().toSeq == Seq(1.0, 3.0, 6.0, 10.0, 15.0, 21.0))
    assert(vectors.exscan().map(_.head).collect().toSeq == Seq(0.0, 1.0, 3.0, 6.0, 10.0, 15.0))
  }

  test("an aggregate takes a function as zero and keeps the order") {
    val words = sc.parallelize(Seq("a", "b", "c", "d", "e"), 3)
    assert(
      words
        .twoTreeAggregate(() => List.empty[String])(_ :+ _, _ ++ _) == List("a", "b", "c", "d", "e")
    )
    assert(sc.emptyRDD[Int].twoTreeAggregate(() => 7)(_ + _, _ + _) == 7)
  }

  test("objects of any class go with an operator of their own") {
    val join = operator[String]("join", commutative = false)(_ + _)
    assert(sc.parallelize(Seq("x", "y", "z"), 2).twoTreeReduce(join) == "xyz")
  }

  test("an operator's class follows from the elements") {
    val words = sc.parallelize(Seq("x", "y", "z"), 2)
    assert(words.twoTreeReduce(operator("join", false)(_ + _)) == "xyz")
    assert(
      words
        .twoTreeAllReduce(operator("longer", true)((a, b) => if (a.compareTo(b) < 0) b else a))
        .value == "z"
    )
    assert(sc.parallelize(1L to 9L, 3).twoTreeReduce(operator("sum", true)(_ + _)) == 45L)
    assert(sc.parallelize(1 to 4, 2).reduceBy(operator("xor", true)(_ ^ _), "binomial") == 4)
    val pairs = sc.parallelize(Seq(("a", 1), ("b", 2)), 2)
    assert(
      pairs.twoTreeReduce(operator("pair", false)((l, r) => (l._1 + r._1, l._2 + r._2))) ==
        (("ab", 3))
    )
    assert(
      words.twoTreeScan(operator("join", false)(_ + _)).collect().toSeq == Seq("x", "xy", "xyz")
    )
  }

  test("an operator with a neutral element gives it to the first of an exclusive scan") {
    val words = sc.parallelize(Seq("x", "y", "z"), 2)
    assert(
      words.twoTreeExscan(operator("join", false, () => "")(_ + _)).collect().toSeq ==
        Seq("", "x", "xy")
    )
  }

  test("an operator on a wider class goes with elements of a class below it") {
    val any = operator[CharSequence]("join", commutative = false)((a, b) => s"$a$b")
    assert(sc.parallelize(Seq("x", "y"), 2).twoTreeReduce(any) == "xy")
    val steps = sc
      .parallelize(1 to 4, 2)
      .twoTreeAggregateWith("-")(() => "")((v, s, n) => s + v + n, operator("join", false)(_ + _))
    assert(steps == "-1-2-3-4")
  }

  test("aggregates that are arrays are combined by an operator on numbers") {
    val counts = sc
      .parallelize(1 to 10, 4)
      .twoTreeAggregateBy(() => new Array[Long](3))(
        (sums, n) => { sums(n % 3) += n; sums },
        ReduceOp.SUM
      )
    assert(counts.toSeq == Seq(18L, 22L, 15L))
    val words = sc
      .parallelize(1 to 4, 2)
      .twoTreeAggregateBy(() => "")((s, n) => s + n, operator("join", false)(_ + _))
    assert(words == "1234")
  }

  test("a function that returns null is named") {
    val e = intercept[InvalidInputException] {
      sc.parallelize(1 to 4, 2)
        .collectively((comm, own) => if (comm.rank == 1) null else own.map(_ + 1))
        .collect()
    }
    assert(e.getMessage.contains("collectively's function returned null on rank 1"))
  }

  test("the driver's value reaches all executors") {
    val model = sc.twoTreeBroadcast(Map("a" -> 1, "b" -> 2))
    assert(sc.parallelize(1 to 8, 8).map(_ => model.value("b")).sum() == 16.0)
    assert(sc.collectiveBroadcast(Array(1L, 2L)).value.sum == 3L)
  }

  test("vectors are divided, exchanged and put together") {
    assert(
      vectors.reduceScatter().collect().map(_.toSeq).toSeq == Seq(Seq(), Seq(21.0), Seq(-21.0))
    )
    assert(vectors.allGather().value.toSeq == (1 to 6).flatMap(i => Seq(i.toDouble, -i.toDouble)))
    assert(vectors.gather().length == 12)
    val threes = sc.parallelize(1 to 3, 3).map(i => Array(10 * i, 10 * i + 1, 10 * i + 2))
    val columns = threes.allToAll().collect().map(_.toSeq).toSeq
    assert(columns == Seq(Seq(10, 20, 30), Seq(11, 21, 31), Seq(12, 22, 32)))
    val parts: Array[Array[Long]] = sc.scatter(Array(1L, 2L, 3L), 2).collect()
    assert(parts.map(_.toSeq).toSeq == Seq(Seq(1L), Seq(2L, 3L)))
  }

  test("a call is explained before it runs") {
    val said = vectors.explain(Collective.ALLREDUCE)
    assert(said.ranks == 3 && said.vector == "2 x double, 16 bytes" && said.algorithm == null)
    val long = vectors.explain(
      Collective.ALLREDUCE,
      ReduceOp.MAX,
      "ring",
      Some(new Array[Double](100000))
    )
    assert(long.algorithm.choice.algorithm == "ring" && long.members == 2)
    assert(sc.parallelize(1 to 6, 3).explain(Collective.EXSCAN).vector == "1 x int, 4 bytes")
    assert(vectors.explain(Collective.ALLGATHER).algorithm.request.bytes == 3 * 16)
  }

  test("a program on all ranks returns an RDD of its class") {
    val sums = sc.parallelize(1 to 8, 4).collectively { (comm, own) =>
      val total = comm.allReduce[Array[Double]](Array(own.sum.toDouble), ReduceOp.SUM)
      Iterator(total(0).toInt * 10 + comm.rank)
    }
    assert(sums.collect().toSeq == Seq(360, 361, 362, 363))
    sums.unpersist()
    val gone = intercept[SparkException](sums.collect())
    val reasons = Iterator.iterate[Throwable](gone)(_.getCause).takeWhile(_ != null)
    assert(reasons.exists(each => String.valueOf(each.getMessage).contains("destroyed")))
  }
}
