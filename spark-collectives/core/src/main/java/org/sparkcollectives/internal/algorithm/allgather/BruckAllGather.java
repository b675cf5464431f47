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
 * Allgather by Bruck's algorithm.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.1.2,
 * Fig. 2.
 *
 * <p><b>Idea.</b> Before round s rank i has the parts of {@code 2^s} ranks from i on, counted in a
 * circle. It sends them to rank {@code i - 2^s} and gets those that follow from rank {@code i +
 * 2^s}; in the last round only as many as are missing. Parts go straight to their places, so that
 * nothing is moved at the end; a message that crosses the end of the vector has two pieces.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: ceil(log2 p) rounds, ceil(log2 p)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5, rank 4: to 3 part 4, from 0 part 0; to 2 parts 4 and 0, from 1 parts 1
 * and 2; to 0 part 4, from 3 part 3.
 */
public final class BruckAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BruckAllGather() {
    super(
        Collective.ALLGATHER,
        "bruck",
        new Traits(
            true,
            "mpich 2005, 4.1.2",
            "all that a rank has to ranks at doubling distances; for any p",
            "ceil(log2 p)",
            "<= b (1 - 1/p) + ceil(log2 p)",
            Set.of(
                Traits.Feature.DOUBLED_DISTANCES, Traits.Feature.ROAMING, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    CyclicParts parts = CyclicParts.doubling(problem.blocks(), problem.size());
    parts.allgather(builder, 0, rank);
    builder.own(parts.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return CyclicParts.doubling(problem.blocks(), problem.size()).allgatherPhases();
  }

  @Override
  protected int longestChain(Problem problem) {
    return Powers.doublingChain(problem.size());
  }

  @Override
  public long blocksSent(Problem problem) {
    return CyclicParts.doubling(problem.blocks(), problem.size()).allgatherVolume();
  }
}
