package org.sparkcollectives.spark.internal.result;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.io.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.internal.rendezvous.SparkCodec;

/** Values in a block manager whose codec knows which of its streams are open. */
@Timeout(60)
class BlockStoreIT {
  private static final Set<InputStream> OPEN = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger OPENED = new AtomicInteger();

  /** Leaves bytes as they are. */
  public static final class Codec implements CompressionCodec {
    /**
     * Spark's constructor.
     *
     * @param unused its configuration
     */
    public Codec(SparkConf unused) {}

    @Override
    public OutputStream compressedOutputStream(OutputStream out) {
      return out;
    }

    @Override
    public InputStream compressedInputStream(InputStream in) {
      InputStream made =
          new FilterInputStream(in) {
            @Override
            public void close() throws IOException {
              OPEN.remove(this);
              super.close();
            }
          };
      OPEN.add(made);
      OPENED.incrementAndGet();
      return made;
    }
  }

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[1]")
        .setAppName("blocks")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
  }

  @Test
  @SuppressWarnings("try") // the application is there for the block manager
  void aValueOfBytesLeavesNoStreamOpen() throws IOException {
    SparkConf conf = conf().set("spark.io.compression.codec", Codec.class.getName());
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      long id = ExecutorBroadcast.reserve();
      BlockStore.putSerialized(id, List.of("value"));
      InputStream serialized = BlockStore.serialized(id, BlockStore.requireSerialized(id));
      Object value = new SparkCodec().decode(serialized);
      assertEquals(List.of("value"), value);
      assertEquals(1, OPENED.get());
      assertEquals(Set.of(), OPEN);
      BlockStore.remove(id, true, true);
    }
  }

  /** A value that is read in vain once. */
  private static final class Unready implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    private static final AtomicInteger READ = new AtomicInteger();

    @Serial
    private void readObject(ObjectInputStream in) {
      if (READ.getAndIncrement() == 0) {
        throw new IllegalStateException("not yet");
      }
    }
  }

  /** Whoever removes a value waits for who reads it. */
  @Test
  @SuppressWarnings("try") // the application is there for the block manager
  void aValueThatCannotBeReadOnceIsReadAndRemovedLater() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      long id = ExecutorBroadcast.reserve();
      BlockStore.putSerialized(id, new Unready());
      assertThrows(IllegalStateException.class, () -> BlockStore.require(id));
      assertEquals(Unready.class, BlockStore.require(id).getClass());
      BlockStore.remove(id, true, true);
      assertFalse(BlockStore.holds(id));
    }
  }

  @Test
  @SuppressWarnings("try") // the application is there for its serializer
  void anInterruptionSaysNothingOfTheValue() {
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      Object notSerializable = new Object();
      Exception full = new IllegalStateException("no room");
      assertThrows(
          InvalidInputException.class, () -> BlockStore.requireSerializable(notSerializable, full));
      for (Exception interruption :
          List.of(new InterruptedException(), new ClosedByInterruptException())) {
        assertDoesNotThrow(() -> BlockStore.requireSerializable(notSerializable, interruption));
      }
    }
  }
}
