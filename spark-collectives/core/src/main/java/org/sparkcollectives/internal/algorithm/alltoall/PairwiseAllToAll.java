package org.sparkcollectives.internal.algorithm.alltoall;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.DirectPeers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-to-all by direct messages, for p a power of two between the two ranks of a pair.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.3.
 *
 * <p><b>Idea.</b> p a power of two: in round i, 1 ≤ i &lt; p, ranks whose numbers differ by
 * exclusive or with i exchange their blocks for each other. Otherwise each rank sends to the rank i
 * places further on and receives from the one i places back.
 *
 * <p><b>Cost.</b> For m bytes in all blocks of a rank, any p: p - 1 rounds, (p - 1)α + m(1 - 1/p)β.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 4: 0↔1, 2↔3; 0↔2, 1↔3; 0↔3, 1↔2. p = 3: 0→1, 1→2, 2→0; 0→2, 1→0, 2→1.
 */
public final class PairwiseAllToAll extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PairwiseAllToAll() {
    super(
        Collective.ALLTOALL,
        "pairwise",
        new Traits(
            true,
            "mpich 2005, 4.3",
            "each block straight to its rank, in pairs for p = 2^k; for long vectors",
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
    DirectPeers peers = DirectPeers.of(problem.size(), false);
    PairBlocks blocks = new PairBlocks(problem.size());
    for (int i = 1; i < problem.size(); i++) {
      int target = peers.target(rank, i);
      int source = peers.source(rank, i);
      builder.send(i - 1, target, VECTOR, blocks.of(rank, target));
      builder.receive(i - 1, source, VECTOR, blocks.of(source, rank));
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
