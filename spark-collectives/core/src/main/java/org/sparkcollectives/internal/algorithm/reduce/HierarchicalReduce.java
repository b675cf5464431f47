package org.sparkcollectives.internal.algorithm.reduce;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.SlackAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.HostGroups;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction within hosts, then between them.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to reduction; within and between hosts Träff 2024 (arXiv:2407.18004), in order
 * Sanders, Speck, Träff 2009, Section 4.2.
 *
 * <p><b>Idea.</b> Each host has a leader, its lowest rank or the root. The vectors of a host are
 * reduced to its leader, then those of the leaders to the root, both times block by block: along
 * the circulant graph, or along two trees where rank order is asked. One rank of a host uses the
 * network, and it sends each block once.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, P hosts of up to l ranks: b - 1 + ceil(log2 l) rounds
 * within hosts and b - 1 + ceil(log2 P) on the network, each α + (m/b)(β + γ) there. In order, the
 * rounds of {@code two-tree} for l and for P ranks.
 *
 * <p><b>Execution.</b> In order, ranks execute it with {@link TwoTreePipeline#SLACK slack}, where
 * an edge of a tree takes two rounds more. The same blocks cross the same edges.
 *
 * <p><b>Restrictions.</b> In order, the ranks of a host are consecutive. <b>Memory.</b> The vector;
 * received operands are combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1, 2}, {3, 4}, root 1, b = 1, in order: 0→1 and 4→3; 2→1; 3→1.
 */
public final class HierarchicalReduce extends SlackAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalReduce() {
    super(
        Collective.REDUCE,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "within hosts, then between one rank of each; for several ranks on a host",
            "l (b - 1) + ceil(log2 g) + ceil(log2 h);"
                + " in order and inner root: <= l (2 ceil(b/2) + b + 1) + 2 ceil(log2(g+1)) + 2"
                + " ceil(log2(h+1));"
                + " in order: <= l (2 ceil(b/2) + 1) + 2 ceil(log2(g+1)) + 2 ceil(log2(h+1))",
            "b",
            Set.of(Traits.Feature.HIERARCHICAL)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostGroups.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    new HostGroups(problem, problem.root(), slack).reduce(builder, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return new HostGroups(problem, problem.root()).reducePhases();
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }
}
