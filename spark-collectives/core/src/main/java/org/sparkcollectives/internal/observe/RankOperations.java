package org.sparkcollectives.internal.observe;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;

/**
 * What the operations of one rank have come to, in sum for each collective and algorithm. An
 * operation adds to counters and allocates nothing. For one thread at a time, unless said.
 */
public final class RankOperations {
  /** In place of a time while the rank is in an operation. */
  private static final long INSIDE = Long.MIN_VALUE;

  private final OperationTotals totals;
  private final Map<Collective, Map<String, Entry>> entries = new EnumMap<>(Collective.class);
  private final Counter.Cells cells;
  private final Counter.Cell sentBytes;
  private final Counter.Cell receivedBytes;
  private final Counter.Cell waitedNanos;

  /**
   * When the rank's last operation ended, or {@link #INSIDE}. Any thread reads it, soon enough: a
   * volatile write would hold up short operations.
   */
  private final AtomicLong left = new AtomicLong(System.nanoTime());

  /** The sums of one collective by one algorithm. */
  private static final class Entry {
    final OperationTotals.Total total;
    final Counter.Cell count;
    final Counter.Cell bytes;
    final Counter.Cell nanos;
    long largestNanos;
    long largestBytes = -1;
    int blocks;
    boolean ordered;

    Entry(OperationTotals.Total total, Counter.Cells cells) {
      this.total = total;
      this.count = cells.of(total.count);
      this.bytes = cells.of(total.bytes);
      this.nanos = cells.of(total.nanos);
    }
  }

  /**
   * Makes counters that are zero.
   *
   * @param totals where everything is added too
   */
  public RankOperations(OperationTotals totals) {
    this.totals = totals;
    this.cells = totals.cells(this);
    this.sentBytes = cells.of(totals.sent());
    this.receivedBytes = cells.of(totals.received());
    this.waitedNanos = cells.of(totals.waited());
  }

  /** Notes that an operation begins. */
  public void enter() {
    left.setRelease(INSIDE);
  }

  /**
   * Notes that the operation has ended, well or not.
   *
   * @param now what {@link System#nanoTime()} says
   */
  public void leave(long now) {
    left.setRelease(now == INSIDE ? now + 1 : now);
  }

  /**
   * How long the rank has been computing, from any thread.
   *
   * @return nanoseconds since its last operation, or -1 while it is in one
   */
  public long computingNanos() {
    long last = left.get();
    return last == INSIDE ? -1 : System.nanoTime() - last;
  }

  /**
   * Counts an operation that has ended well.
   *
   * @param problem what was done
   * @param algorithm the algorithm's slug
   * @param bytes the bytes of the vector
   * @param nanos how long it took
   */
  public void add(Problem problem, String algorithm, long bytes, long nanos) {
    Entry entry = entry(problem.collective(), algorithm);
    entry.count.add(1);
    entry.bytes.add(bytes);
    entry.nanos.add(nanos);
    if (bytes == entry.largestBytes) {
      entry.largestNanos = Math.max(entry.largestNanos, nanos);
    } else if (bytes > entry.largestBytes) {
      entry.largestNanos = nanos;
      entry.largestBytes = bytes;
      entry.blocks = problem.blocks();
      entry.ordered = problem.ordered();
    }
  }

  /**
   * Counts an operation that has failed, in the process's totals alone.
   *
   * @param problem what was to be done
   * @param algorithm the algorithm's slug
   */
  public void fail(Problem problem, String algorithm) {
    entry(problem.collective(), algorithm).total.fail();
  }

  /**
   * Counts what an operation has moved.
   *
   * @param sent payload bytes sent to other ranks
   * @param received payload bytes got from other ranks
   * @param waited nanoseconds in which the thread slept
   */
  public void traffic(long sent, long received, long waited) {
    sentBytes.add(sent);
    receivedBytes.add(received);
    waitedNanos.add(waited);
  }

  /**
   * The bytes sent to other ranks.
   *
   * @return the payload of all messages
   */
  public long sentBytes() {
    return sentBytes.get();
  }

  /**
   * The bytes got from other ranks.
   *
   * @return the payload of all messages
   */
  public long receivedBytes() {
    return receivedBytes.get();
  }

  /**
   * The time waited for other ranks within operations.
   *
   * @return nanoseconds in which the thread slept
   */
  public long waitedNanos() {
    return waitedNanos.get();
  }

  /**
   * The sums of all that has been done.
   *
   * @return one for each collective and algorithm with an operation that has ended well
   */
  public List<OperationSum> sums() {
    List<OperationSum> sums = new ArrayList<>();
    entries.forEach(
        (collective, byAlgorithm) ->
            byAlgorithm.forEach(
                (algorithm, entry) -> {
                  if (entry.count.get() > 0) {
                    sums.add(sum(collective, algorithm, entry));
                  }
                }));
    return sums;
  }

  private static OperationSum sum(Collective collective, String algorithm, Entry entry) {
    return new OperationSum(
        collective,
        algorithm,
        entry.count.get(),
        entry.bytes.get(),
        entry.nanos.get(),
        entry.largestNanos,
        entry.largestBytes,
        entry.blocks,
        entry.ordered);
  }

  private Entry entry(Collective collective, String algorithm) {
    Map<String, Entry> byAlgorithm = entries.get(collective);
    if (byAlgorithm == null) {
      byAlgorithm = new HashMap<>();
      entries.put(collective, byAlgorithm);
    }
    @Nullable Entry entry = byAlgorithm.get(algorithm);
    if (entry == null && byAlgorithm.size() >= OperationTotals.MOST) {
      return byAlgorithm.computeIfAbsent( // schedules of the user's own have any name
          OperationTotals.OTHERS, others -> new Entry(totals.of(collective, others), cells));
    } else if (entry == null) {
      entry = new Entry(totals.of(collective, algorithm), cells);
      byAlgorithm.put(algorithm, entry);
    }
    return entry;
  }
}
