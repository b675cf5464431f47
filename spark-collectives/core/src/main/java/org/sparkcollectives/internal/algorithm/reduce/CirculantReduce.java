package org.sparkcollectives.internal.algorithm.reduce;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CirculantPipeline;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction along a circulant graph, in as few rounds as there can be.
 *
 * <p><b>Source.</b> Träff 2024 (arXiv:2407.18004, doi:10.1145/3735139).
 *
 * <p><b>Idea.</b> The broadcast by {@code circulant} backwards: each block comes from all ranks
 * along a tree of its own.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: b - 1 + ceil(log2 p) rounds, each α + (m/b)(β +
 * γ).
 *
 * <p><b>Restrictions.</b> A block's tree takes ranks in no order, so the operator must commute.
 * <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, root 0, skips 1, 2, b = 2: 1→2 block 0 and 2→0 block 1; 1→0 block 1;
 * 2→0 block 0.
 */
public final class CirculantReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public CirculantReduce() {
    super(
        Collective.REDUCE,
        "circulant",
        new Traits(
            false,
            "circulant 2024",
            "the broadcast backwards, in the fewest rounds possible; for long vectors",
            "b - 1 + ceil(log2 p)",
            "b",
            Set.of(
                Traits.Feature.HALVED_DISTANCES, Traits.Feature.PERIODIC, Traits.Feature.ROAMING)));
  }

  private static CirculantPipeline pipeline(Problem problem) {
    Ring ring = new Ring(problem.size());
    return new CirculantPipeline(
        problem.size(), problem.blocks(), node -> ring.shift(problem.root(), node));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int node = new Ring(problem.size()).shift(rank, -problem.root());
    pipeline(problem).reduce(builder, node);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(problem.blocks() - 1 + Powers.ceilLog2(problem.size()), 1, 1));
  }

  @Override
  protected int longestChain(Problem problem) {
    return pipeline(problem).longestChain();
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }
}
