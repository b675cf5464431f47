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
  /** The identity of the communicator that the others were split from. */
  public static final long OF_ALL = 0;

  private static final int KEPT = 4096;

  private final Map<Place, Called> first = BoundedMap.ofLatest(KEPT);

  /** Of each communicator the rank that has called least and calls nothing more. */
  private final Map<Long, Ended> ended = BoundedMap.ofLatest(KEPT);

  /** Of each communicator the latest operation that was told of. */
  private final Map<Long, Latest> latest = BoundedMap.ofLatest(KEPT);

  private record Place(long communicator, long number) {

    /** By hand, as {@link #hashCode}: a rank may wait long in its first operation. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Place that
          && communicator == that.communicator
          && number == that.number;
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(communicator) + Long.hashCode(number);
    }
  }

  private record Called(int fingerprint, String rank, String what) {}

  private record Ended(long operations, String rank) {}

  private record Latest(long number, String rank, String what) {}

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
    if (before != null && before.fingerprint() != fingerprint) {
      String other = what.equals(before.what()) ? "the same with parts of other lengths" : what;
      return EngineErrors.differentOperation(before.rank(), before.what(), rank, other, null);
    }
    latest.merge(
        communicator,
        new Latest(number, rank, what),
        (old, told) -> told.number() > old.number() ? told : old);
    return endedBefore(communicator);
  }

  /**
   * Takes that a rank calls nothing more.
   *
   * @param communicator the communicator's identity
   * @param operations how many of its operations the rank has called
   * @param rank the rank, for messages
   * @return null, or that another rank has called more
   */
  public synchronized @Nullable InvalidInputException end(
      long communicator, long operations, String rank) {
    ended.merge(
        communicator,
        new Ended(operations, rank),
        (old, told) -> told.operations() < old.operations() ? told : old);
    return endedBefore(communicator);
  }

  private @Nullable InvalidInputException endedBefore(long communicator) {
    Ended end = ended.get(communicator);
    Latest other = latest.get(communicator);
    if (end == null || other == null || other.number() <= end.operations()) {
      return null;
    }
    return EngineErrors.endedBefore(
        end.rank(), end.operations(), other.rank(), other.number(), other.what());
  }
}
