package org.sparkcollectives.spark.internal.ui;

import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who tells of calls, in a JVM of several applications one after the other. */
@Timeout(60)
class PublisherIT {

  private static JavaSparkContext context() {
    return new JavaSparkContext(
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("publisher")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1"));
  }

  @Test
  void aCallThatOutlivesItsApplicationLeavesTheNextOneAlone() {
    JavaSparkContext ended = context();
    Publisher first = Publisher.of(ended.sc());
    ended.stop();
    try (JavaSparkContext next = context()) {
      Publisher second = Publisher.of(next.sc());
      assertSame(first, Publisher.of(ended.sc()));
      assertSame(second, Publisher.of(next.sc()));
    }
  }
}
