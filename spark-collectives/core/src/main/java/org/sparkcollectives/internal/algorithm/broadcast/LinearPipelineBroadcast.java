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
 * Broadcast of block after block along a chain of all ranks.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 2.
 *
 * <p><b>Idea.</b> Every rank passes a block on to the next one while it receives the next block.
 * The ranks are counted from the root. The chain is a fractional tree of one group.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: p - 2 + b rounds, (p - 2 + b)(α + mβ/b), which
 * tends to mβ; least at b = √((p - 2)mβ/α).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5, root 3: every block goes 3→4→0→1→2; block 1 one round behind block 0.
 */
public final class LinearPipelineBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public LinearPipelineBroadcast() {
    super(
        Collective.BROADCAST,
        "linear-pipeline",
        new Traits(
            true,
            "fractional 2000, 2",
            "block after block along a chain of all ranks; for very long vectors, small p",
            "p - 2 + b",
            "b",
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
    return FractionalTreePipeline.anyOrder(problem, Math.max(problem.size(), problem.blocks()));
  }
}
