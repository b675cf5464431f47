package org.sparkcollectives.internal.algorithm.reduce;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.FractionalTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction of block after block up a binary tree whose nodes are chains of r ranks.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 3, backwards. The order of operands is not a
 * subject of the paper.
 *
 * <p><b>Idea.</b> The broadcast by {@code fractional-tree} backwards, with the r that has the
 * fewest rounds. In order, a rank gets the second group's operand first, but that of the chain
 * stands between: it keeps the former until the latter has come. As in {@code
 * pipelined-binary-tree}, an inner root is a leaf then, and the tree's head sends it the result.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: as many rounds as the broadcast; in order to an
 * inner root one more, and up to r - 2 in addition where the root's group has less than 2r ranks to
 * itself. Each α + (m/b)(β + γ), or α + (m/b)(β + 2γ) in order with r > 1.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; in order with r > 1 a block that waits.
 *
 * <p><b>Example.</b> p = 7, root 0, r = 2: the groups are 0 1, 2 3, 4 and 5 6. Blocks go 4→3→2→1→0
 * and 6→5; from there every other one to 0, the others to 1.
 */
public final class FractionalTreeReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public FractionalTreeReduce() {
    super(
        Collective.REDUCE,
        "fractional-tree",
        new Traits(
            true,
            "fractional 2000, 3",
            "block after block up a binary tree of chains; for long vectors",
            "<= min(p - 2 + b, b + 1.44 log2 p + 1.5 (b log2 p)^0.5);"
                + " in order and inner root: <= min(p - 1 + b, b + 1.44 log2 p + 1.5 (b log2"
                + " p)^0.5 + 1)",
            "b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.REGROUPING)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    pipeline(problem).reduce(builder, rank, problem.ordered());
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return pipeline(problem).reducePhases(problem.ordered());
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }

  private static FractionalTreePipeline pipeline(Problem problem) {
    return FractionalTreePipeline.fastest(
        problem, group -> FractionalTreePipeline.reduction(problem, group));
  }
}
