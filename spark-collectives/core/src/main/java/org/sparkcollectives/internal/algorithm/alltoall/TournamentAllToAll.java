package org.sparkcollectives.internal.algorithm.alltoall;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-to-all in pairs for any p, as in a tournament in which everybody plays everybody.
 *
 * <p><b>Source.</b> The exchange in pairs of Thakur, Rabenseifner, Gropp 2005
 * (doi:10.1177/1094342005051521), Section 4.3, with pairs by the circle method, which chess
 * tournaments use, instead of exclusive or.
 *
 * <p><b>Idea.</b> With n = p for odd p: in round i, ranks whose numbers add up to i modulo n
 * exchange their blocks for each other; the one that would meet itself rests. With n = p - 1 for
 * even p, it meets the last rank instead. In an exchange each of two ranks knows that the other has
 * come to this round, so a network card receives long messages from one rank at a time.
 *
 * <p><b>Cost.</b> For m bytes in all blocks of a rank: p - 1 rounds for even p, p for odd p; each α
 * + mβ/p.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 3: 1↔2; 0↔1; 0↔2. p = 4: 0↔3, 1↔2; 0↔1, 2↔3; 0↔2, 1↔3.
 */
public final class TournamentAllToAll extends ScheduledAlgorithm {
  private static final int NOBODY = -1;

  /** Makes the algorithm. */
  public TournamentAllToAll() {
    super(
        Collective.ALLTOALL,
        "tournament",
        new Traits(
            true,
            "mpich 2005, 4.3",
            "each block straight to its rank, in pairs for any p; for long vectors",
            "p - 1; p odd: p",
            "p - 1",
            Set.of(Traits.Feature.INDEPENDENT)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    PairBlocks blocks = new PairBlocks(size);
    for (int round = 0; round < rounds(size); round++) {
      int partner = partner(size, round, rank);
      if (partner != NOBODY) {
        builder.send(round, partner, VECTOR, blocks.of(rank, partner));
        builder.receive(round, partner, VECTOR, blocks.of(partner, rank));
      }
    }
  }

  private static int rounds(int size) {
    return size == 1 ? 0 : circle(size);
  }

  /** n, the number of ranks that meet those on a circle: all, or all but the last. */
  private static int circle(int size) {
    return size % 2 == 0 ? size - 1 : size;
  }

  private static int partner(int size, int round, int rank) {
    int circle = circle(size);
    if (rank == circle) {
      return (int) ((long) round * ((circle + 1) / 2) % circle); // half of the round's number
    }
    int partner = Math.floorMod(round - rank, circle);
    if (partner != rank) {
      return partner;
    }
    return size == circle ? NOBODY : circle;
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(rounds(problem.size()), 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() - 1L;
  }
}
