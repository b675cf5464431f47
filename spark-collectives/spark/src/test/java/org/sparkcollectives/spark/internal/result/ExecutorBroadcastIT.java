package org.sparkcollectives.spark.internal.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.JavaCollectives;

/** Results for which there is no storage memory. */
@Timeout(60)
class ExecutorBroadcastIT {
  private static final AtomicInteger READ = new AtomicInteger();

  /** Counts how often it is made of bytes. */
  private static final class Large implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final byte[] bytes = new byte[16 << 20];

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      READ.incrementAndGet();
    }
  }

  @Test
  void tasksShareWhatOneOfThemHasRead() {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[2]")
            .setAppName("without memory")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.memory.fraction", "0.002");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      Broadcast<Large> sent = JavaCollectives.of(context).broadcast(new Large(), "two-tree");
      assertInstanceOf(ExecutorBroadcast.class, sent);
      Large held = sent.value();
      int read = READ.get();
      List<Integer> lengths =
          context
              .parallelize(List.of(1, 2, 3, 4), 4)
              .map(i -> sent.value().bytes.length)
              .distinct()
              .collect();
      assertEquals(List.of(held.bytes.length), lengths);
      assertEquals(read, READ.get());
      sent.destroy();
    }
  }
}
