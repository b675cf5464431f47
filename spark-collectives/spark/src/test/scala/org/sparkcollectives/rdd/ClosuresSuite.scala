package org.sparkcollectives.rdd

import java.io.{Externalizable, ObjectInput, ObjectOutput}

import org.apache.spark.{SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite
import org.sparkcollectives.error.InvalidInputException
import org.sparkcollectives.implicits._
import org.sparkcollectives.spark.internal.function.Closures
import org.sparkcollectives.testing.CrossVersion

/** Functions that are looked at before they are sent. */
class ClosuresSuite extends AnyFunSuite {

  private def local(): SparkContext = {
    val conf = new SparkConf(false)
      .setMaster("local[2]")
      .setAppName("closures")
      .set("spark.ui.enabled", "false")
      .set("spark.driver.host", "127.0.0.1")
      .set("spark.driver.bindAddress", "127.0.0.1")
    new SparkContext(conf)
  }

  test("a stopped context is named by calls that take functions, too", CrossVersion) {
    val sc = local()
    val numbers = sc.parallelize(1 to 4, 2)
    sc.stop()
    val calls = Seq[() => Any](
      () => numbers.collectively((_, own) => own),
      () => numbers.twoTreeAggregate(() => 0)(_ + _, _ + _),
      () => numbers.twoTreeAggregateBy(() => 0)(_ + _, operator[Int]("sum", true)(_ + _)),
      () =>
        numbers.twoTreeAggregateWith(2)(() => 0)(
          (v, sum, n) => sum + v * n,
          operator[Int]("sum", true)(_ + _)
        ),
      () => numbers.twoTreeReduce(operator[Int]("sum", true)(_ + _))
    )
    for (call <- calls) {
      val e = intercept[InvalidInputException](call())
      assert(e.getMessage.contains("the SparkContext is stopped"))
    }
  }

  test("a function that takes more bytes than an array has is looked at without them") {
    val sc = local()
    try {
      val long = new TwoGigabytes
      val program = (n: Int) => s"$n and $long"
      assert(Closures.clean(sc, program) eq program)
      assert(Closures.clean(program) eq program)
    } finally sc.stop()
  }
}

/** Is 2 GiB and 1 MiB long, serialized, and takes no memory before. */
class TwoGigabytes extends Externalizable {

  override def writeExternal(out: ObjectOutput): Unit = {
    val some = new Array[Byte](1 << 20)
    for (_ <- 0 to 2048) out.write(some)
  }

  override def readExternal(in: ObjectInput): Unit = throw new UnsupportedOperationException
}
