package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.TwoTreesOfHostsAlgorithm;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreesOfHosts;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce along two binary trees of hosts and a chain in each host: a reduction to rank 0, then
 * a broadcast from it.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Sections 4.1 and
 * 4.2, with hosts as nodes, the decomposition of Sanders, Träff 2006 (doi:10.1007/11846802_15),
 * Section 4. Neither has the chains or the combination.
 *
 * <p><b>Idea.</b> The reduction by {@code two-tree-of-hosts}, then the broadcast, which begins with
 * the blocks that the reduction brings last, as in {@code two-tree}.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks, P hosts of up to l ranks: twice the rounds of the
 * reduction, at most 4(l - 1) + 2(l + 2)floor(log2(P - 1)) + 4k, with l + 1 instead of l + 2 for
 * odd l; each α + (m/b)β, and γ in the first half. The rate tends to 2mβ.
 *
 * <p><b>Execution.</b> Ranks execute it with {@link TwoTreePipeline#SLACK slack}, where an edge
 * between hosts takes two rounds more, and two for each link of the longest chain. The same blocks
 * cross the same edges.
 *
 * <p><b>Restrictions.</b> Operands are combined as trees and chains have them, so the operator must
 * commute. Ranks may be on hosts in any way. <b>Memory.</b> The vector; received operands are
 * combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, {4}, b = 2: block 0 goes 3→2→4→1→0→1→4→2→3, block 1 goes
 * 4→3→2→1→0→1→2→3→4.
 */
public final class TwoTreeOfHostsAllReduce extends TwoTreesOfHostsAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeOfHostsAllReduce() {
    super(
        Collective.ALLREDUCE,
        false,
        "two-tree 2009, 4.1, 4.2, with scan 2006, 4",
        "reduction along chains in hosts and two trees of them, then broadcast;"
            + " for long vectors and several ranks on a host",
        "<= 4(g - 1) + 4 ceil((g+1)/2) floor(log2(h-1)) + 4 ceil(b/2); h = 1: 2p - 4 + 2b",
        "b + 2 ceil(b/2); h <= 3: 2b");
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    TwoTreesOfHosts trees = trees(problem, slack);
    trees.reduce(builder, rank);
    trees.broadcastReduced(builder, trees.rounds(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds = trees(amongPlaces(problem), 0).rounds();
    return List.of(new Phase(rounds, 1, 1), new Phase(rounds, 1));
  }

  /** {@inheritDoc} All ranks but rank 0 send the vector once at first. */
  @Override
  public long blocksSent(Problem problem) {
    long blocks = problem.blocks();
    int hosts = problem.topology().hosts(problem.size());
    boolean alone = hosts == problem.size();
    if (problem.size() <= 2) {
      return problem.size() == 1 ? 0 : blocks;
    }
    return alone && hosts == 3 ? blocks + (blocks + 1) / 2 : blocks + trees(problem, 0).mostSent();
  }
}
