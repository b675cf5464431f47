package org.sparkcollectives.spark.internal.result;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.storage.BlockData;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.input.BlockPlaces;
import org.sparkcollectives.spark.internal.input.Calls;
import org.sparkcollectives.spark.internal.rendezvous.DriverEndpoint;
import scala.Option;
import scala.reflect.ClassTag;

/**
 * Values in Spark's block manager under a broadcast's number: one of that name, or any number of
 * parts, which go together by one message. A value that an executor stores is known to the driver,
 * so every process of the application can fetch it from there.
 */
public final class BlockStore {
  /** Sent with each replica, by Spark's serializer. */
  private static final ClassTag<Object> ANY = Scala.anyObject();

  private static final int LOCKS = 64;

  /** How the names of parts begin, as those of Spark's own broadcasts do with "piece". */
  private static final String PART = "part";

  /** What one buffer holds, rounded down. */
  private static final long MOST_BYTES = 1L << 30;

  /** What stands before an array's elements: their type, in a long so that they are aligned. */
  private static final int HEADER_BYTES = Long.BYTES;

  /** The number for whose values the driver was last asked which executors there are. */
  private static final AtomicLong ASKED_FOR = new AtomicLong(-1);

  private static final Object[] FETCHING = new Object[LOCKS];

  static {
    for (int i = 0; i < LOCKS; i++) {
      FETCHING[i] = new Object();
    }
  }

  private BlockStore() {}

  /**
   * Stores a value in this process.
   *
   * @param id its number
   * @param value the value
   * @param replicas how many processes are to hold it, as far as there are so many executors
   */
  public static void put(long id, Object value, int replicas) {
    put(block(id), value, replicas);
  }

  /**
   * Stores one of several values that have a number together.
   *
   * @param id the number
   * @param index which of them, from 0
   * @param value the value
   * @param replicas as for {@link #put}
   */
  public static void putPart(long id, int index, Object value, int replicas) {
    put(part(id, index), value, replicas);
  }

  private static void put(BroadcastBlockId block, Object value, int replicas) {
    int peers = replicas == 1 ? 0 : peers(block, replicas - 1);
    put(block, value, StorageLevel.apply(true, true, false, true, Math.min(replicas, 1 + peers)));
  }

  /**
   * How many other executors there are. Spark keeps for a minute what the driver has said; where
   * that is too few, the driver is asked again, once for all values of a number.
   */
  private static int peers(BroadcastBlockId block, int wanted) {
    BlockManager manager = manager(block);
    int known = manager.getPeers(false).size();
    if (known >= wanted) {
      return known;
    }
    synchronized (ASKED_FOR) {
      boolean again = ASKED_FOR.getAndSet(block.broadcastId()) != block.broadcastId();
      return manager.getPeers(again).size();
    }
  }

  /**
   * Stores a value in this process as bytes, which is how another process fetches it.
   *
   * @param id its number
   * @param value the value
   * @throws org.sparkcollectives.error.InvalidInputException if it cannot be serialized
   */
  public static void putSerialized(long id, Object value) {
    try {
      put(block(id), value, StorageLevel.MEMORY_AND_DISK_SER());
    } catch (Exception e) { // Scala's methods do not declare checked ones
      requireSerializable(value, e);
      throw e;
    }
  }

  /**
   * Finds out whether a value could not be stored because the serializer does not take it, and not
   * for want of room or because its thread was interrupted.
   *
   * @param value the value
   * @param thrown what came of storing it
   * @throws org.sparkcollectives.error.InvalidInputException if it cannot be serialized
   */
  public static void requireSerializable(Object value, Exception thrown) {
    SparkEnv env = SparkEnv.get();
    if (thrown instanceof CollectiveException || Calls.isInterruption(thrown) || env == null) {
      return;
    }
    OutputStream nowhere = OutputStream.nullOutputStream();
    try (SerializationStream out = env.serializer().newInstance().serializeStream(nowhere)) {
      SerializationStream unused = out.writeObject(value, ANY);
    } catch (Exception e) { // as above
      throw VectorErrors.notSerializable(value.getClass().getTypeName(), e);
    }
  }

  private static void put(BroadcastBlockId block, Object value, StorageLevel level) {
    if (!manager(block).putSingle(block, value, level, true, ANY)) {
      throw ResultErrors.valueNotStored(name(block));
    }
  }

