package org.sparkcollectives.internal.transport.memory;

import org.jspecify.annotations.Nullable;

/** A rank's place in a {@link MemoryGroup}: how to wake it, and whether it has left. */
final class Seat {
  private volatile @Nullable Waiter waiter;
  private volatile boolean gone;

  void occupy(Waiter occupant) {
    waiter = occupant;
  }

  void leave() {
    gone = true;
    waiter = null;
  }

  boolean isOccupied() {
    return waiter != null;
  }

  boolean isGone() {
    return gone;
  }

  void signal() {
    Waiter occupant = waiter;
    if (occupant != null) {
      occupant.signal();
    }
  }
}
