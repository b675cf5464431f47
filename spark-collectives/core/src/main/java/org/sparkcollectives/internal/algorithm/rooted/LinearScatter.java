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
 * Scatter by messages straight from the root.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.4,
 * the linear scatter of MPICH's former reduce-scatter.
 *
 * <p><b>Idea.</b> The root sends each other rank its part, the next rank first.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> The root's vector, and a part
 * on each other rank.
 *
 * <p><b>Example.</b> p = 5, root 3: 3→4; 3→0; 3→1; 3→2.
 */
public final class LinearScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public LinearScatter() {
    super(
        Collective.SCATTER,
        "linear",
        new Traits(
            true,
            "mpich 2005, 4.4",
            "each part straight from the root; for parts that must not pass through other ranks",
            "p - 1; b < p: <= p - 1",
            "<= b - floor(b/p)",
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
      builder.receive(round, root, VECTOR, EvenParts.of(problem.blocks(), size, rank));
      return;
    }
    for (int distance = 1; distance < size; distance++) {
      int target = ring.shift(root, distance);
      builder.send(distance - 1, target, VECTOR, EvenParts.of(problem.blocks(), size, target));
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(farthest(problem), part, 0, false, false));
  }

  /**
   * How far after the root, in a circle, the last other rank with blocks is; 0 if there is none.
   */
  static int farthest(Problem problem) {
    int size = problem.size();
    int before = EvenParts.of(problem.blocks(), size, problem.root()).from();
    int last = before == 0 ? size - 1 : EvenParts.indexOf(problem.blocks(), size, before - 1);
    return new Ring(size).shift(last, -problem.root());
  }

  /** {@inheritDoc} The root sends all but its own part. */
  @Override
  public long blocksSent(Problem problem) {
    int own = EvenParts.of(problem.blocks(), problem.size(), problem.root()).size();
    return (long) problem.blocks() - own;
  }
}
