package org.sparkcollectives.internal.algorithm.reducescatter;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CyclicParts;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter along a circulant graph.
 *
 * <p><b>Source.</b> Träff 2024 (arXiv:2410.14234).
 *
 * <p><b>Idea.</b> A rank sends the farther half of the parts that it is responsible for to the rank
 * half the circle further on, then half of what is left to the one a quarter further on, and so on;
 * from the other side it gets as much for the half that it keeps.
 *
 * <p><b>Cost.</b> For m bytes, any p: ceil(log2 p) rounds, ceil(log2 p)α + m(1 - 1/p)(β + γ). That
 * is the least number of rounds and the least volume possible, both at once.
 *
 * <p><b>Restrictions.</b> The sum of part r begins with some rank after r, so the operator must
 * commute. A message may have two runs of blocks. <b>Memory.</b> The vector, whose other parts are
 * used up; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, skips 2, 1, b = 3: 0→2 block 2, 1→0 block 0, 2→1 block 1; 0→1 block 1,
 * 1→2 block 2, 2→0 block 0.
 */
public final class CirculantReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public CirculantReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "circulant",
        new Traits(
            false,
            "circulant reduce-scatter 2024",
            "half of the parts to the rank at half the distance, again and again; for any p",
            "ceil(log2 p)",
            "b - floor(b/p)",
            Set.of(
                Traits.Feature.HALVED_DISTANCES, Traits.Feature.ROAMING, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    CyclicParts parts = new CyclicParts(problem.blocks(), problem.size());
    parts.reduceScatter(builder, 0, rank);
    builder.own(parts.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return new CyclicParts(problem.blocks(), problem.size()).reduceScatterPhases();
  }

  @Override
  protected int longestChain(Problem problem) {
    return Powers.doublingChain(problem.size());
  }

  /** {@inheritDoc} Rank 0 keeps the smallest part. */
  @Override
  public long blocksSent(Problem problem) {
    return new CyclicParts(problem.blocks(), problem.size()).reduceScatterVolume();
  }
}
