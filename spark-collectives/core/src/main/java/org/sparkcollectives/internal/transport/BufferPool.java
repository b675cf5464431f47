package org.sparkcollectives.internal.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The direct buffers of a process that no communicator uses, kept for the next one: they cost half
 * a millisecond to make, and lie outside of the heap, where nothing but a collection frees them.
 * All are of one size. Thread-safe.
 */
public final class BufferPool {
  /** How many are kept at most; further ones are left to the collector. */
  static final int KEPT = 64;

  private final Deque<ByteBuffer> unused = new ArrayDeque<>();

  /** Makes an empty pool. */
  public BufferPool() {}

  /**
   * A buffer that nobody else has; what is in it is left over.
   *
   * @param bytes its size, the same in all calls
   * @return a direct buffer, little-endian
   */
  public ByteBuffer take(int bytes) {
    ByteBuffer kept;
    synchronized (this) {
      kept = unused.pollLast();
    }
    return kept != null && kept.capacity() == bytes
        ? kept.clear()
        : ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Keeps a buffer.
   *
   * @param buffer from {@link #take}; no thread uses it or a part of it any more
   */
  public synchronized void put(ByteBuffer buffer) {
    if (unused.size() < KEPT) {
      unused.addLast(buffer);
    }
  }

  /**
   * How many buffers it holds.
   *
   * @return the number
   */
  public synchronized int size() {
    return unused.size();
  }
}
