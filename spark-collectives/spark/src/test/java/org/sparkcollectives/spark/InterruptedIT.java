package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.vector.ReduceOp;

/** Callers that are interrupted before there is a job. */
@Timeout(60)
class InterruptedIT {
  /** By which Spark tells the threads of streaming queries. */
  private static final String QUERY = "sql.streaming.queryId";

  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    context =
        new JavaSparkContext(
            new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("interrupted")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.broadcast.blockSize", "1k"));
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  @AfterEach
  void theApplicationGoesOn() {
    assertEquals(3, JavaCollectives.of(context.parallelize(List.of(1, 2), 2)).reduce(ReduceOp.SUM));
  }

  /** Interrupts the thread that serializes it, before many blocks of it are stored. */
  private static final class Interrupting implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final byte[] bytes = new byte[64 << 10];

    Interrupting() {
      new SplittableRandom(1).nextBytes(bytes);
    }

    @Serial
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      Thread.currentThread().interrupt();
    }
  }

  private static JavaRDD<Integer> cached() {
    JavaRDD<Integer> cached = context.parallelize(List.of(1, 2), 2).cache();
    assertEquals(2, cached.count());
    return cached;
  }

  private static void assertInterrupted(Executable call) {
    AbortedException e = assertThrows(AbortedException.class, call);
    assertInstanceOf(InterruptedException.class, e.getCause());
    assertTrue(Thread.interrupted(), "the flag is lost");
  }

  @Test
  void aThreadThatIsInterruptedAlready() {
    JavaRDD<Integer> cached = cached();
    List<Executable> calls =
        List.of(
            () -> JavaCollectives.of(cached).twoTreeReduce(ReduceOp.SUM),
            () -> JavaCollectives.of(context).broadcast("value", "two-tree"),
            () -> JavaCollectives.of(context).scatter(new long[1_000], 2));
    for (Executable call : calls) {
      Thread.currentThread().interrupt();
      assertInterrupted(call);
    }
  }

  @Test
  void aThreadThatIsInterruptedWhileAValueIsStored() {
    assertInterrupted(() -> JavaCollectives.of(context).twoTreeBroadcast(new Interrupting()));
    assertInterrupted(() -> JavaCollectives.of(context).broadcast(new Interrupting(), "two-tree"));
  }

  @Test
  void aStreamingQueryGetsWhatSparkThrows() {
    JavaRDD<Integer> cached = cached();
    context.setLocalProperty(QUERY, "query");
    List<Executable> calls =
        List.of(
            () -> {
              Thread.currentThread().interrupt();
              Integer unused = JavaCollectives.of(cached).twoTreeReduce(ReduceOp.SUM);
            },
            () -> JavaCollectives.of(context).twoTreeBroadcast(new Interrupting()),
            () -> JavaCollectives.of(context).broadcast(new Interrupting(), "two-tree"));
    for (Executable call : calls) {
      assertThrows(InterruptedException.class, call);
      assertFalse(Thread.interrupted(), "the flag remains");
    }
  }

  @Test
  void aThreadThatIsInterruptedUnpersistsWhatNobodyHolds() {
    Broadcast<String> sent = JavaCollectives.of(context).broadcast("value", "two-tree");
    BlockStore.remove(sent.id(), true, true);
    Thread.currentThread().interrupt();
    sent.unpersist();
    assertTrue(Thread.interrupted(), "the flag is lost");
  }
}
