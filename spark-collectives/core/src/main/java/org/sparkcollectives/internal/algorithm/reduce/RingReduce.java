package org.sparkcollectives.internal.algorithm.reduce;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.PartsToRoot;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction by a reduce-scatter around a ring, whose parts go straight to the root.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 5.3.
 * Its reduce-scatter exchanges pairwise at all distances; here it goes around the ring, so that a
 * rank other than the root has three peers in all.
 *
 * <p><b>Idea.</b> The vector has p parts, and part v is that of the rank v places after the root.
 * It starts at the next rank, travels once around, gathers every rank's contribution, and is
 * complete at its own rank. Then these ranks send their parts to the root, one after the other.
 *
 * <p><b>Cost.</b> For m bytes, any p: 2(p - 1) rounds, 2(p - 1)α + 2m(1 - 1/p)β + m(1 - 1/p)γ; in
 * the second half a rank sends or receives, never both.
 *
 * <p><b>Restrictions.</b> The sum of a part begins at some rank of the circle, so the operator must
 * commute. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, root 0, b = 3: 0→1 block 2, 1→2 block 0, 2→0 block 1; 0→1 block 1, 1→2
 * block 2, 2→0 block 0, now complete; 1→0 block 1; 2→0 block 2.
 */
public final class RingReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RingReduce() {
    super(
        Collective.REDUCE,
        "ring",
        new Traits(
            false,
            "mpich 2005, 5.3",
            "each part once around to be summed, then to the root; for long vectors, small p",
            "2(p - 1)",
            "b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    Ring ring = new Ring(size);
    PartsToRoot parts = new PartsToRoot(problem);
    int place = ring.shift(rank, -problem.root());
    for (int step = 0; step < size - 1; step++) {
      builder.send(step, ring.shift(rank, 1), VECTOR, parts.part(ring.shift(place, -step - 1)));
      builder.receiveInOrder(step, ring.shift(rank, -1), parts.part(ring.shift(place, -step - 2)));
    }
    parts.gather(builder, size - 1, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int steps = problem.size() - 1;
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(steps, part, part), new PartsToRoot(problem).phase());
  }

  /** {@inheritDoc} The root sends all but its part, and every other rank its part last. */
  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }

  @Override
  public int naturalBlocks(int size) {
    return size;
  }
}
