package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.vector.ReduceOp;

/** What an application of local mode leaves in its JVM. */
@Timeout(60)
class EndedApplicationIT {
  private static final SparkConf CONF =
      new SparkConf().setMaster("local[2]").setAppName("ended").set("spark.ui.enabled", "false");

  /** The sockets' threads. */
  private static List<String> listening() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("spark-collectives-acceptor"))
        .toList();
  }

  /** Spark tells of an application's end first, and ends its tasks afterwards. */
  @Test
  void tasksThatOutliveTheirApplicationOpenNoSocket() throws Exception {
    CollectiveConf conf = CollectiveConf.of(CONF);
    List<String> others = listening();
    SparkEnv ended;
    ExecutorEndpoint endpoint;
    try (JavaSparkContext context = new JavaSparkContext(CONF)) {
      DriverEndpoint.of(context.sc());
      ended = SparkEnv.get();
      endpoint = ExecutorEndpoint.of(ended, conf);
      endpoint.member(true);
      assertNotEquals(others, listening());
    }
    assertThrows(AbortedException.class, () -> ExecutorEndpoint.of(ended, conf));
    assertThrows(AbortedException.class, () -> endpoint.member(true));
    assertEquals(others, listening());

    try (JavaSparkContext context = new JavaSparkContext(CONF)) {
      DriverEndpoint.of(context.sc());
      ExecutorEndpoint next = ExecutorEndpoint.of(SparkEnv.get(), conf);
      assertSame(next, ExecutorEndpoint.of(SparkEnv.get(), conf));
      assertThrows(AbortedException.class, () -> ExecutorEndpoint.of(ended, conf));
    }
  }

  /** A call may list its input for so long that its application has ended, and the next begun. */
  @Test
  void aCallThatComesLateLeavesTheNextApplicationAlone() {
    JavaSparkContext ended = new JavaSparkContext(CONF);
    ended.stop();
    try (JavaSparkContext context = new JavaSparkContext(CONF)) {
      DriverEndpoint next = DriverEndpoint.of(context.sc());
      assertThrows(IllegalStateException.class, () -> DriverEndpoint.of(ended.sc()));
      assertSame(next, DriverEndpoint.of(context.sc()));
      List<double[]> vectors = List.of(new double[] {1}, new double[] {2});
      double[] sum =
          JavaCollectives.of(context.parallelize(vectors, 2)).twoTreeReduce(ReduceOp.SUM);
      assertArrayEquals(new double[] {3}, sum);
    }
  }
}
