package org.sparkcollectives.internal.engine;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.cache.BoundedMap;

/**
 * Whether ranks that wait long, or leave, called the same operations. Each says what it called, and
 * is compared with the first that told of the same operation. Thread-safe.
 */
public final class Agreement {
  private static final int KEPT = 4096;

  private final Map<Place, Called> first = BoundedMap.ofLatest(KEPT);

  private record Place(long communicator, long number) {}

  private record Called(int fingerprint, String rank, String what) {}

  /**
   * Takes what a rank says.
   *
   * @param communicator the communicator's identity, the same on all its ranks and no other's
   * @param number which of the communicator's operations it is
   * @param fingerprint equal, most likely, only for ranks that called the same
   * @param rank the rank, for messages
   * @param what what it called, for messages
   * @return null, or how the rank differs from another
   */
  public synchronized @Nullable InvalidInputException add(
      long communicator, long number, int fingerprint, String rank, String what) {
    Called now = new Called(fingerprint, rank, what);
    Called before = first.putIfAbsent(new Place(communicator, number), now);
    if (before == null || before.fingerprint() == fingerprint) {
      return null;
    }
    String other = what.equals(before.what()) ? "the same with parts of other lengths" : what;
    return EngineErrors.differentOperation(before.rank(), before.what(), rank, other, null);
  }
}
