package org.sparkcollectives.internal.algorithm.barrier;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.HostGroups;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Barrier within hosts, between one rank of each, and within hosts again.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to {@link DisseminationBarrier}.
 *
 * <p><b>Idea.</b> The lowest rank of a host hears from all ranks of its host, then of all hosts by
 * dissemination, and tells its host. On the network there is one message of each host in a round,
 * not one of each rank.
 *
 * <p><b>Cost.</b> For h hosts of up to g ranks: 2 ceil(log2 g) α in memory, ceil(log2 h) α on the
 * network.
 *
 * <p><b>Restrictions.</b> The token is block 0; further blocks are not touched. <b>Memory.</b> One
 * block.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}: 1→0 and 3→2; 0→2 and 2→0; 0→1 and 2→3.
 */
public final class HierarchicalBarrier extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalBarrier() {
    super(
        Collective.BARRIER,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "within hosts, between one rank of each, within hosts",
            "2 ceil(log2 g) + ceil(log2 h)",
            "<= ceil(log2 g) + ceil(log2 h)",
            Set.of(Traits.Feature.HIERARCHICAL)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    HostGroups groups = groups(problem);
    int host = problem.topology().host(rank);
    int within = groups.broadcastRounds();
    groups.within(host).reduce(builder, 0, groups.member(rank), false);
    if (rank == groups.leader(host)) {
      Ring ring = new Ring(problem.topology().hosts(problem.size()));
      BlockRange token = BlockRange.of(0);
      for (int k = 0; k < between(problem); k++) {
        int next = groups.leader(ring.shift(host, 1 << k));
        int previous = groups.leader(ring.shift(host, -(1 << k)));
        builder.send(within + k, next, VECTOR, token);
        builder.receiveRight(within + k, previous, token);
      }
    }
    groups.within(host).broadcast(builder, within + between(problem), groups.member(rank));
  }

  /** Groups that pass one block. */
  private static HostGroups groups(Problem problem) {
    return new HostGroups(problem.withBlocks(1), 0);
  }

  private static int between(Problem problem) {
    return Powers.ceilLog2(problem.topology().hosts(problem.size()));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int within = groups(problem).broadcastRounds();
    return List.of(
        new Phase(within, 1, 1, true, true),
        new Phase(between(problem), 1, 1),
        new Phase(within, 1, 0, true, true));
  }

  @Override
  public long blocksSent(Problem problem) {
    HostGroups groups = groups(problem);
    long most = 0;
    for (int rank = 0; rank < problem.size(); rank++) {
      int host = problem.topology().host(rank);
      boolean leads = rank == groups.leader(host);
      long within = groups.within(host).broadcastSends(groups.member(rank));
      most = Math.max(most, within + (leads ? between(problem) : 1));
    }
    return most;
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
