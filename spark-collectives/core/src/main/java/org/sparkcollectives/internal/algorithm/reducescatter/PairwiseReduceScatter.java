package org.sparkcollectives.internal.algorithm.reducescatter;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
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
 * Reduce-scatter by messages straight from every rank to every other one.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.4.
 *
 * <p><b>Idea.</b> In round i each rank sends the part of the rank i places further on and combines
 * what it gets for its own part. It hears from the ranks below it first, the next one first, then
 * from those above it, the last one first. Rank order is kept by combining those above it on their
 * own, and with the rest at the end. In any order and for p a power of two, ranks whose numbers
 * differ by exclusive or with i exchange parts in round i. No message carries what another one has
 * brought, so latencies do not add up, and parts are combined while others come.
 *
 * <p><b>Cost.</b> For m bytes, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)(β + γ); in order γm/p
 * more.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; in order a part, m/p.
 *
 * <p><b>Example.</b> p = 3: 0→1, 1→2, 2→0; 0→2, 1→0, 2→1. Rank 0 in order: 2's part is put aside,
 * then 1's combined with it, then both with its own.
 */
public final class PairwiseReduceScatter extends ScheduledAlgorithm {
  private static final int ABOVE = 2;

  /** Makes the algorithm. */
  public PairwiseReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "pairwise",
        new Traits(
            true,
            "mpich 2005, 4.4",
            "each part straight from every rank to its owner; for long vectors, small p",
            "p - 1",
            "b - floor(b/p)",
            Set.of(
                Traits.Feature.INDEPENDENT,
                Traits.Feature.ROAMING,
                Traits.Feature.PAIRED,
                Traits.Feature.CYCLIC,
                Traits.Feature.SHIFTING)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    DirectPeers peers = DirectPeers.of(size, problem.ordered());
    BlockRange own = part(problem, rank);
    for (int distance = 1; distance < size; distance++) {
      int round = distance - 1;
      int target = peers.target(rank, distance);
      int source = peers.source(rank, distance);
      builder.send(round, target, VECTOR, part(problem, target));
      if (!problem.ordered() || source < rank || rank == size - 2) {
        builder.receiveInOrder(round, source, own);
      } else if (source == size - 1) {
        builder.receive(round, source, ABOVE, own);
      } else {
        builder.receive(round, source, OPERAND, own);
        builder.combine(round, ABOVE, OPERAND, ABOVE, own);
        if (source == rank + 1) {
          builder.combine(round, VECTOR, VECTOR, ABOVE, own);
        }
      }
    }
    builder.own(own);
  }

  private static BlockRange part(Problem problem, int rank) {
    return EvenParts.of(problem.blocks(), problem.size(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds = problem.size() - 1;
    int part = EvenParts.largest(problem.blocks(), problem.size());
    int last = problem.ordered() && problem.size() > 2 ? 1 : 0;
    return List.of(new Phase(rounds - last, part, part), new Phase(last, part, 2 * part));
  }

  /** {@inheritDoc} Rank 0 keeps the smallest part. */
  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() - problem.blocks() / problem.size();
  }
}
