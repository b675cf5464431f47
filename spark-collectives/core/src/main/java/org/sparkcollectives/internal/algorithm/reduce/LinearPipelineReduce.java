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
 * Reduction of block after block along a chain of all ranks.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 2, backwards. The case of an inner root with an
 * operator that does not commute is not in the paper.
 *
 * <p><b>Idea.</b> The chain ends at the root: in order it runs from one end of the ranks to the
 * other if the root is at an end, else the ranks are counted from the root. In order to an inner
 * root r, the chain starts at r itself: each rank joins a run of ranks at one of its ends, r + 1 to
 * p - 1 from above, then r - 1 to 0 from below, and rank 0 sends the result to r.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: p - 2 + b rounds, p - 1 + b in order to an inner
 * root; each α + (m/b)(β + γ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5, root 2, in order: every block goes 2→3→4→1→0→2.
 */
public final class LinearPipelineReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public LinearPipelineReduce() {
    super(
        Collective.REDUCE,
        "linear-pipeline",
        new Traits(
            true,
            "fractional 2000, 2",
            "block after block along a chain of all ranks; for very long vectors, small p",
            "p - 2 + b; in order and inner root: p - 1 + b",
            "b",
            Set.of(Traits.Feature.BY_HOST)));
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
    return FractionalTreePipeline.reduction(problem, Math.max(problem.size(), problem.blocks()));
  }
}
