package org.sparkcollectives.internal.algorithm.reduce;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.FractionalTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction of block after block up one binary tree, in the simplex model: a rank sends or receives
 * in a round, never both.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 2, for the tree; its blocks follow each other in
 * every third round here.
 *
 * <p><b>Idea.</b> The broadcast by {@code binary-tree-simplex} backwards: a rank hears from one
 * child in a round and from the other in the next, and passes the sum on in the one after.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: the rounds of the broadcast, each α + (m/b)(β +
 * γ), which tends to m(3β + 2γ).
 *
 * <p><b>Restrictions.</b> In rank order the root is the first or the last rank. An inner one would
 * be a leaf that hears from the head, perhaps in the round in which it sends. <b>Memory.</b> The
 * vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, root 0, b = 2: 2→0 and 1→0 block 0, one after the other; a round of
 * rest; the same with block 1.
 */
public final class BinaryTreeSimplexReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinaryTreeSimplexReduce() {
    super(
        Collective.REDUCE,
        "binary-tree-simplex",
        new Traits(
            true,
            "fractional 2000, 2",
            "block after block up one binary tree; never sends and receives at once",
            "3(b - 1) + ceil(1.4404 log2(p + 0.5) - 1.328)",
            "b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.SIMPLEX)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    boolean inner = problem.root() > 0 && problem.root() < problem.size() - 1;
    return problem.ordered() && inner ? "in rank order its root is the first or last rank" : null;
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    FractionalTreePipeline.simplex(problem).reduce(builder, rank, problem.ordered());
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return FractionalTreePipeline.simplex(problem).reducePhases(problem.ordered());
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }
}
