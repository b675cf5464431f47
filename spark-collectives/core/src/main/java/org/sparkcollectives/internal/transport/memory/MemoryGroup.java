package org.sparkcollectives.internal.transport.memory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * The ranks of one communicator that live in one process, and the rings between them. Ranks come
 * and leave in any sequence; a link to a rank that has not come yet takes bytes, one to a rank that
 * has left delivers what it sent and then the end of the stream.
 */
public final class MemoryGroup {
  /** The bytes that a ring holds where nothing else is said: 256 KiB. */
  public static final int DEFAULT_RING_BYTES = 1 << 18;

  private final RingPool pool;
  private final IntFunction<String> names;
  private final Map<Integer, Seat> seats = new ConcurrentHashMap<>();
  private final Map<Long, ByteRing> rings = new ConcurrentHashMap<>();

  /**
   * Makes a group without ranks.
   *
   * @param pool where its rings come from
   * @param names names ranks for messages
   */
  public MemoryGroup(RingPool pool, IntFunction<String> names) {
    this.pool = pool;
    this.names = names;
  }

  /**
   * A rank comes.
   *
   * @param rank the rank
   * @param waiter how it waits
   * @throws IllegalStateException if the rank has come before
   */
  public void join(int rank, Waiter waiter) {
    Seat seat = seat(rank);
    synchronized (seat) {
      if (seat.isOccupied() || seat.isGone()) {
        throw new IllegalStateException("rank " + rank + " joins twice");
      }
      seat.occupy(waiter);
    }
  }

  /**
   * A rank's end of its link to another.
   *
   * @param rank the rank
   * @param peer the other rank, which may still have to come
   * @return the link, a new one with each call
   */
  public MemoryLink link(int rank, int peer) {
    return new MemoryLink(
        peer, names.apply(peer), seat(rank), seat(peer), ring(peer, rank), ring(rank, peer));
  }

  /**
   * A rank leaves, and can neither read nor write from now on. Any thread may say so. Idempotent.
   *
   * @param rank the rank
   */
  public void leave(int rank) {
    seat(rank).leave();
    seats.values().forEach(Seat::signal);
  }

  /** Gives the rings back, after all ranks have left in good order: no thread uses them then. */
  public void giveBack() {
    pool.put(rings.values());
    rings.clear();
  }

  private Seat seat(int rank) {
    return seats.computeIfAbsent(rank, r -> new Seat());
  }

  private ByteRing ring(int from, int to) {
    return rings.computeIfAbsent((long) from << Integer.SIZE | to, k -> pool.take());
  }
}
