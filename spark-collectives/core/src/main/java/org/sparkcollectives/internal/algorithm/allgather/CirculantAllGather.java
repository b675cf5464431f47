package org.sparkcollectives.internal.algorithm.allgather;

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
 * Allgather along a circulant graph.
 *
 * <p><b>Source.</b> Träff 2024 (arXiv:2410.14234), the second half of its allreduce.
 *
 * <p><b>Idea.</b> As Bruck's algorithm, but with the distances 1 … ceil(p/4), ceil(p/2): halves of
 * the circle, rounded up, instead of powers of 2. Where each host has as many ranks, a power of 2,
 * and one rank of each host is counted in turn, the long messages of the last rounds stay within
 * hosts, however many hosts there are.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: ceil(log2 p) rounds, ceil(log2 p)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5, skips 1, 2, 3, rank 4: to 3 part 4, from 0 part 0; to 2 part 4, from 1
 * part 1; to 1 parts 4 and 0, from 2 parts 2 and 3.
 */
public final class CirculantAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public CirculantAllGather() {
    super(
        Collective.ALLGATHER,
        "circulant",
        new Traits(
            true,
            "circulant reduce-scatter 2024",
            "all that a rank has to ranks at distances that halve the circle; for any p",
            "ceil(log2 p)",
            "<= b (1 - 1/p) + ceil(log2 p)",
            Set.of(
                Traits.Feature.HALVED_DISTANCES, Traits.Feature.ROAMING, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    CyclicParts parts = new CyclicParts(problem.blocks(), problem.size());
    parts.allgather(builder, 0, rank);
    builder.own(parts.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return new CyclicParts(problem.blocks(), problem.size()).allgatherPhases();
  }

  @Override
  protected int longestChain(Problem problem) {
    return Powers.doublingChain(problem.size());
  }

  @Override
  public long blocksSent(Problem problem) {
    return new CyclicParts(problem.blocks(), problem.size()).allgatherVolume();
  }
}
