package org.sparkcollectives.internal.transport.ring;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.LinkProvider;

/** A rank's place in a {@link MemoryGroup}: how to wake it, and whether it has left. */
final class Seat {
  private volatile LinkProvider.@Nullable Rank rank;
  private volatile boolean gone;

  void occupy(LinkProvider.Rank occupant) {
    rank = occupant;
  }

  void leave() {
    gone = true;
    rank = null;
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
