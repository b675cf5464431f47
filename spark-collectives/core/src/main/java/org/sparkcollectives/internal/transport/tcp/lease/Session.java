package org.sparkcollectives.internal.transport.tcp.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;

/**
 * One epoch of a communicator as an endpoint sees it: its own ranks, and the leases that wait for
 * them. Guarded by the {@link Sessions} that holds it.
 */
final class Session {
  private final Map<Lease, Connection> parked = new HashMap<>();
  private final Set<Lease> taken = new HashSet<>();
  private final Map<Integer, LinkProvider.Rank> active = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();

  /** The ranks of this process, or null while none has come. */
  private @Nullable Set<Integer> expected;

  private long changedNanos = System.nanoTime();

  void join(LinkProvider.Rank rank, Collection<Integer> local) {
    if (expected == null) {
      expected = Set.copyOf(local);
    }
    active.put(rank.rank(), rank);
    changedNanos = System.nanoTime();
  }

  boolean hasSeen(int rank) {
    return active.containsKey(rank) || ended.contains(rank);
  }

  boolean isActive() {
    return !active.isEmpty();
  }

  /** Whether every rank of this process has come and left. */
  boolean isOver() {
    return expected != null && active.isEmpty() && ended.containsAll(expected);
  }

  /** Whether no rank is at work and nothing has happened since a moment. */
  boolean isAbandoned(long oldestNanos) {
    return active.isEmpty() && changedNanos - oldestNanos < 0;
  }

  AnswerCode judge(Lease lease) {
    if (expected != null && !expected.contains(lease.to())) {
      return AnswerCode.NO_SUCH_RANK;
    }
    if (ended.contains(lease.to())) {
      return AnswerCode.ENDED;
    }
    return taken.contains(lease) ? AnswerCode.IN_USE : AnswerCode.ACCEPTED;
  }

  @Nullable Connection park(Lease lease, Connection connection) {
    Connection replaced = parked.put(lease, connection);
    LinkProvider.Rank waiting = active.get(lease.to());
    if (waiting != null) {
      waiting.wakeup();
    }
    return replaced;
  }

  @Nullable Connection take(Lease lease) {
    Connection connection = parked.remove(lease);
    if (connection != null) {
      taken.add(lease);
    }
    return connection;
  }

  /**
   * A rank leaves.
   *
   * @param rank the rank
   * @return leases that waited for it
   */
  List<Connection> leave(int rank) {
    active.remove(rank);
    ended.add(rank);
    changedNanos = System.nanoTime();
    List<Connection> orphans = new ArrayList<>();
    for (Iterator<Map.Entry<Lease, Connection>> all = parked.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<Lease, Connection> entry = all.next();
      if (entry.getKey().to() == rank) {
        orphans.add(entry.getValue());
        all.remove();
      }
    }
    return orphans;
  }

  List<Connection> takeAll() {
    List<Connection> all = new ArrayList<>(parked.values());
    parked.clear();
    return all;
  }
}
