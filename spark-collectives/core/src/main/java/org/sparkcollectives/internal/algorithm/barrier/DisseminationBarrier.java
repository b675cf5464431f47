package org.sparkcollectives.internal.algorithm.barrier;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Barrier by dissemination.
 *
 * <p><b>Source.</b> Hensgen, Finkel, Manber 1988, as cited by Thakur, Rabenseifner, Gropp 2005
 * (doi:10.1177/1094342005051521), Section 4.1.
 *
 * <p><b>Idea.</b> In round s every rank sends a token to the rank {@code 2^s} places further on.
 * After it, a rank has heard, directly or through others, of the {@code 2^(s+1)} ranks that end
 * with itself; combining tokens stands for that, so the operator is a union.
 *
 * <p><b>Cost.</b> Any p: ceil(log2 p) rounds, ceil(log2 p) α.
 *
 * <p><b>Restrictions.</b> The token is block 0; further blocks are not touched. <b>Memory.</b> One
 * block.
 *
 * <p><b>Example.</b> p = 5: every rank r sends to r + 1, r + 2, r + 4 (mod 5).
 */
public final class DisseminationBarrier extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public DisseminationBarrier() {
    super(
        Collective.BARRIER,
        "dissemination",
        new Traits(
            true,
            "mpich 2005, 4.1",
            "tokens to ranks at doubling distances",
            "ceil(log2 p)",
            "ceil(log2 p)"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    BlockRange token = BlockRange.of(0);
    for (int round = 0; round < rounds(problem); round++) {
      builder.send(round, ring.shift(rank, 1 << round), VECTOR, token);
      builder.receiveRight(round, ring.shift(rank, -(1 << round)), token);
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(Powers.ceilLog2(problem.size()), 1, 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return Powers.ceilLog2(problem.size());
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
