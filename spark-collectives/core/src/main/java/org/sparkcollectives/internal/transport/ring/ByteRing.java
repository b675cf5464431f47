package org.sparkcollectives.internal.transport.ring;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of bytes between one writing and one reading thread, of one process or of two
 * that have mapped the same memory. The cursors count all bytes ever read and written; each is
 * stored by one side only, with release semantics, and lies on a cache line of its own.
 *
 * <p>A side that is about to sleep says so, and looks once more before it does; the other side asks
 * after each change. One of the two sees the other, since a full fence lies between on both sides.
 */
public final class ByteRing {
  /** The bytes that the cursors take. */
  public static final int CURSOR_BYTES = 512;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  // On cache lines of their own, and no two of them on a pair that processors fetch together.
  private static final int READ = 0;
  private static final int WRITTEN = 128;
  private static final int READER_SLEEPS = 256;
  private static final int WRITER_SLEEPS = 384;

  /** The largest part copied before the other side may see it, as a share of the capacity. */
  private static final int STRIDES = 4;

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final ByteBuffer cursors;
  private final int capacity;
  private final int stride;
  private @Nullable ByteBuffer bytes;

  /** The bytes as the writing thread sees them. */
  private @Nullable ByteBuffer writing;

  /** The bytes as the reading thread sees them. */
  private @Nullable ByteBuffer reading;

  /**
   * Makes an empty ring of this process; its bytes are allocated at the first write.
   *
   * @param capacity bytes it holds, a power of two
   */
  ByteRing(int capacity) {
    this(ByteBuffer.allocateDirect(CURSOR_BYTES + Long.BYTES).alignedSlice(Long.BYTES), capacity);
  }

  /**
   * Takes memory over that is zero, or that another process has written as a ring.
   *
   * @param cursors {@link #CURSOR_BYTES}, beginning at a multiple of 8
   * @param bytes as many as the ring holds, a power of two
   */
  public ByteRing(ByteBuffer cursors, ByteBuffer bytes) {
    this(cursors, bytes.capacity());
    this.bytes = bytes;
  }

