package org.sparkcollectives.internal.algorithm.reduce;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.FractionalTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction of block after block up one binary tree.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 2, backwards. The case of an inner root with an
 * operator that does not commute is not in the paper.
 *
 * <p><b>Idea.</b> The broadcast by {@code pipelined-binary-tree} backwards: the smaller subtree,
 * next to its parent in rank, delivers one round before the larger one. In order the tree's head is
 * the root if that is the first or the last rank. An inner root is a leaf like any other instead,
 * and the head sends it the result.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: d + 2b - 1 rounds with the d of the broadcast; in
 * order to an inner root one more. Each α + (m/b)(β + γ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 7, root 0, b = 1: 2→1, 4→3 and 6→5; 1→0 and 5→3; 3→0.
 */
public final class PipelinedBinaryTreeReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PipelinedBinaryTreeReduce() {
    super(
        Collective.REDUCE,
        "pipelined-binary-tree",
        new Traits(
            true,
            "fractional 2000, 2",
            "block after block up one binary tree; for vectors of medium size",
            "2(b - 1) + ceil(1.4404 log2(p + 0.5) - 1.328);"
                + " in order and inner root: 2b - 1 + ceil(1.4404 log2(p + 0.5) - 1.328)",
            "b"));
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
    return FractionalTreePipeline.reduction(problem, 1);
  }
}
