package org.sparkcollectives.internal.algorithm.reduce;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.SlackAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreeReduction;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction of one half of the blocks along each of two binary trees at once.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Sections 3, 4.2
 * and 5.1. The case of an inner root with an operator that does not commute is not in the paper.
 *
 * <p><b>Idea.</b> The broadcast by {@code two-tree} backwards. Out of order, the ranks are counted
 * from the root. In order, the nodes of the trees are all ranks above the root (root 0) or below it
 * (root p - 1). Any other root has ranks on both sides: each side has two trees of its own, all of
 * whose blocks go to the root, which therefore receives 2b blocks; the second side starts so late
 * that its first block comes right after the last one of the first side.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks and h = ceil(log2(p + 1)): at most 2h + 2k rounds
 * out of order, 2h + 2k + 1 in order to root 0 or p - 1, 2h + 4k + 1 to any other; each α + (m/b)(β
 * + γ).
 *
 * <p><b>Execution.</b> Ranks execute it with {@link TwoTreePipeline#SLACK slack}, where an edge
 * takes two rounds more. The same blocks cross the same edges.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 4, root 0, in order, b = 2: the trees over 1 and 2 are 2(1) and 1(, 2); 3
 * is above both. Block 0 goes 1→2→3→0, block 1 goes 2→1→3→0.
 */
public final class TwoTreeReduce extends SlackAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeReduce() {
    super(
        Collective.REDUCE,
        "two-tree",
        new Traits(
            true,
            "two-tree 2009, 4.2",
            "each half of the blocks along one of two binary trees; for long vectors",
            "<= 2 ceil(log2(p+1)) + 2 ceil(b/2) + 1;"
                + " in order and inner root: <= 2 ceil(log2(p+1)) + 2 ceil(b/2) + 1 + b",
            "b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.ALTERNATING)));
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    reduction(problem, slack).reduce(builder, 0, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(reduction(problem, 0).rounds(), 1, 1));
  }

  @Override
  protected int longestChain(Problem problem) {
    return reduction(problem, 0).levels();
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }

  private static TwoTreeReduction reduction(Problem problem, int slack) {
    return new TwoTreeReduction(
        problem.size(), problem.root(), problem.blocks(), problem.ordered(), slack, rank -> rank);
  }
}
