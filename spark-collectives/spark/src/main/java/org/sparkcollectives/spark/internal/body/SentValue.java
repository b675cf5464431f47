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

/**
 * A value of the driver that ranks receive within their job: a small one comes with the tasks, a
 * larger one goes to one rank, and from there by a broadcast to the others.
 *
 * @param bytes the value, serialized, if it is small; else null
 * @param block the number under which the driver has stored it; of no meaning if it is small
 * @param like an array of its class, without elements, if it is a primitive array; else null
 * @param length how many elements the array has
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SentValue(byte @Nullable [] bytes, long block, @Nullable Object like, int length)
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
    if (few != null) {
      return new SentValue(few, 0, null, 0);
    }
    long block = ExecutorBroadcast.reserve(1);
    BlockStore.put(block, value, 1);
    if (!Vector.isPrimitiveArray(value)) {
      return new SentValue(null, block, null, 0);
    }
    FixedVector vector = Vector.of(value);
    return new SentValue(null, block, ((FixedVector) vector.allocate(0)).array(), vector.length());
  }

  private static boolean isLarge(Object value) {
    if (!Vector.isPrimitiveArray(value)) {
      return false; // as far as is known
    }
    FixedVector vector = Vector.of(value);
    return (long) vector.length() * vector.type().bytes() > MOST_WITH_TASKS;
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
      return new SparkCodec().decode(ByteBuffer.wrap(requireNonNull(bytes)));
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
    Object own = communicator.rank() == 0 ? BlockStore.require(block) : null;
    if (like == null) {
      return communicator.by(algorithm).objects().<Object>broadcast(own, 0);
    }
    Object target =
        own == null
            ? ((FixedVector) Vector.of(requireNonNull(like)).allocate(length)).array()
            : own;
    return communicator.by(algorithm).broadcast(target, 0);
  }

  /** Forgets what the driver has stored. */
  public void release() {
    if (bytes == null) {
      BlockStore.remove(block, true, false);
    }
  }
}
