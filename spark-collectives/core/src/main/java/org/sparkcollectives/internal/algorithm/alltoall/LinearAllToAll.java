package org.sparkcollectives.internal.algorithm.alltoall;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-to-all by direct messages in scattered order.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.3,
 * the algorithm that posts all receives and all sends and then waits.
 *
 * <p><b>Idea.</b> Rank r sends to ranks r + 1, r + 2 …, so that at any time the ranks' targets are
 * different ones. No message depends on another: a rank may have all of them under way, and rounds
 * only say in which sequence they share the network card. The rounds are those of {@code pairwise}
 * where p is no power of two; where it is one, {@code pairwise} pairs the ranks, so that a round's
 * two messages of a rank are with one peer, and here they are with two.
 *
 * <p><b>Cost.</b> For m bytes in all blocks of a rank, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)β
 * with one message at a time.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 4: r→r+1; r→r+2; r→r+3, modulo 4.
 */
public final class LinearAllToAll extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public LinearAllToAll() {
    super(
        Collective.ALLTOALL,
        "linear",
        new Traits(
            true,
            "mpich 2005, 4.3",
            "each block straight to its rank, nearest rank first; for blocks of middle length",
            "p - 1",
            "p - 1",
            Set.of(
                Traits.Feature.INDEPENDENT,
                Traits.Feature.ROAMING,
                Traits.Feature.CYCLIC,
                Traits.Feature.SHIFTING)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    PairBlocks blocks = new PairBlocks(problem.size());
    for (int distance = 1; distance < problem.size(); distance++) {
      int target = ring.shift(rank, distance);
      int source = ring.shift(rank, -distance);
      builder.send(distance - 1, target, VECTOR, blocks.of(rank, target));
      builder.receive(distance - 1, source, VECTOR, blocks.of(source, rank));
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(problem.size() - 1, 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() - 1L;
  }
}
