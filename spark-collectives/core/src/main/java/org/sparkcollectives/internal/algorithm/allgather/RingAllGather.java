package org.sparkcollectives.internal.algorithm.allgather;

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
 * Allgather around a ring.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.1.
 *
 * <p><b>Idea.</b> Each rank sends its part to the next rank, and from then on what it has received
 * in the round before, until every part has been at every rank.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 3: 0→1 part 0, 1→2 part 1, 2→0 part 2; 0→1 part 2, 1→2 part 0, 2→0 part 1.
 */
public final class RingAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RingAllGather() {
    super(
        Collective.ALLGATHER,
        "ring",
        new Traits(
            true,
            "mpich 2005, 4.1",
            "each part once around; for long vectors, small p",
            "p - 1",
            "b - floor(b/p)",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    int next = ring.shift(rank, 1);
    int previous = ring.shift(rank, -1);
    for (int round = 0; round < problem.size() - 1; round++) {
      builder.send(round, next, VECTOR, part(problem, ring.shift(rank, -round)));
      builder.receive(round, previous, VECTOR, part(problem, ring.shift(previous, -round)));
    }
    builder.own(part(problem, rank));
  }

  private static BlockRange part(Problem problem, int rank) {
    return EvenParts.of(problem.blocks(), problem.size(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(problem.size() - 1, part));
  }

  /** {@inheritDoc} Rank p - 1 sends all parts but part 0, which is the smallest. */
  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() - problem.blocks() / problem.size();
  }
}
