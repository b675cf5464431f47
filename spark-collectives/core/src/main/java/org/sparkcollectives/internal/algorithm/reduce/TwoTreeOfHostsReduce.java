package org.sparkcollectives.internal.algorithm.reduce;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.TwoTreesOfHostsAlgorithm;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction along a chain in each host, and of one half of the blocks along each of two binary
 * trees of hosts.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 4.2, with
 * hosts as nodes, the decomposition of Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4.
 * The chains are in neither.
 *
 * <p><b>Idea.</b> The broadcast by {@code two-tree-of-hosts} backwards: the last rank of a host
 * combines what its children's hosts send, each rank passes partial results to the one before it
 * through memory, and the first one sends them to the parent's host.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks, P hosts of up to l ranks, at most 2(l - 1) + (l +
 * 2)floor(log2(P - 1)) + 2k rounds, with l + 1 instead of l + 2 for odd l; each α + (m/b)(β + γ).
 *
 * <p><b>Execution.</b> Ranks execute it with {@link TwoTreePipeline#SLACK slack}, where an edge
 * between hosts takes two rounds more, and two for each link of the longest chain. The same blocks
 * cross the same edges.
 *
 * <p><b>Restrictions.</b> Operands are combined as trees and chains have them, so the operator must
 * commute. Ranks may be on hosts in any way. <b>Memory.</b> The vector; received operands are
 * combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, {4}, root 0, b = 2: block 0 goes 3→2→4→1→0, block 1 goes
 * 4→3→2→1→0.
 */
public final class TwoTreeOfHostsReduce extends TwoTreesOfHostsAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeOfHostsReduce() {
    super(
        Collective.REDUCE,
        false,
        "two-tree 2009, 4.2, with scan 2006, 4",
        "each half of the blocks along one of two trees of hosts, and along chains in them;"
            + " for long vectors and several ranks on a host",
        "<= 2(g - 1) + 2 ceil((g+1)/2) floor(log2(h-1)) + 2 ceil(b/2); h = 1: p - 2 + b",
        "b");
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    trees(problem, slack).reduce(builder, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(trees(amongPlaces(problem), 0).rounds(), 1, 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }
}
