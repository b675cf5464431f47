package org.sparkcollectives.internal.transport;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.sparkcollectives.internal.observe.OperationTotals;

/** The running numbers of a process's links, kept over restarts of its endpoint. Thread-safe. */
public final class TransportCounters {
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong closeFailures = new AtomicLong();
  private final AtomicLong answersLost = new AtomicLong();
  private final AtomicLong dialed = new AtomicLong();
  private final AtomicLong reused = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private final AtomicLong notShared = new AtomicLong();
  private final OperationTotals operations = new OperationTotals();
  private final Map<Rejection, AtomicLong> rejected = new EnumMap<>(Rejection.class);

  /** Makes counters that are zero. */
  public TransportCounters() {
    for (Rejection reason : Rejection.values()) {
      rejected.put(reason, new AtomicLong());
    }
  }

  /** Counts a socket that has been opened. */
  public void opened() {
    open.incrementAndGet();
  }

  /** Counts a socket that is open no more. */
  public void closed() {
    open.decrementAndGet();
  }

  /** Counts a socket whose closing failed. */
  public void closeFailed() {
    closeFailures.incrementAndGet();
  }

  /** Counts a refusal that the caller did not take. */
  public void answerLost() {
    answersLost.incrementAndGet();
  }

  /** Counts a connection that has been made. */
  public void dialed() {
    dialed.incrementAndGet();
  }

  /** Counts a lease that a pooled connection serves. */
  public void reused() {
    reused.incrementAndGet();
  }

  /** Counts a connection whose bytes go through memory. */
  public void shared() {
    shared.incrementAndGet();
  }

  /** Counts a connection for which memory was offered and not to be had. */
  public void notShared() {
    notShared.incrementAndGet();
  }

  /**
   * What the operations over all links have come to.
   *
   * @return the totals of the process
   */
  public OperationTotals operations() {
    return operations;
  }

  /**
   * Counts an inbound connection that has been cut off.
   *
   * @param reason why
   */
  public void rejected(Rejection reason) {
    Objects.requireNonNull(rejected.get(reason)).incrementAndGet();
  }

  /**
   * How many inbound connections have been cut off for each reason for which any has.
   *
   * @return the numbers
   */
  public Map<Rejection, Long> rejectedByReason() {
    Map<Rejection, Long> counts = new EnumMap<>(Rejection.class);
    rejected.forEach(
        (reason, count) -> {
          if (count.get() > 0) {
            counts.put(reason, count.get());
          }
        });
    return counts;
  }

  /**
   * The numbers of this moment, beside what an endpoint holds.
   *
   * @param held what it holds
   * @return both
   */
  public EndpointStatistics with(EndpointStatistics.Held held) {
    Map<Rejection, Long> counts = new EnumMap<>(Rejection.class);
    rejected.forEach((reason, count) -> counts.put(reason, count.get()));
    return new EndpointStatistics(
        open.get(),
        held.idleDialed(),
        held.idleAccepted(),
        held.pending(),
        held.parkedLeases(),
        held.transports(),
        held.threads(),
        dialed.get(),
        reused.get(),
        shared.get(),
        notShared.get(),
        closeFailures.get(),
        answersLost.get(),
        counts);
  }
}
