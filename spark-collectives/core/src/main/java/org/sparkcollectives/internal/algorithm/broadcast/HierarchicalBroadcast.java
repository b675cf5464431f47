package org.sparkcollectives.internal.algorithm.broadcast;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.GroupPipeline;
import org.sparkcollectives.internal.algorithm.pattern.HostGroups;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * Broadcast between hosts, then within them.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to broadcast; within and between hosts Träff 2024 (arXiv:2407.18004).
 *
 * <p><b>Idea.</b> Each host has a leader, its lowest rank or the root. The vector's blocks go from
 * the root to all leaders along the circulant graph, then within every host from its leader to the
 * others in the same way. One rank of a host uses the network, and each block crosses it once.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, P hosts of up to l ranks: b - 1 + ceil(log2 P) rounds on
 * the network and b - 1 + ceil(log2 l) within hosts, each α + (m/b)β there.
 *
 * <p><b>Restrictions.</b> None; ranks may be on hosts in any way. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> Hosts {0, 1, 2}, {3, 4}, root 1, b = 1: 1→3; 1→0 and 3→4; 1→2.
 */
public final class HierarchicalBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalBroadcast() {
    super(
        Collective.BROADCAST,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "between one rank of each host, then within hosts; for several ranks on a host",
            "l (b - 1) + ceil(log2 h) + ceil(log2 g)",
            "<= l (b - 1) + ceil(log2 h) + ceil(log2 g)",
            Set.of(Traits.Feature.HIERARCHICAL)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    new HostGroups(problem, problem.root()).broadcast(builder, 0, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return new HostGroups(problem, problem.root()).broadcastPhases();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The root sends most on the network, and on a host its leader; so it is the root or the
   * leader of a host with more ranks.
   */
  @Override
  public long blocksSent(Problem problem) {
    HostGroups groups = new HostGroups(problem, problem.root());
    Topology topology = problem.topology();
    GroupPipeline own = groups.within(topology.host(problem.root()));
    long most = groups.broadcastSends(problem.root());
    for (int host = 0; own.size() < topology.mostRanksPerHost(); host++) {
      if (host == topology.hosts(problem.size())) {
        break;
      }
      if (groups.within(host).size() > own.size()) {
        most = Math.max(most, groups.broadcastSends(groups.leader(host)));
      }
    }
    return most;
  }
}