  /**
   * Stores a primitive array as bytes in this process, so that nobody has to deserialize it.
   *
   * @param id its number
   * @param vector the array's elements; {@link #takesArray} says whether they may be so many
   */
  public static void putArray(long id, FixedVector vector) {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER_BYTES + vector.length() * vector.type().bytes())
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(vector.type().code());
    vector.encode(0, vector.length(), bytes);
    StorageLevel level = StorageLevel.apply(true, true, false, false, 1);
    BroadcastBlockId block = elements(id);
    if (!manager(block).putBytes(block, new ChunkedByteBuffer(bytes.flip()), level, true, ANY)) {
      throw ResultErrors.valueNotStored(name(block));
    }
  }

  /**
   * Reads an array that a process has stored as bytes.
   *
   * @param id its number
   * @return a new array
   * @throws org.sparkcollectives.error.CollectiveException if no process holds it
   */
  public static Object requireArray(long id) {
    Object array = bytes(elements(id), BlockStore::array);
    if (array == null) {
      throw ResultErrors.valueLost(name(block(id)));
    }
    return array;
  }

  /**
   * Reads what a rank has left for the driver: an array stored as bytes, or a value.
   *
   * @param id its number
   * @return the array or the value
   * @throws org.sparkcollectives.error.CollectiveException if no process holds it
   */
  public static Object requireLeft(long id) {
    Object array = bytes(elements(id), BlockStore::array);
    return array == null ? require(id) : array;
  }

  /**
   * Fetches what {@link #putSerialized} has stored, without making the value of it.
   *
   * @param id its number
   * @return what {@link #serialized} takes
   * @throws org.sparkcollectives.error.CollectiveException if no process holds it
   */
  public static byte[] requireSerialized(long id) {
    byte[] bytes =
        bytes(
            block(id),
            stored -> {
              byte[] copy = new byte[stored.remaining()];
              stored.get(copy);
              return copy;
            });
    if (bytes == null) {
      throw ResultErrors.valueLost(name(block(id)));
    }
    return bytes;
  }

  /**
   * A value as Spark's serializer wrote it, before it was compressed.
   *
   * @param id its number
   * @param bytes what {@link #requireSerialized} has fetched, in this process or another one
   * @return the value, serialized
   */
  public static InputStream serialized(long id, byte[] bytes) {
    return SparkEnv.get()
        .serializerManager()
        .wrapForCompression(block(id), new ByteArrayInputStream(bytes));
  }

  /** What a block's bytes stand for; null where no process holds it. */
  private static <R> @Nullable R bytes(BroadcastBlockId block, Function<ByteBuffer, R> read) {
    R local = localBytes(block, read);
    if (local != null) {
      return local;
    }
    Option<ChunkedByteBuffer> remote = manager(block).getRemoteBytes(block);
    if (remote.isEmpty()) {
      return null;
    }
    try {
      requireShort(block, remote.get().size());
      return read.apply(remote.get().toByteBuffer());
    } finally {
      remote.get().dispose();
    }
  }

  /** What a block's bytes stand for; null where this process does not hold it. */
  private static <R> @Nullable R localBytes(BroadcastBlockId block, Function<ByteBuffer, R> read) {
    Option<BlockData> local = manager(block).getLocalBytes(block);
    if (local.isEmpty()) {
      return null;
    }
    try {
      requireShort(block, local.get().size());
      return read.apply(local.get().toByteBuffer());
    } finally {
      manager(block).releaseLock(block, Option.empty());
    }
  }

  private static Object array(ByteBuffer stored) {
    ByteBuffer bytes = stored.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    ElementType type = ElementType.ofCode((int) bytes.getLong());
    FixedVector vector = type.allocate(bytes.remaining() / type.bytes());
    vector.decode(bytes, 0, vector.length());
    return vector.array();
  }

  private static void requireShort(BroadcastBlockId block, long bytes) {
    if (bytes > Integer.MAX_VALUE - HEADER_BYTES) {
      throw ResultErrors.valueTooLarge(name(block), bytes);
    }
  }

  /**
   * Whether a value may be stored by {@link #putArray}.
   *
   * @param value any value
   * @return true for a primitive array that is not too long for one buffer
   */
  public static boolean takesArray(Object value) {
    if (!Vector.takes(value)) {
      return false;
    }
    FixedVector vector = Vector.of(value);
    return vector.byteCount() <= MOST_BYTES;
  }

  /**
   * Whether this process holds a value.
   *
   * @param id its number
   * @return true where it need not be fetched
   */
  public static boolean holds(long id) {
    return manager(block(id)).getStatus(block(id)).isDefined();
  }

  /**
   * A value that must be there. One that is fetched from the driver, or from another process, is
   * not stored here too: the driver may remove it before that.
   *
   * @param id its number
   * @return the value
   * @throws org.sparkcollectives.error.CollectiveException if no process holds it any more
   */
  public static Object require(long id) {
    return require(block(id));
  }

  /**
   * One of several values that have a number together; as {@link #require(long)}. Hardly another
   * task wants it, and stored here too it would take the room of what is cached.
   */
  static Object requirePart(long id, int index) {
    return require(part(id, index));
  }

  private static Object require(BroadcastBlockId block) {
    Object value = local(block);
    if (value == null) {
      value = remote(block);
    }
    if (value == null) {
      throw ResultErrors.valueLost(name(block));
    }
    return value;
  }

  /** Where each of so many values of a number is, as Spark names places; for the driver. */
  static List<List<String>> places(long id, int parts) {
    BlockId[] blocks = new BlockId[parts];
    Arrays.setAll(blocks, index -> part(id, index));
    return BlockPlaces.of(manager(block(id)).master(), blocks);
  }

  /** A value from this process or, failing that, from another one; then it is here too. */
  static @Nullable Object get(long id) {
    BroadcastBlockId block = block(id);
    Object local = local(block);
    if (local != null) {
      return local;
    }
    synchronized (FETCHING[Math.floorMod(block.hashCode(), LOCKS)]) {
      Object meanwhile = local(block);
      if (meanwhile != null) {
        return meanwhile;
      }
      Object found = localBytes(elements(id), BlockStore::array); // as the driver that sent them
      if (found == null) {
        found = remote(block);
      }
      if (found == null) { // the driver may still hold its elements
        found = bytes(elements(id), BlockStore::array);
      }
      if (found != null) {
        put(block, found, 1);
      }
      return found;
    }
  }

  /**
   * Removes a value, or all that have a number together, from executors. For the driver.
   *
   * @param id its number
   * @param fromDriver whether it is removed there too
   * @param blocking whether to wait until it is gone
   */
  public static void remove(long id, boolean fromDriver, boolean blocking) {
    boolean interrupted = Thread.interrupted(); // a thread that is cannot ask executors
    try {
      manager(block(id)).master().removeBroadcast(id, fromDriver, blocking);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A value that this process holds; one whose bytes cannot be read is not locked after that. */
  private static @Nullable Object local(BroadcastBlockId block) {
    return read(
        () -> {
          Option<BlockResult> found = manager(block).getLocalValues(block);
          try {
            return first(found);
          } catch (Throwable e) { // user code that reads it, too
            unlock(block, e);
            throw e;
          }
        });
  }

  private static void unlock(BroadcastBlockId block, Throwable thrown) {
    try {
      manager(block).releaseLock(block, Option.empty());
    } catch (RuntimeException | Error e) { // it was read to its end
      CauseChain.suppress(thrown, e);
    }
  }

  private static @Nullable Object remote(BroadcastBlockId block) {
    return read(() -> first(manager(block).getRemoteValues(block, ANY)));
  }

  /**
   * Reads by the calling thread's class loader, and where that lacks a class by the application's:
   * a thread of the driver may be of a pool that the application has not made.
   */
  private static @Nullable Object read(Supplier<@Nullable Object> reads) {
    try {
      return reads.get();
    } catch (Exception e) { // Scala's methods do not declare checked ones
      ClassLoader application = DriverEndpoint.applicationLoader();
      if (application == null
          || TaskContext.get() != null
          || CauseChain.find(e, ClassNotFoundException.class::isInstance).isEmpty()) {
        throw e;
      }
      Thread thread = Thread.currentThread();
      ClassLoader own = thread.getContextClassLoader();
      thread.setContextClassLoader(application);
      try {
        return reads.get();
      } finally {
        thread.setContextClassLoader(own);
      }
    }
  }

  private static @Nullable Object first(Option<BlockResult> found) {
    return found.isEmpty() ? null : first(found.get().data());
  }

  /** The only element; reading on to the end gives a block's lock back, and closes a stream. */
  private static @Nullable Object first(scala.collection.Iterator<Object> data) {
    Object value = data.hasNext() ? data.next() : null;
    while (data.hasNext()) {
      data.next();
    }
    return value;
  }

  private static BroadcastBlockId block(long id) {
    return new BroadcastBlockId(id, "");
  }

  /** The block of an array that is stored as bytes, which goes with the value of that number. */
  private static BroadcastBlockId elements(long id) {
    return new BroadcastBlockId(id, "elements");
  }

  private static BroadcastBlockId part(long id, int index) {
    return new BroadcastBlockId(id, PART + index);
  }

  private static String name(BroadcastBlockId block) {
    String part = block.field().isEmpty() ? "" : " " + block.field();
    return "broadcast " + block.broadcastId() + part;
  }

  /** Where values of this process are; there is none between two applications. */
  private static BlockManager manager(BroadcastBlockId block) {
    SparkEnv env = SparkEnv.get();
    if (env == null) {
      throw ResultErrors.contextStopped(name(block));
    }
    return env.blockManager();
  }
}
