package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.vector.ReduceOp;

/** Short arrays, which the driver combines by an operator that throws. */
@Timeout(60)
class CombinedAtDriverIT {

  private static ReduceOp<Object> throwing(Throwable thrown) {
    return ReduceOp.ofDouble(
        "throwing",
        true,
        (left, right) -> {
          if (TaskContext.get() == null) {
            throw Calls.<RuntimeException>sneaky(thrown);
          }
          return left + right;
        });
  }

  @Test
  void whateverTheOperatorThrowsIsTheCause() {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("combined")
            .set("spark.ui.enabled", "false")
            .set("spark.collectives.combineInExecutors", "false");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<double[]> vectors =
          context.parallelize(List.of(1, 2), 2).map(i -> new double[] {i, i});
      for (Throwable thrown :
          List.of(
              new IllegalStateException("no"),
              new AssertionError("no"),
              new Exception("checked"))) {
        CollectiveException e =
            assertThrows(
                CollectiveException.class,
                () -> JavaCollectives.of(vectors).twoTreeReduce(throwing(thrown)));
        assertTrue(
            e.getMessage().startsWith("twoTreeReduce failed: the driver, which combines"),
            e.getMessage());
        assertEquals(thrown.toString(), String.valueOf(e.getCause()));
      }
    }
  }
}
