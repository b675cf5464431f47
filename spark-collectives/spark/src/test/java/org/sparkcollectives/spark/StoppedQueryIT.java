package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.vector.ReduceOp;

/** Streaming queries that are stopped while a batch is in a collective. */
@Timeout(120)
@Tag("cross-version") // how a query knows that it was stopped
class StoppedQueryIT {
  private static final CountDownLatch COMPUTING = new CountDownLatch(1);

  @Test
  void aQueryThatIsStoppedInACallHasNotFailed(@TempDir Path folder) throws Exception {
    try (SparkSession session =
        SparkSession.builder()
            .master("local[2]")
            .appName("stopped")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .getOrCreate()) {
      VoidFunction2<Dataset<Row>, Long> sum =
          (batch, id) -> {
            JavaRDD<double[]> slow =
                batch
                    .sparkSession()
                    .range(0, 4, 1, 2)
                    .javaRDD()
                    .map(
                        number -> {
                          COMPUTING.countDown();
                          Thread.sleep(1_000);
                          return new double[] {number};
                        });
            double[] unused = JavaCollectives.of(slow).twoTreeReduce(ReduceOp.SUM);
          };
      StreamingQuery query =
          session
              .readStream()
              .format("rate")
              .load()
              .writeStream()
              .option("checkpointLocation", folder.resolve("checkpoint").toString())
              .foreachBatch(sum)
              .start();
      assertTrue(COMPUTING.await(60, TimeUnit.SECONDS), () -> "no batch: " + query.exception());
      query.stop();
      assertTrue(query.exception().isEmpty(), () -> query.exception().toString());
    }
  }
}
