package org.sparkcollectives.internal.algorithm.allreduce;

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
 * All-reduce around a ring: reduce-scatter, then allgather.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 5.3.
 * Its reduce-scatter exchanges pairwise at all distances; here it goes around the ring too, so that
 * every rank has one peer to send to and one to receive from.
 *
 * <p><b>Idea.</b> The vector has p parts. Part i starts at rank i + 1, travels once around and
 * gathers every rank's contribution, until it is complete at rank i; then it travels around again.
 *
 * <p><b>Cost.</b> For m bytes, any p: 2(p - 1) rounds, 2(p - 1)α + 2m(1 - 1/p)β + m(1 - 1/p)γ.
 *
 * <p><b>Restrictions.</b> The sum of part i begins with rank i + 1, so the operator must commute.
 * <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, b = 3: block 0 goes 1→2→0 summing, then 0→1→2.
 */
public final class RingAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RingAllReduce() {
    super(
        Collective.ALLREDUCE,
        "ring",
        new Traits(
            false,
            "mpich 2005, 5.3",
            "each part once around to be summed and once to be spread; for long vectors, small p",
            "2(p - 1)",
            "2b - floor(2b/p)",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    Ring ring = new Ring(size);
    int next = ring.shift(rank, 1);
    int previous = ring.shift(rank, -1);
    for (int step = 0; step < size - 1; step++) {
      builder.send(step, next, VECTOR, part(problem, ring.shift(rank, -step - 1)));
      builder.receiveLeft(step, previous, part(problem, ring.shift(rank, -step - 2)));
    }
    for (int step = 0; step < size - 1; step++) {
      int round = size - 1 + step;
      builder.send(round, next, VECTOR, part(problem, ring.shift(rank, -step)));
      builder.receive(round, previous, VECTOR, part(problem, ring.shift(rank, -step - 1)));
    }
  }

  private static BlockRange part(Problem problem, int index) {
    return EvenParts.of(problem.blocks(), problem.size(), index);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int steps = problem.size() - 1;
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(steps, part, part), new Phase(steps, part));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Rank i sends all parts but i, then all but i + 1; parts 0 and 1 together are the smallest
   * pair.
   */
  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : 2L * problem.blocks() - 2L * problem.blocks() / problem.size();
  }

  @Override
  public int naturalBlocks(int size) {
    return size;
  }
}
