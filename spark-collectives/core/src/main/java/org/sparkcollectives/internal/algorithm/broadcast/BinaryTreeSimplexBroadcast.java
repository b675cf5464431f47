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
 * Broadcast of block after block down one binary tree, in the simplex model: a rank sends or
 * receives in a round, never both.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 2, for the tree; its blocks follow each other in
 * every third round here.
 *
 * <p><b>Idea.</b> The tree of {@code pipelined-binary-tree}. A rank receives a block in one round,
 * and passes it to one child in the next and to the other in the one after.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: d + 1 + 3(b - 1) rounds with the d of {@code
 * pipelined-binary-tree}, about 1.44 log2 p. Each α + mβ/b, which tends to 3mβ: fewer rounds than
 * two trees of couples for few blocks, more for many.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 3, root 0, b = 2: 0→1 and 0→2 block 0, one after the other; a round of
 * rest; the same with block 1.
 */
public final class BinaryTreeSimplexBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinaryTreeSimplexBroadcast() {
    super(
        Collective.BROADCAST,
        "binary-tree-simplex",
        new Traits(
            true,
            "fractional 2000, 2",
            "block after block down one binary tree; never sends and receives at once",
            "3(b - 1) + ceil(1.4404 log2(p + 0.5) - 1.328)",
            "2b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.SIMPLEX)));
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
    return FractionalTreePipeline.simplex(problem);
  }
}
