package org.sparkcollectives.internal.transport.ring;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.sparkcollectives.internal.transport.CommunicatorEpoch;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;

/**
 * Links between the ranks of one process, through rings. Rings of a communicator that is over go to
 * the next one.
 */
public final class RingProvider implements LinkProvider {
  /** How long a communicator is remembered in which no rank is left and some never came. */
  private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

  private final RingPool pool;
  private final Map<CommunicatorEpoch, Community> communities = new HashMap<>();

  /** The ranks of one communicator that live in this process. */
  private static final class Community {
    private final MemoryGroup group;
    private final int expected;
    private final Set<Integer> present = new HashSet<>();
    private final Set<Integer> gone = new HashSet<>();
    private boolean broken;
    private long changedNanos = System.nanoTime();

    Community(MemoryGroup group, int expected) {
      this.group = group;
      this.expected = expected;
    }

    boolean isAbandoned(long nowNanos) {
      return present.isEmpty() && nowNanos - changedNanos > KEPT_NANOS;
    }
  }

  /**
   * Makes a provider without ranks.
   *
   * @param ringBytes bytes in flight per direction of a pair of ranks, a power of two
   */
  public RingProvider(int ringBytes) {
    this(new RingPool(ringBytes));
  }

  /** A provider without ranks whose rings come from a pool, which others may use too. */
  RingProvider(RingPool pool) {
    this.pool = pool;
  }

  @Override
  public Links join(Rank rank) throws IOException {
    Roster roster = rank.roster();
    String process = roster.peers().get(rank.rank()).endpoint();
    CommunicatorEpoch key = roster.communicatorEpoch();
    MemoryGroup group;
    synchronized (this) {
      long now = System.nanoTime();
      communities.values().removeIf(community -> community.isAbandoned(now));
      Community community = communities.computeIfAbsent(key, unknown -> community(roster, process));
      if (community.gone.contains(rank.rank()) || !community.present.add(rank.rank())) {
        throw LinkErrors.cannotJoin(
            "rank " + rank.rank() + " of " + roster,
            "it is over here: this rank has taken part in it, or came too late");
      }
      group = community.group;
      group.join(rank.rank(), rank);
      community.changedNanos = now;
    }
    return new Rings(key, group, process, rank.rank());
  }

  private Community community(Roster roster, String process) {
    int expected = 0;
    for (Peer peer : roster.peers()) {
      expected += peer.endpoint().equals(process) ? 1 : 0;
    }
    return new Community(
        new MemoryGroup(pool, rank -> roster.peers().get(rank).toString()), expected);
  }

  private synchronized void leave(CommunicatorEpoch key, int rank, boolean inOrder) {
    Community community = communities.get(key);
    if (community == null) {
      return;
    }
    community.broken |= !inOrder;
    community.group.leave(rank);
    community.present.remove(rank);
    community.gone.add(rank);
    community.changedNanos = System.nanoTime();
    if (community.gone.size() == community.expected) {
      communities.remove(key);
      if (!community.broken) {
        community.group.giveBack();
      }
    }
  }

  /** The rings of one rank. */
  private final class Rings implements Links {
    private final CommunicatorEpoch key;
    private final MemoryGroup group;
    private final String process;
    private final int rank;

    Rings(CommunicatorEpoch key, MemoryGroup group, String process, int rank) {
      this.key = key;
      this.group = group;
      this.process = process;
      this.rank = rank;
    }

    @Override
    public boolean reaches(Peer peer) {
      return peer.endpoint().equals(process);
    }

    @Override
    public WaitableLink open(Peer peer, Deadline deadline, Cancellation cancellation) {
      return group.link(rank, peer.rank());
    }

    @Override
    public void leave(boolean inOrder) {
      RingProvider.this.leave(key, rank, inOrder);
    }
  }
}
