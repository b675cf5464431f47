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
 * Broadcast of block after block down a binary tree whose nodes are chains of r ranks.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 3, Fig. 2.
 *
 * <p><b>Idea.</b> A chain has no branches and so all the bandwidth, a binary tree has the shorter
 * way. Here the ranks of a {@link org.sparkcollectives.internal.shape.FractionalTree group} pass
 * every block along and take turns in feeding the head of a second group, so that a rank sends r +
 * 1 messages for r that it receives. Ranks are counted from the root.
 *
 * <p>The group size r is the one with the fewest rounds for p and b, see {@link
 * FractionalTreePipeline#fastest}. For given b all rounds take the same time, so it is the fastest
 * for any α and β as well; who chooses b by cost thereby chooses r by p, m, α and β.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: d + b + floor((b - 1)/r) rounds, where d + 1 is
 * the least t with P(t) ≥ p for P(t) = r + P(t-r) + P(t-r-1), and P(t) = t + 1 for t ≤ r; d is in
 * the order of r log(p/r). Each α + mβ/b, which tends to mβ with r near (b / log p)^(1/2). Never
 * more rounds than {@code linear-pipeline} or {@code pipelined-binary-tree}.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 7, root 0, r = 2: the groups are 0 1, 2 3, 4 and 5 6. Blocks go 0→1→2→3→4;
 * even ones 0→5, odd ones 1→5; and 5→6.
 */
public final class FractionalTreeBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public FractionalTreeBroadcast() {
    super(
        Collective.BROADCAST,
        "fractional-tree",
        new Traits(
            true,
            "fractional 2000, 3",
            "block after block down a binary tree of chains; for long vectors",
            "<= min(p - 2 + b, b + 1.44 log2 p + 1.5 (b log2 p)^0.5)",
            "<= 2b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.REGROUPING)));
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
    return FractionalTreePipeline.fastest(
        problem, group -> FractionalTreePipeline.anyOrder(problem, group));
  }
}