  private ByteRing(ByteBuffer cursors, int capacity) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("a ring holds a power of two of bytes, not " + capacity);
    }
    this.cursors = cursors;
    this.capacity = capacity;
    this.stride = Math.max(1, capacity / STRIDES);
  }

  /**
   * The next free bytes that lie side by side, a share of the capacity at most; for the writing
   * thread.
   *
   * @return position to limit, empty when the ring is full; valid until the next call
   * @throws IOException if the cursors cannot be right
   */
  public ByteBuffer room() throws IOException {
    ByteBuffer view = writing;
    if (view == null) {
      ByteBuffer ring = bytes == null ? ByteBuffer.allocateDirect(capacity) : bytes;
      bytes = ring;
      view = ring.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      writing = view;
    }
    long written = (long) LONG.get(cursors, WRITTEN);
    int held = between((long) LONG.getAcquire(cursors, READ), written);
    return part(view, written, capacity - held);
  }

  /**
   * Lets the reading thread see bytes; for the writing thread.
   *
   * @param count how many, from the position on that {@link #room()} had
   */
  public void wrote(int count) {
    LONG.setRelease(cursors, WRITTEN, (long) LONG.get(cursors, WRITTEN) + count);
  }

  /**
   * The next bytes to read that lie side by side, a share of the capacity at most; for the reading
   * thread.
   *
   * @return position to limit, empty when the ring is; valid until the next call
   * @throws IOException if the cursors cannot be right
   */
  public ByteBuffer held() throws IOException {
    long read = (long) LONG.get(cursors, READ);
    int held = between(read, (long) LONG.getAcquire(cursors, WRITTEN));
    ByteBuffer view = reading;
    if (view == null) {
      ByteBuffer ring = bytes;
      if (held == 0 || ring == null) {
        return NOTHING;
      }
      view = ring.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      reading = view;
    }
    return part(view, read, held);
  }

  /**
   * Gives bytes back to the writing thread; for the reading thread.
   *
   * @param count how many, from the position on that {@link #held()} had
   */
  public void consumed(int count) {
    LONG.setRelease(cursors, READ, (long) LONG.get(cursors, READ) + count);
  }

  /** The bytes in the ring; another process may have written any cursors. */
  private int between(long read, long written) throws IOException {
    long held = written - read;
    if (held < 0 || held > capacity) {
      throw new IOException(
          "the cursors of shared memory cannot be right: " + held + " bytes in " + capacity);
    }
    return (int) held;
  }

  private ByteBuffer part(ByteBuffer view, long cursor, int most) {
    int at = (int) cursor & (capacity - 1);
    return view.limit(at + Math.min(Math.min(most, stride), capacity - at)).position(at);
  }

  /**
   * Takes bytes, as many as there is room for; for the writing thread.
   *
   * @param source the bytes
   * @return the number of bytes taken
   * @throws IOException if the cursors cannot be right
   */
  public int write(ByteBuffer source) throws IOException {
    int total = 0;
    while (source.hasRemaining()) {
      ByteBuffer room = room();
      int count = Math.min(room.remaining(), source.remaining());
      if (count == 0) {
        break;
      }
      room.put(room.position(), source, source.position(), count);
      source.position(source.position() + count);
      wrote(count);
      total += count;
    }
    return total;
  }

  /**
   * Delivers bytes, as many as there are and fit; for the reading thread.
   *
   * @param target where to
   * @return the number of bytes delivered
   * @throws IOException if the cursors cannot be right
   */
  public int read(ByteBuffer target) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      ByteBuffer held = held();
      int count = Math.min(held.remaining(), target.remaining());
      if (count == 0) {
        break;
      }
      target.put(target.position(), held, held.position(), count);
      target.position(target.position() + count);
      consumed(count);
      total += count;
    }
    return total;
  }

  /** Empties the ring, which no other thread may use meanwhile. */
  void clear() {
    LONG.setRelease(cursors, READ, 0L);
    LONG.setRelease(cursors, WRITTEN, 0L);
    readerAwake();
    writerAwake();
  }

  /**
   * Whether there is nothing to read.
   *
   * @return true when empty
   */
  public boolean isEmpty() {
    return (long) LONG.getAcquire(cursors, WRITTEN) == (long) LONG.getAcquire(cursors, READ);
  }

  /**
   * Whether there is no room.
   *
   * @return true when full
   */
  public boolean isFull() {
    long read = (long) LONG.getAcquire(cursors, READ);
    return (long) LONG.getAcquire(cursors, WRITTEN) - read >= capacity;
  }

  /**
   * Says that the reading thread is about to sleep, unless there is something to read.
   *
   * @return whether it may sleep
   */
  public boolean readerSleeps() {
    INT.setOpaque(cursors, READER_SLEEPS, 1);
    VarHandle.fullFence();
    return isEmpty();
  }

  /**
   * Says that the writing thread is about to sleep, unless there is room.
   *
   * @return whether it may sleep
   */
  public boolean writerSleeps() {
    INT.setOpaque(cursors, WRITER_SLEEPS, 1);
    VarHandle.fullFence();
    return isFull();
  }

  /** Says that the reading thread is awake. */
  public void readerAwake() {
    INT.setOpaque(cursors, READER_SLEEPS, 0);
  }

  /** Says that the writing thread is awake. */
  public void writerAwake() {
    INT.setOpaque(cursors, WRITER_SLEEPS, 0);
  }

  /**
   * Whether the reading thread must be woken, after a write; true once for each sleep.
   *
   * @return true when it sleeps
   */
  public boolean wakesReader() {
    VarHandle.fullFence();
    return (int) INT.getOpaque(cursors, READER_SLEEPS) != 0
        && INT.compareAndSet(cursors, READER_SLEEPS, 1, 0);
  }

  /**
   * Whether the writing thread must be woken, after a read; true once for each sleep.
   *
   * @return true when it sleeps
   */
  public boolean wakesWriter() {
    VarHandle.fullFence();
    return (int) INT.getOpaque(cursors, WRITER_SLEEPS) != 0
        && INT.compareAndSet(cursors, WRITER_SLEEPS, 1, 0);
  }
}
