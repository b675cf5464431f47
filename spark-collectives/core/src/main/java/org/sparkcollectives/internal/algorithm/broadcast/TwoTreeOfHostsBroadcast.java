package org.sparkcollectives.internal.algorithm.broadcast;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.TwoTreesOfHostsAlgorithm;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast of one half of the blocks along each of two binary trees of hosts, and along a chain in
 * each host.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 4.1, with
 * hosts as nodes, the decomposition of Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4.
 * The chains are in neither.
 *
 * <p><b>Idea.</b> The other hosts, counted from the root's one on, are the nodes of the two trees
 * of {@code two-tree}. In each host the first rank receives the blocks of both trees, each rank
 * passes them to the next through memory, and the last one sends them to the host's children. So a
 * card carries the vector once each way, where {@code two-tree} has it up to twice, and no rank has
 * both network and memory to send to, or to receive from, as the leader of {@code hierarchical}
 * has.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks, P hosts of up to l ranks, at most 2(l - 1) + (l +
 * 2)floor(log2(P - 1)) + 2k rounds, with l + 1 instead of l + 2 for odd l; each α + (m/b)β, which
 * tends to mβ.
 *
 * <p><b>Execution.</b> Ranks execute it with {@link TwoTreePipeline#SLACK slack}, where an edge
 * between hosts takes two rounds more, and two for each link of the longest chain. The same blocks
 * cross the same edges.
 *
 * <p><b>Restrictions.</b> None; ranks may be on hosts in any way. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, {4}, root 0, b = 2: host 2 is above host 1 in tree 0,
 * host 1 above host 2 in tree 1. Block 0 goes 0→1→4→2→3, block 1 goes 0→1→2→3→4.
 */
public final class TwoTreeOfHostsBroadcast extends TwoTreesOfHostsAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeOfHostsBroadcast() {
    super(
        Collective.BROADCAST,
        true,
        "two-tree 2009, 4.1, with scan 2006, 4",
        "each half of the blocks along one of two trees of hosts, and along chains in them;"
            + " for long vectors and several ranks on a host",
        "<= 2(g - 1) + 2 ceil((g+1)/2) floor(log2(h-1)) + 2 ceil(b/2); h = 1: p - 2 + b",
        "2 ceil(b/2); h <= 3: b");
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    trees(problem, slack).broadcast(builder, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(trees(amongPlaces(problem), 0).rounds(), 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : trees(problem, 0).mostSent();
  }
}
