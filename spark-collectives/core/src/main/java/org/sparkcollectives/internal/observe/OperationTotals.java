package org.sparkcollectives.internal.observe;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.sparkcollectives.schedule.Collective;

/** What the operations of all ranks of a process have come to. Thread-safe. */
public final class OperationTotals {
  /** From so many algorithms of a collective on, others are counted together. */
  static final int MOST = 64;

  /** In place of the name of such an algorithm. */
  static final String OTHERS = "others";

  private final Map<Collective, Map<String, Total>> totals = new EnumMap<>(Collective.class);
  private final Counter sentBytes = new Counter();
  private final Counter receivedBytes = new Counter();
  private final Counter waitedNanos = new Counter();

  /** Ranks that may still count, and those of them that nobody can reach any more. */
  private final Set<Rank> ranks = ConcurrentHashMap.newKeySet();

  private final ReferenceQueue<RankOperations> gone = new ReferenceQueue<>();
  private volatile Consumer<Total> onFirst = total -> {};

  /** What is kept of a rank: its cells, until it has been collected. */
  private static final class Rank extends PhantomReference<RankOperations> {
    private final Counter.Cells cells = new Counter.Cells();

    Rank(RankOperations operations, ReferenceQueue<RankOperations> gone) {
      super(operations, gone);
    }
  }

  /** Makes totals that are zero. */
  public OperationTotals() {}

  /** The total of one collective by one algorithm. */
  public static final class Total {
    private final Collective collective;
    private final String algorithm;
    final Counter count = new Counter();
    final Counter bytes = new Counter();
    final Counter nanos = new Counter();
    private final LongAdder failed = new LongAdder();

    private Total(Collective collective, String algorithm) {
      this.collective = collective;
      this.algorithm = algorithm;
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
     * @return the algorithm's slug, or {@code others} for those beyond the first 64 of a collective
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

  /** The total to count by: a process keeps few, as schedules of a user's own have any name. */
  synchronized Total of(Collective collective, String algorithm) {
    Map<String, Total> own = totals.get(collective);
    if (own == null) {
      own = new HashMap<>();
      totals.put(collective, own);
    }
    String name = own.containsKey(algorithm) || own.size() < MOST ? algorithm : OTHERS;
    Total total = own.get(name);
    if (total == null) {
      total = new Total(collective, name);
      onFirst.accept(total);
      own.put(name, total);
    }
    return total;
  }

  /** The cells that a new rank counts in, as long as it can be reached. */
  Counter.Cells cells(RankOperations operations) {
    for (Object left = gone.poll(); left != null; left = gone.poll()) {
      Rank rank = (Rank) left;
      rank.cells.end();
      ranks.remove(rank);
    }
    Rank rank = new Rank(operations, gone);
    ranks.add(rank);
    return rank.cells;
  }

  /** How many ranks have cells of their own. */
  int ranks() {
    return ranks.size();
  }

  Counter sent() {
    return sentBytes;
  }

  Counter received() {
    return receivedBytes;
  }

  Counter waited() {
    return waitedNanos;
  }
}
