package org.sparkcollectives.internal.transport.ring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.LinkProvider;

/**
 * A rank's place in a {@link MemoryGroup}: how to wake it, who has a link to it, and whether it has
 * left.
 */
final class Seat {
  private final Set<Seat> linked = ConcurrentHashMap.newKeySet();
  private volatile LinkProvider.@Nullable Rank rank;
  private volatile boolean gone;

  void occupy(LinkProvider.Rank occupant) {
    rank = occupant;
  }

  /** The rank of another seat gets a link to this one. */
  void linkedFrom(Seat other) {
    linked.add(other);
  }

  /** The rank leaves; those with a link to it are woken, and a link made later finds it gone. */
  void leave() {
    gone = true;
    rank = null;
    linked.forEach(Seat::signal);
  }

  boolean isOccupied() {
    return rank != null;
  }

  boolean isGone() {
    return gone;
  }

  void signal() {
    LinkProvider.Rank occupant = rank;
    if (occupant != null) {
      occupant.signal();
    }
  }
}
