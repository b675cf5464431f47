package org.sparkcollectives.spark.internal.body;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.spark.internal.rendezvous.SparkCodec;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.spark.internal.result.ExecutorBroadcast;
import org.sparkcollectives.spark.internal.result.StoredElements;

/**
 * A value of the driver that ranks receive within their job: a small one comes with the tasks, a
 * larger one goes to one rank, and from there by a broadcast to the others.
 *
 * @param bytes the value, serialized, if it is small; else null
 * @param block the number under which the driver has stored it; of no meaning if it is small
 * @param elements the value, if it is a primitive array that is not small and fits a buffer; else
 *     null
 * @param array whether the value is a primitive array, of any length
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SentValue(
    byte @Nullable [] bytes, long block, @Nullable StoredElements elements, boolean array)
    implements Serializable {

  /** What tasks carry at most: Spark sends it to every executor with their code. */
  private static final long MOST_WITH_TASKS = 64L << 10;

  /**
   * Prepares a value; for the driver.
   *
   * @param value the value
   * @return what tasks are given; to be {@link #release released} when they have ended
   */
  public static SentValue of(Object value) {
    byte[] few;
    try {
      few = isLarge(value) ? null : new SparkCodec().encode(value, MOST_WITH_TASKS);
    } catch (IOException e) {
      throw VectorErrors.notSerializable(value.getClass().getTypeName(), e);
    }
    return few == null
        ? stored(ExecutorBroadcast.reserve(), value)
        : new SentValue(few, 0, null, false);
  }

  /**
   * Stores a value, however small; for the driver.
   *
   * @param block the number under which it is stored, until that is removed
   * @param value the value
   * @return what tasks are given
   */
  public static SentValue stored(long block, Object value) {
    if (StoredElements.takes(value)) {
      return new SentValue(null, block, StoredElements.store(block, value), true);
    }
    BlockStore.putSerialized(block, value);
    return new SentValue(null, block, null, Vector.takes(value));
  }

  private static boolean isLarge(Object value) {
    if (!Vector.takes(value)) {
      return false; // as far as is known
    }
    FixedVector vector = Vector.of(value);
    return vector.byteCount() > MOST_WITH_TASKS;
  }

  /**
   * Whether the value comes with the tasks.
   *
   * @return true for a small one
   */
  public boolean withTasks() {
    return bytes != null;
  }

  /** The value that has come with the task. */
  Object decoded() {
    try {
      return new SparkCodec().decodeUnfiltered(ByteBuffer.wrap(requireNonNull(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The value, where it does not come with the tasks; all ranks call it.
   *
   * @param communicator the ranks
   * @param algorithm of the broadcast, or null for the cheapest
   * @return the value
   */
  Object receive(Communicator communicator, @Nullable String algorithm) {
    boolean root = communicator.rank() == 0;
    if (elements != null) {
      Object array = root ? elements.fetch() : elements.allocate();
      return communicator.by(algorithm).broadcast(array, 0);
    }
    if (array) {
      Object own = root ? BlockStore.require(block) : null;
      return communicator.by(algorithm).objects().<Object>broadcast(own, 0);
    }
    byte[] own = root ? BlockStore.requireSerialized(block) : null;
    byte[] serialized = communicator.by(algorithm).objects().broadcast(own, 0);
    try {
      return new SparkCodec().decode(BlockStore.serialized(block, serialized));
    } catch (IOException e) {
      throw VectorErrors.notReadable("a broadcast object", e);
    }
  }

  /** Forgets what the driver has stored. */
  public void release() {
    if (bytes == null) {
      BlockStore.remove(block, true, false);
    }
  }
}
