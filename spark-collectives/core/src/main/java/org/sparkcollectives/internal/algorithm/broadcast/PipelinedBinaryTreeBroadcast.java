package org.sparkcollectives.internal.algorithm.broadcast;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.FractionalTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast of block after block down one binary tree.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 2; Sanders, Speck, Träff 2009
 * (doi:10.1016/j.parco.2009.09.001), Section 2, (1).
 *
 * <p><b>Idea.</b> Every rank passes each block first to one child and then to the other. The second
 * subtree has one round less and so holds fewer ranks: the tree is a Fibonacci tree, all of whose
 * leaves have their first block at about the same time. It is a fractional tree with groups of one.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: d + 2b - 1 rounds, where d + 1 is the least t
 * with P(t) ≥ p for P(0) = 1, P(1) = 2, P(t) = 1 + P(t-1) + P(t-2), so d is about 1.44 log2 p. Each
 * α + mβ/b, which tends to 2mβ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 7, root 0, b = 1: 0→3; 0→1 and 3→5; 1→2, 3→4 and 5→6.
 */
public final class PipelinedBinaryTreeBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PipelinedBinaryTreeBroadcast() {
    super(
        Collective.BROADCAST,
        "pipelined-binary-tree",
        new Traits(
            true,
            "fractional 2000, 2",
            "block after block down one binary tree; for vectors of medium size",
            "2(b - 1) + ceil(1.4404 log2(p + 0.5) - 1.328)",
            "2b",
            Set.of(Traits.Feature.BY_HOST)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    pipeline(problem).broadcast(builder, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return pipeline(problem).broadcastPhases();
  }

  @Override
  public long blocksSent(Problem problem) {
    return pipeline(problem).blocksSent();
  }

  private static FractionalTreePipeline pipeline(Problem problem) {
    return FractionalTreePipeline.anyOrder(problem, 1);
  }
}
