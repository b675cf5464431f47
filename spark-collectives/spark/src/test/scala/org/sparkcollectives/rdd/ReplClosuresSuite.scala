package $line7 {
  import org.apache.spark.broadcast.Broadcast
  import org.apache.spark.rdd.RDD
  import org.sparkcollectives.implicits._

  /** Lines of a shell, in the classes that Scala's interpreter puts them in. */
  class $read extends Serializable {

    class $iw extends Serializable {
      val connection = new Object // cannot be serialized, and no closure uses it
      val factor = 10

      def program(rdd: RDD[Int]): RDD[String] =
        rdd.collectively((comm, own) => own.map(n => s"${n * factor} of ${comm.size}"))

      def reduced(rdd: RDD[Int]): Int =
        rdd.twoTreeReduce(operator("scaled", true)((a, b) => a + b + factor - 10))

      def scanned(rdd: RDD[Int]): RDD[Int] =
        rdd.twoTreeExscan(
          operator("scaled", true, () => factor - 10)((a, b) => a + b + factor - 10)
        )

      def everywhere(rdd: RDD[Int]): Broadcast[Int] =
        rdd.twoTreeAllReduce(operator("scaled", true)((a, b) => a + b + factor - 10))

      def aggregated(rdd: RDD[Int]): Array[Long] =
        rdd.twoTreeAggregate(() => new Array[Long](factor))(
          (sums, n) => { sums(n % factor) += n; sums },
          (a, b) => { for (i <- 0 until factor) a(i) += b(i); a }
        )

      def stepped(rdd: RDD[Int]): Array[Long] =
        rdd.twoTreeAggregateWith(3L)(() => new Array[Long](factor))(
          (v, sums, n) => { sums(n % factor) += n * v; sums },
          org.sparkcollectives.vector.ReduceOp.SUM
        )

      def refused(rdd: RDD[Int]): RDD[String] =
        rdd.collectively((_, own) => own.map(n => s"$n by $connection"))
    }

    val $iw = new $iw
  }
}

package $line8 {
  import org.apache.spark.rdd.RDD
  import org.sparkcollectives.implicits._

  /** A line all of which can be serialized. */
  class $read extends Serializable {

    class $iw extends Serializable {
      val factor = 10
      val table = new Array[Double](1 << 18) // no closure uses these 2 MiB

      def program(rdd: RDD[Int]): RDD[Int] = rdd.collectively((_, own) => own.map(_ * factor))
    }

    val $iw = new $iw
  }
}

package org.sparkcollectives.rdd {

  import org.apache.spark.{SparkContext, SparkException}
  import org.scalatest.BeforeAndAfterAll
  import org.scalatest.funsuite.AnyFunSuite
  import org.sparkcollectives.testing.{CrossVersion, SharedCluster}

  /** Closures that were typed into a shell, on executors in processes of their own. */
  class ReplClosuresSuite extends AnyFunSuite with BeforeAndAfterAll {
    private var sc: SparkContext = _
    private val line = new $line7.$read().$iw
    private val serializable = new $line8.$read().$iw

    override def beforeAll(): Unit =
      sc = new SparkContext(SharedCluster.get.conf("repl", 2, 2, "512m"))

    override def afterAll(): Unit = sc.stop()

    private def numbers = sc.parallelize(1 to 4, 2)

    test("a program leaves behind what it does not use", CrossVersion) {
      assert(
        line.program(numbers).collect().toSeq == Seq("10 of 2", "20 of 2", "30 of 2", "40 of 2")
      )
    }

    test("a program's inner closures find what they use, beside much else", CrossVersion) {
      assert(serializable.program(numbers).collect().toSeq == Seq(10, 20, 30, 40))
    }

    test("an operator leaves behind what it does not use", CrossVersion) {
      assert(line.reduced(numbers) == 10)
      assert(line.everywhere(numbers).value == 10)
      assert(line.scanned(numbers).collect().toSeq == Seq(0, 1, 3, 6))
    }

    test("an aggregate's functions leave behind what they do not use", CrossVersion) {
      assert(line.aggregated(numbers).toSeq == Seq(0L, 1L, 2L, 3L, 4L, 0L, 0L, 0L, 0L, 0L))
      assert(line.stepped(numbers).toSeq == Seq(0L, 3L, 6L, 9L, 12L, 0L, 0L, 0L, 0L, 0L))
    }

    test("what a program uses and cannot be serialized is refused at once", CrossVersion) {
      val e = intercept[SparkException](line.refused(numbers))
      assert(e.getMessage.contains("Task not serializable"))
    }
  }
}
