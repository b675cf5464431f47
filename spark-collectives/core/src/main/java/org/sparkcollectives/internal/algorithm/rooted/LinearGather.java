package org.sparkcollectives.internal.algorithm.rooted;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Gather by messages straight to the root.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 5.3,
 * where it ends the ring reduction.
 *
 * <p><b>Idea.</b> Each rank sends its part to the root, the rank after the root first.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> The root's vector, and a part
 * on each other rank.
 *
 * <p><b>Example.</b> p = 5, root 3: 4→3; 0→3; 1→3; 2→3.
 */
public final class LinearGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public LinearGather() {
    super(
        Collective.GATHER,
        "linear",
        new Traits(
            true,
            "mpich 2005, 5.3",
            "each part straight to the root; for parts that must not pass through other ranks",
            "p - 1; b < p: <= p - 1",
            "<= ceil(b/p)",
            Set.of(Traits.Feature.INDEPENDENT)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    int root = problem.root();
    Ring ring = new Ring(size);
    builder.own(EvenParts.of(problem.blocks(), size, rank));
    if (rank != root) {
      int round = ring.shift(rank, -root) - 1;
      builder.send(round, root, VECTOR, EvenParts.of(problem.blocks(), size, rank));
      return;
    }
    for (int distance = 1; distance < size; distance++) {
      int source = ring.shift(root, distance);
      builder.receive(distance - 1, source, VECTOR, EvenParts.of(problem.blocks(), size, source));
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(LinearScatter.farthest(problem), part, 0, false, false));
  }

  /**
   * {@inheritDoc} The last rank has a largest part. If it is the root, another rank has one as
   * large unless all but one block divide evenly.
   */
  @Override
  public long blocksSent(Problem problem) {
    int size = problem.size();
    if (size == 1) {
      return 0;
    }
    boolean onlyRoot = problem.root() == size - 1 && problem.blocks() % size == 1;
    return onlyRoot ? problem.blocks() / size : EvenParts.largest(problem.blocks(), size);
  }
}
