package org.sparkcollectives.internal.transport.tcp;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The running numbers of an endpoint, kept over its restarts. */
final class Counters {
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong closeFailures = new AtomicLong();
  private final AtomicLong answersLost = new AtomicLong();
  private final AtomicLong dialed = new AtomicLong();
  private final AtomicLong reused = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private final AtomicLong notShared = new AtomicLong();
  private final Map<Rejection, AtomicInteger> rejected = new EnumMap<>(Rejection.class);

  Counters() {
    for (Rejection reason : Rejection.values()) {
      rejected.put(reason, new AtomicInteger());
    }
  }

  void opened() {
    open.incrementAndGet();
  }

  void closed() {
    open.decrementAndGet();
  }

  void closeFailed() {
    closeFailures.incrementAndGet();
  }

  void answerLost() {
    answersLost.incrementAndGet();
  }

  void dialed() {
    dialed.incrementAndGet();
  }

  void reused() {
    reused.incrementAndGet();
  }

  void shared() {
    shared.incrementAndGet();
  }

  void notShared() {
    notShared.incrementAndGet();
  }

  void rejected(Rejection reason) {
    Objects.requireNonNull(rejected.get(reason)).incrementAndGet();
  }

  int open() {
    return open.get();
  }

  long dialedCount() {
    return dialed.get();
  }

  long reusedCount() {
    return reused.get();
  }

  long sharedCount() {
    return shared.get();
  }

  long notSharedCount() {
    return notShared.get();
  }

  long answersLostCount() {
    return answersLost.get();
  }

  long closeFailures() {
    return closeFailures.get();
  }

  Map<Rejection, Integer> rejected() {
    Map<Rejection, Integer> counts = new EnumMap<>(Rejection.class);
    rejected.forEach((reason, count) -> counts.put(reason, count.get()));
    return counts;
  }
}
