package org.sparkcollectives.internal.algorithm.reducescatter;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter around a ring.
 *
 * <p><b>Source.</b> The first half of the ring allreduce after Thakur, Rabenseifner, Gropp 2005
 * (doi:10.1177/1094342005051521), Section 5.3; as many rounds and bytes as their pairwise exchange
 * of Section 4.4, with one peer to send to and one to receive from.
 *
 * <p><b>Idea.</b> Part i starts at rank i + 1, travels once around and gathers every rank's
 * contribution, until it is complete at rank i.
 *
 * <p><b>Cost.</b> For m bytes, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)(β + γ).
 *
 * <p><b>Restrictions.</b> The sum of part i begins with rank i + 1, so the operator must commute.
 * <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, b = 3: block 0 goes 1→2→0, block 1 2→0→1, block 2 0→1→2, all summing.
 */
public final class RingReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RingReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "ring",
        new Traits(
            false,
            "mpich 2005, 5.3",
            "each part once around to be summed; for long vectors, small p",
            "p - 1",
            "b - floor(b/p)",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    Ring ring = new Ring(size);
    for (int step = 0; step < size - 1; step++) {
      builder.send(step, ring.shift(rank, 1), VECTOR, part(problem, ring.shift(rank, -step - 1)));
      builder.receiveLeft(step, ring.shift(rank, -1), part(problem, ring.shift(rank, -step - 2)));
    }
    builder.own(part(problem, rank));
  }

  private static BlockRange part(Problem problem, int index) {
    return EvenParts.of(problem.blocks(), problem.size(), index);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(problem.size() - 1, part, part));
  }

  /** {@inheritDoc} Rank 0 keeps the smallest part. */
  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() - problem.blocks() / problem.size();
  }
}
