package org.sparkcollectives.internal.algorithm.allgather;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.DirectPeers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Allgather by messages straight from every rank to every other one.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.4,
 * backwards: their pairwise reduce-scatter with every message the other way.
 *
 * <p><b>Idea.</b> p a power of two: in round i, 1 ≤ i &lt; p, ranks whose numbers differ by
 * exclusive or with i exchange their parts. Otherwise each rank sends its part to the rank i places
 * further on. No message carries what another one has brought, so latencies do not add up.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 3: 0→1 part 0, 1→2 part 1, 2→0 part 2; 0→2 part 0, 1→0 part 1, 2→1 part 2.
 * p = 4: 0↔1, 2↔3; 0↔2, 1↔3; 0↔3, 1↔2.
 */
public final class PairwiseAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PairwiseAllGather() {
    super(
        Collective.ALLGATHER,
        "pairwise",
        new Traits(
            true,
            "mpich 2005, 4.4",
            "each part straight to every other rank; for long vectors, small p",
            "p - 1",
            "(p - 1) ceil(b/p)",
            Set.of(
                Traits.Feature.INDEPENDENT,
                Traits.Feature.ROAMING,
                Traits.Feature.PAIRED,
                Traits.Feature.CYCLIC,
                Traits.Feature.SHIFTING)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    DirectPeers peers = DirectPeers.of(problem.size(), false);
    BlockRange own = part(problem, rank);
    for (int distance = 1; distance < problem.size(); distance++) {
      int source = peers.source(rank, distance);
      builder.send(distance - 1, peers.target(rank, distance), VECTOR, own);
      builder.receive(distance - 1, source, VECTOR, part(problem, source));
    }
    builder.own(own);
  }

  private static BlockRange part(Problem problem, int rank) {
    return EvenParts.of(problem.blocks(), problem.size(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(problem.size() - 1, part));
  }

  @Override
  public long blocksSent(Problem problem) {
    return (problem.size() - 1L) * EvenParts.largest(problem.blocks(), problem.size());
  }
}
