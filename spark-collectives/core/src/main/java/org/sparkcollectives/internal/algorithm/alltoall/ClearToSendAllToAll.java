package org.sparkcollectives.internal.algorithm.alltoall;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-to-all by shifts in which a receiver says when it is its sender's turn.
 *
 * <p><b>Source.</b> The shifts of Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521),
 * Section 4.3, for p not a power of two, with the clear-to-send message of MPI's rendezvous
 * protocol before each.
 *
 * <p><b>Idea.</b> In shift i, 1 ≤ i &lt; p, each rank sends to the rank i places further on and
 * receives from the one i places back. A rank that is ahead would send to a network card that still
 * receives from the rank whose turn it is, both would take twice as long, and two other cards would
 * stand still. So before each shift but the first a rank signals to the one that it is to receive
 * from next that it has received all before. No rank rests as in pairs of an odd number of ranks
 * ({@link TournamentAllToAll}).
 *
 * <p><b>Cost.</b> For m bytes in all blocks of a rank, odd p: 2p - 3 rounds, of which p - 1 carry
 * m/p bytes and the others none: (2p - 3)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> An odd number of ranks; an even one is paired without a rest.
 * <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 3: 0→1, 1→2, 2→0; signals 0→1, 1→2, 2→0; 0→2, 1→0, 2→1.
 */
public final class ClearToSendAllToAll extends ScheduledAlgorithm {

  private static final Phase SHIFT = new Phase(1, 1);
  private static final Phase SIGNAL = new Phase(1, 0);

  private volatile @Nullable Known latest;

  private record Known(int size, List<Phase> phases) {}

  /** Makes the algorithm. */
  public ClearToSendAllToAll() {
    super(
        Collective.ALLTOALL,
        "clear-to-send",
        new Traits(
            true,
            "mpich 2005, 4.3",
            "each block straight to its rank, by shifts, when the receiver says so; for long vectors and odd p",
            "2p - 3",
            "p - 1",
            Set.of(Traits.Feature.CYCLIC, Traits.Feature.SHIFTING)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return problem.size() % 2 == 1 ? null : "it needs an odd number of ranks";
  }

  @Override
  protected @Nullable String unplannable(Problem problem) {
    return null;
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    PairBlocks blocks = new PairBlocks(problem.size());
    for (int shift = 1; shift < problem.size(); shift++) {
      int target = ring.shift(rank, shift);
      int source = ring.shift(rank, -shift);
      int round = 2 * (shift - 1);
      if (shift > 1) {
        builder.signal(round - 1, source);
        builder.receiveSignal(round - 1, target);
      }
      builder.send(round, target, VECTOR, blocks.of(rank, target));
      builder.receive(round, source, VECTOR, blocks.of(source, rank));
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    Known known = latest;
    if (known == null || known.size() != problem.size()) {
      List<Phase> phases = new ArrayList<>(List.of(SHIFT));
      for (int shift = 2; shift < problem.size(); shift++) {
        phases.add(SIGNAL);
        phases.add(SHIFT);
      }
      known = new Known(problem.size(), List.copyOf(phases));
      latest = known;
    }
    return known.phases();
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() - 1L;
  }
}
