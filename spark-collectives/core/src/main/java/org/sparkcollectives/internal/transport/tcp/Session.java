package org.sparkcollectives.internal.transport.tcp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.memory.MemoryGroup;
import org.sparkcollectives.internal.transport.memory.RingPool;
import org.sparkcollectives.internal.transport.memory.Waiter;
import org.sparkcollectives.transport.Roster;

/**
 * One epoch of a communicator as an endpoint sees it: its own ranks, and the leases that wait for
 * them. Guarded by the {@link Sessions} that holds it.
 */
final class Session {
  private final Map<Lease, Connection> parked = new HashMap<>();
  private final Set<Lease> taken = new HashSet<>();
  private final Map<Integer, Waiter> active = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>();
  private @Nullable MemoryGroup group;
  private Set<Integer> expected = Set.of();
  private boolean broken;
  private long changedNanos = System.nanoTime();

  MemoryGroup join(Roster roster, String endpoint, int rank, Waiter waiter, RingPool pool) {
    MemoryGroup joined = group;
    if (joined == null) {
      joined = new MemoryGroup(pool, peer -> roster.peers().get(peer).toString());
      group = joined;
      expected = new HashSet<>(Sessions.localRanks(roster, endpoint));
    }
    joined.join(rank, waiter);
    active.put(rank, waiter);
    changedNanos = System.nanoTime();
    return joined;
  }

  boolean hasSeen(int rank) {
    return active.containsKey(rank) || ended.contains(rank);
  }

  boolean isActive() {
    return !active.isEmpty();
  }

  /** Whether every rank of this process has come and left. */
  boolean isOver() {
    return group != null && active.isEmpty() && ended.containsAll(expected);
  }

  /** Whether no rank is at work and nothing has happened since a moment. */
  boolean isAbandoned(long oldestNanos) {
    return active.isEmpty() && changedNanos - oldestNanos < 0;
  }

  Answer judge(Lease lease) {
    if (group != null && !expected.contains(lease.to())) {
      return Answer.NO_SUCH_RANK;
    }
    if (ended.contains(lease.to())) {
      return Answer.ENDED;
    }
    return taken.contains(lease) ? Answer.IN_USE : Answer.ACCEPTED;
  }

  @Nullable Connection park(Lease lease, Connection connection) {
    Connection replaced = parked.put(lease, connection);
    Waiter waiter = active.get(lease.to());
    if (waiter != null) {
      waiter.wakeup();
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
   * @param inOrder whether its thread has done so itself and uses no ring any more
   * @return leases that waited for it
   */
  List<Connection> leave(int rank, boolean inOrder) {
    broken |= !inOrder;
    if (group != null) {
      group.leave(rank);
    }
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

  /** Gives the rings of a communicator that is over to the next one. */
  void giveBack() {
    if (group != null && !broken) {
      group.giveBack();
    }
  }

  List<Connection> takeAll() {
    List<Connection> all = new ArrayList<>(parked.values());
    parked.clear();
    return all;
  }
}
