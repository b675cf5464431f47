package org.sparkcollectives.internal.transport.ring;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.sparkcollectives.internal.transport.LinkProvider;

/**
 * The ranks of one communicator that live in one process, and the rings between them. Ranks come
 * and leave in any sequence; a link to a rank that has not come yet takes bytes, one to a rank that
 * has left delivers what it sent and then the end of the stream.
 */
final class MemoryGroup {
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
  MemoryGroup(RingPool pool, IntFunction<String> names) {
    this.pool = pool;
    this.names = names;
  }

  /**
   * A rank comes.
   *
   * @param rank the rank
   * @param occupant how to wake it
   * @throws IllegalStateException if the rank has come before
   */
  void join(int rank, LinkProvider.Rank occupant) {
    Seat seat = seat(rank);
    synchronized (seat) {
      if (seat.isOccupied() || seat.isGone()) {
        throw new IllegalStateException("rank " + rank + " joins twice");
      }
      seat.occupy(occupant);
    }
  }

  /**
   * A rank's end of its link to another.
   *
   * @param rank the rank
   * @param peer the other rank, which may still have to come
   * @return the link, a new one with each call
   */
  RingLink link(int rank, int peer) {
    Seat mine = seat(rank);
    Seat theirs = seat(peer);
    theirs.linkedFrom(mine);
    return new RingLink(peer, names.apply(peer), mine, theirs, ring(peer, rank), ring(rank, peer));
  }

  /**
   * A rank leaves, and can neither read nor write from now on; ranks with a link to it are woken.
   * Any thread may say so. Idempotent.
   *
   * @param rank the rank
   */
  void leave(int rank) {
    seat(rank).leave();
  }

  /** Gives the rings back, after all ranks have left in good order: no thread uses them then. */
  void giveBack() {
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
