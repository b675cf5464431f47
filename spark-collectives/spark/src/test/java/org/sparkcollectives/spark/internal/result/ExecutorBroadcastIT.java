package org.sparkcollectives.spark.internal.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.JavaCollectives;

/** Values for which there is no storage memory. */
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

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[2]")
        .setAppName("without memory")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.memory.fraction", "0.002");
  }

  @Test
  void withoutRoomOnDiskAValueIsNotCalledOneThatCannotBeSerialized(@TempDir Path folder)
      throws IOException {
    SparkConf conf =
        conf()
            .set("spark.local.dir", folder.toString())
            .set("spark.broadcast.compress", "false"); // 16 MiB of zeros
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      List<Path> made;
      try (Stream<Path> all = Files.walk(folder)) {
        made = all.filter(path -> !path.equals(folder)).sorted(Comparator.reverseOrder()).toList();
      }
      for (Path each : made) {
        Files.delete(each);
      }
      List<Executable> calls =
          List.of(
              () -> JavaCollectives.of(context).broadcast(new Large(), null),
              () -> JavaCollectives.of(context).broadcast(new Large(), "two-tree"));
      for (Executable call : calls) {
        CollectiveException e = assertThrows(CollectiveException.class, call);
        assertTrue(
            e.getMessage().startsWith("the value of broadcast cannot be stored at the driver: "),
            e.getMessage());
        assertInstanceOf(IOException.class, e.getCause());
      }
    }
  }

  @Test
  void tasksShareWhatOneOfThemHasRead() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
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
