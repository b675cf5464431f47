package org.sparkcollectives.internal.algorithm.broadcast;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CirculantPipeline;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast along a circulant graph, in as few rounds as there can be.
 *
 * <p><b>Source.</b> Träff 2024 (arXiv:2407.18004, doi:10.1145/3735139), following arXiv:2205.10072
 * and arXiv:2312.11236.
 *
 * <p><b>Idea.</b> The root sends one block after the other, each to a rank at the next of ceil(log2
 * p) distances. Each block spreads from there along a binomial-like tree of its own; the trees fit
 * into each other so that a rank that is reached sends and receives one block in every round. A
 * rank finds its part in {@link org.sparkcollectives.internal.shape.Circulant} without a table.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: b - 1 + ceil(log2 p) rounds, (b - 1 + ceil(log2
 * p))(α + mβ/b), which tends to mβ. The last block cannot leave the root before round b - 1 and
 * then needs ceil(log2 p) rounds to reach all, so fewer rounds are not possible.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5, root 0, skips 1, 2, 3, b = 2: 0→3 block 0; 3→4 block 0 and 0→1 block 1;
 * 4→1 block 0 and 0→2 block 1; 4→2 block 0, 0→3 and 1→4 block 1.
 */
public final class CirculantBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public CirculantBroadcast() {
    super(
        Collective.BROADCAST,
        "circulant",
        new Traits(
            true,
            "circulant 2024",
            "each block along a tree of its own, in the fewest rounds possible; for long vectors",
            "b - 1 + ceil(log2 p)",
            "b - 1 + ceil(log2 p)",
            Set.of(
                Traits.Feature.HALVED_DISTANCES, Traits.Feature.PERIODIC, Traits.Feature.ROAMING)));
  }

  private static CirculantPipeline pipeline(Problem problem) {
    Ring ring = new Ring(problem.size());
    return new CirculantPipeline(
        problem.size(), problem.blocks(), node -> ring.shift(problem.root(), node));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int node = new Ring(problem.size()).shift(rank, -problem.root());
    pipeline(problem).broadcast(builder, node);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(problem.blocks() - 1 + Powers.ceilLog2(problem.size()), 1));
  }

  @Override
  protected int longestChain(Problem problem) {
    return pipeline(problem).longestChain();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The root sends in every round; nobody can send in more.
   */
  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks() - 1L + Powers.ceilLog2(problem.size());
  }
}
