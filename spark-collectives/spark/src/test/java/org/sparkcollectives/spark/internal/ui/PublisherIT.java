package org.sparkcollectives.spark.internal.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.testing.Await;

/** Who tells of calls, in a JVM of several applications one after the other. */
@Timeout(180)
class PublisherIT {

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[1]")
        .setAppName("publisher")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
  }

  private static JavaSparkContext context() {
    return new JavaSparkContext(conf().set("spark.ui.enabled", "false"));
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

  @Test
  void theTabForgetsTheOldestCalls() {
    SparkConf conf =
        conf().set("spark.ui.port", "0").set("spark.collectives.ui.retainedCalls", "10");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      Publisher publisher = Publisher.of(context.sc());
      for (int i = 1; i <= 200; i++) {
        CallEvent event = new CallEvent();
        event.call = i;
        event.state = CallEvent.SUCCEEDED;
        publisher.publish(event);
        publisher.publish(new TrainingEvent());
      }
      CallStore store = new CallStore(context.sc().statusStore().store());
      Await.until(
          "ten calls and ten trainings, the latest",
          () -> store.calls().size() <= 10 && store.trainings().size() <= 10);
      assertEquals(200, store.calls().get(0).call);
    }
  }
}
