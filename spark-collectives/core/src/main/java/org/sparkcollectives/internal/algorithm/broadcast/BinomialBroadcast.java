package org.sparkcollectives.internal.algorithm.broadcast;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.BinomialRounds;
import org.sparkcollectives.internal.shape.BinomialTree;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast along a binomial tree.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.2.
 *
 * <p><b>Idea.</b> In every round each rank that has the vector sends all of it to one that has not.
 * Ranks are counted from the root, which is then 0; the longest distances come first.
 *
 * <p><b>Cost.</b> For m bytes, any p: ceil(log2 p) rounds, ceil(log2 p)(α + mβ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5, root 0: 0→4; 0→2; 0→1 and 2→3.
 */
public final class BinomialBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinomialBroadcast() {
    super(
        Collective.BROADCAST,
        "binomial",
        new Traits(
            true,
            "mpich 2005, 4.2",
            "whole vectors along a binomial tree; for short vectors",
            "ceil(log2 p)",
            "b ceil(log2 p)",
            Set.of(Traits.Feature.BY_HOST)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    BinomialTree tree = new BinomialTree(problem.size(), 0);
    new BinomialRounds(tree, new BlockRange(0, problem.blocks()))
        .broadcast(
            builder,
            ring.shift(rank, -problem.root()),
            node -> ring.shift(node, problem.root()),
            0);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(Powers.ceilLog2(problem.size()), problem.blocks(), 0, false, false));
  }

  @Override
  protected int longestChain(Problem problem) {
    return new BinomialTree(problem.size(), 0).depth();
  }

  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() * Powers.ceilLog2(problem.size());
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
