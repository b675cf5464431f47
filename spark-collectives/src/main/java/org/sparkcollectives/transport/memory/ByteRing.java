package org.sparkcollectives.transport.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of bytes between one writing and one reading thread. The cursors count all bytes
 * ever read and written; each is stored by one side only, with release semantics, and lies on a
 * cache line of its own. The bytes are allocated at the first write.
 */
final class ByteRing {
  private static final VarHandle CURSOR = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int READ = 16;
  private static final int WRITTEN = 32;
  private static final int CURSORS = 48;

  /** The largest part copied before the other side may see it, as a share of the capacity. */
  private static final int STRIDES = 4;

  private final long[] cursors = new long[CURSORS];
  private final int capacity;
  private final int stride;
  private byte @Nullable [] bytes;

  /**
   * Makes an empty ring.
   *
   * @param capacity bytes it holds, a power of two
   */
  ByteRing(int capacity) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("a ring holds a power of two of bytes, not " + capacity);
    }
    this.capacity = capacity;
    this.stride = Math.max(1, capacity / STRIDES);
  }

  /**
   * Takes bytes, as many as there is room for; for the writing thread.
   *
   * @param source the bytes
   * @return the number of bytes taken
   */
  int write(ByteBuffer source) {
    byte[] ring = bytes;
    if (ring == null) {
      ring = new byte[capacity];
      bytes = ring;
    }
    long written = cursors[WRITTEN];
    int total = 0;
    while (source.hasRemaining()) {
      int room = capacity - (int) (written - (long) CURSOR.getAcquire(cursors, READ));
      if (room == 0) {
        break;
      }
      int at = (int) written & (capacity - 1);
      int count = Math.min(Math.min(room, source.remaining()), Math.min(capacity - at, stride));
      source.get(ring, at, count);
      written += count;
      total += count;
      CURSOR.setRelease(cursors, WRITTEN, written);
    }
    return total;
  }

  /**
   * Delivers bytes, as many as there are and fit; for the reading thread.
   *
   * @param target where to
   * @return the number of bytes delivered
   */
  int read(ByteBuffer target) {
    long read = cursors[READ];
    int total = 0;
    while (target.hasRemaining()) {
      int held = (int) ((long) CURSOR.getAcquire(cursors, WRITTEN) - read);
      byte[] ring = bytes;
      if (held == 0 || ring == null) {
        break;
      }
      int at = (int) read & (capacity - 1);
      int count = Math.min(Math.min(held, target.remaining()), Math.min(capacity - at, stride));
      target.put(ring, at, count);
      read += count;
      total += count;
      CURSOR.setRelease(cursors, READ, read);
    }
    return total;
  }

  /**
   * Whether there is nothing to read.
   *
   * @return true when empty
   */
  boolean isEmpty() {
    return (long) CURSOR.getAcquire(cursors, WRITTEN) == (long) CURSOR.getAcquire(cursors, READ);
  }

  /**
   * Whether there is no room.
   *
   * @return true when full
   */
  boolean isFull() {
    long read = (long) CURSOR.getAcquire(cursors, READ);
    return (long) CURSOR.getAcquire(cursors, WRITTEN) - read >= capacity;
  }
}
