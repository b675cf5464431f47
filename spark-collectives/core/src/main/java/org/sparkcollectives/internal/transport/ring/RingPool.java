package org.sparkcollectives.internal.transport.ring;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * The rings of a process that no communicator uses, kept for the next one. Their memory lies
 * outside of the heap, where nothing but a collection frees it, and a process that makes one
 * communicator after another may collect seldom. Thread-safe.
 */
final class RingPool {
  /** How many are kept at most; further ones are left to the collector. */
  static final int KEPT = 128;

  private final int ringBytes;
  private final Deque<ByteRing> unused = new ArrayDeque<>();

  /**
   * Makes an empty pool.
   *
   * @param ringBytes bytes that a ring holds, a power of two
   */
  RingPool(int ringBytes) {
    this.ringBytes = ringBytes;
  }

  /** An empty ring. */
  synchronized ByteRing take() {
    ByteRing ring = unused.pollLast();
    return ring == null ? new ByteRing(ringBytes) : ring;
  }

  /** Keeps rings that no thread uses any more. */
  synchronized void put(Collection<ByteRing> rings) {
    for (ByteRing ring : rings) {
      if (unused.size() < KEPT) {
        ring.clear();
        unused.addLast(ring);
      }
    }
  }

  /** How many rings it holds. */
  synchronized int size() {
    return unused.size();
  }
}
