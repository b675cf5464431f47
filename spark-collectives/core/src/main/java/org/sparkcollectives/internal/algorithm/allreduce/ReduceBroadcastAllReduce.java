package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.BinomialRounds;
import org.sparkcollectives.internal.shape.BinomialTree;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce as a reduction along a binomial tree and a broadcast along the same tree.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.5,
 * where it is the older algorithm.
 *
 * <p><b>Idea.</b> Rank 0 collects the vectors as in the reduction by {@code binomial} and spreads
 * the result as in the broadcast.
 *
 * <p><b>Cost.</b> For m bytes, any p: 2 ceil(log2 p) rounds, ceil(log2 p)(2α + 2mβ + mγ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5: 1→0 and 3→2; 2→0; 4→0; 0→4; 0→2; 0→1 and 2→3.
 */
public final class ReduceBroadcastAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public ReduceBroadcastAllReduce() {
    super(
        Collective.ALLREDUCE,
        "reduce-broadcast",
        new Traits(
            true,
            "mpich 2005, 4.5",
            "whole vectors up and down one binomial tree; for short vectors",
            "2 ceil(log2 p)",
            "b ceil(log2 p)",
            Set.of(Traits.Feature.BY_HOST)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    BinomialTree tree = new BinomialTree(problem.size(), 0);
    BinomialRounds rounds = new BinomialRounds(tree, new BlockRange(0, problem.blocks()));
    rounds.reduce(builder, rank, IntUnaryOperator.identity());
    rounds.broadcast(builder, rank, IntUnaryOperator.identity(), tree.levels());
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int levels = Powers.ceilLog2(problem.size());
    int blocks = problem.blocks();
    return List.of(
        new Phase(levels, blocks, blocks, false, false),
        new Phase(levels, blocks, 0, false, false));
  }

  @Override
  protected int longestChain(Problem problem) {
    return 2 * new BinomialTree(problem.size(), 0).depth();
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
