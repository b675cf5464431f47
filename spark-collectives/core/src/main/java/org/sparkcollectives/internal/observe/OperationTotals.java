package org.sparkcollectives.internal.observe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.sparkcollectives.schedule.Collective;

/** What the operations of all ranks of a process have come to. Thread-safe. */
public final class OperationTotals {
  private final Map<Key, Total> totals = new ConcurrentHashMap<>();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder waitedNanos = new LongAdder();
  private volatile Consumer<Total> onFirst = total -> {};

  private record Key(Collective collective, String algorithm) {}

  /** Makes totals that are zero. */
  public OperationTotals() {}

  /** The total of one collective by one algorithm. */
  public static final class Total {
    private final Collective collective;
    private final String algorithm;
    private final LongAdder count = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder failed = new LongAdder();

    private Total(Key key) {
      this.collective = key.collective();
      this.algorithm = key.algorithm();
    }

    /**
     * What the operations were.
     *
     * @return the collective
     */
    public Collective collective() {
      return collective;
    }

    /**
     * What did them.
     *
     * @return the algorithm's slug
     */
    public String algorithm() {
      return algorithm;
    }

    /**
     * How many operations have ended well, each counted on every rank.
     *
     * @return 0 or more
     */
    public long count() {
      return count.sum();
    }

    /**
     * The bytes of their vectors.
     *
     * @return 0 or more
     */
    public long bytes() {
      return bytes.sum();
    }

    /**
     * The time in them.
     *
     * @return nanoseconds
     */
    public long nanos() {
      return nanos.sum();
    }

    /**
     * How many operations have failed, each counted on every rank.
     *
     * @return 0 or more
     */
    public long failed() {
      return failed.sum();
    }

    void add(long vectorBytes, long taken) {
      count.increment();
      bytes.add(vectorBytes);
      nanos.add(taken);
    }

    void fail() {
      failed.increment();
    }
  }

  /**
   * Listens to what is done for the first time.
   *
   * @param listener told of each total once, before anything is added to it; not of those before
   */
  public void onFirst(Consumer<Total> listener) {
    onFirst = listener;
  }

  /**
   * The bytes that ranks have sent to other ranks.
   *
   * @return the payload of all messages, in memory as over networks
   */
  public long sentBytes() {
    return sentBytes.sum();
  }

  /**
   * The bytes that ranks have got from other ranks.
   *
   * @return the payload of all messages
   */
  public long receivedBytes() {
    return receivedBytes.sum();
  }

  /**
   * The time that ranks have waited for others within operations.
   *
   * @return nanoseconds in which their threads slept
   */
  public long waitedNanos() {
    return waitedNanos.sum();
  }

  Total of(Collective collective, String algorithm) {
    return totals.computeIfAbsent(
        new Key(collective, algorithm),
        key -> {
          Total total = new Total(key);
          onFirst.accept(total);
          return total;
        });
  }

  void traffic(long sent, long received, long waited) {
    sentBytes.add(sent);
    receivedBytes.add(received);
    waitedNanos.add(waited);
  }
}
