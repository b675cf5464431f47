package org.sparkcollectives.algorithm.allreduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.algorithm.HostGroups;
import org.sparkcollectives.algorithm.ScheduleBuilder;
import org.sparkcollectives.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.algorithm.Traits;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce within hosts, between them, and within them again.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to all-reduce; within and between hosts Träff 2024 (arXiv:2407.18004), in order
 * Sanders, Speck, Träff 2009, Section 4.2.
 *
 * <p><b>Idea.</b> The reduction by {@code hierarchical} to rank 0, then the broadcast by {@code
 * hierarchical} from it: the vectors of a host are reduced to its lowest rank, these ranks reduce
 * and spread the result among each other, and spread it on their hosts, all of it block by block.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, P hosts of up to l ranks: 2(b - 1 + ceil(log2 l)) rounds
 * within hosts and 2(b - 1 + ceil(log2 P)) on the network, each α + (m/b)β there, and γ in half of
 * them. In order, the first half has the rounds of {@code two-tree} for l and for P ranks.
 *
 * <p><b>Restrictions.</b> In order, the ranks of a host are consecutive. <b>Memory.</b> The vector;
 * received operands are combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, b = 1: 1→0 and 3→2; 2→0; 0→2; 0→1 and 2→3.
 */
public final class HierarchicalAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalAllReduce() {
    super(
        Collective.ALLREDUCE,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "within hosts, between one rank of each, within hosts; for several ranks on a host",
            "4(b - 1) + 2 ceil(log2 l) + 2 ceil(log2 P) for P hosts of up to l ranks;"
                + " in order two-tree's in the first half",
            "<= 3b - 2 + ceil(log2 l) + ceil(log2 P)",
            Set.of(Traits.Feature.HIERARCHICAL)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostGroups.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    HostGroups groups = new HostGroups(problem, 0);
    groups.reduce(builder, rank);
    groups.broadcast(builder, Phase.rounds(groups.reducePhases()), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    HostGroups groups = new HostGroups(problem, 0);
    List<Phase> phases = new ArrayList<>(groups.reducePhases());
    phases.addAll(groups.broadcastPhases());
    return phases;
  }

  /** {@inheritDoc} All ranks but rank 0 send the vector once before the result is spread. */
  @Override
  public long blocksSent(Problem problem) {
    HostGroups groups = new HostGroups(problem, 0);
    long most = groups.broadcastSends(0);
    for (int rank = 1; rank < problem.size(); rank++) {
      most = Math.max(most, problem.blocks() + groups.broadcastSends(rank));
    }
    return most;
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
