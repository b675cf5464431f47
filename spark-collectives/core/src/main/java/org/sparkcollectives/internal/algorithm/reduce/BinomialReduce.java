package org.sparkcollectives.internal.algorithm.reduce;

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
 * Reduction along a binomial tree.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.5.
 *
 * <p><b>Idea.</b> In round s the groups of {@code 2^s} neighbouring ranks join in pairs: one leader
 * sends its group's sum to the other. Ranks are counted from the root, and the leader is the lowest
 * one. In rank order they keep their numbers, and the root leads its own group, so that every root
 * is served without a further message; the paper renumbers then, too, and needs an operator that
 * commutes.
 *
 * <p><b>Cost.</b> For m bytes, any p: ceil(log2 p) rounds, ceil(log2 p)(α + mβ + mγ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5, root 3, in order: 1→0 and 2→3; 0→3; 4→3. Otherwise: 4→3 and 1→0; 0→3;
 * 2→3.
 */
public final class BinomialReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinomialReduce() {
    super(
        Collective.REDUCE,
        "binomial",
        new Traits(
            true,
            "mpich 2005, 4.5",
            "whole vectors along a binomial tree; for short vectors",
            "ceil(log2 p)",
            "b",
            Set.of(Traits.Feature.BY_HOST)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    int first = problem.ordered() ? 0 : problem.root();
    new BinomialRounds(tree(problem), new BlockRange(0, problem.blocks()))
        .reduce(builder, ring.shift(rank, -first), node -> ring.shift(node, first));
  }

  private static BinomialTree tree(Problem problem) {
    return new BinomialTree(problem.size(), problem.ordered() ? problem.root() : 0);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(
        new Phase(
            Powers.ceilLog2(problem.size()), problem.blocks(), problem.blocks(), false, false));
  }

  @Override
  protected int longestChain(Problem problem) {
    return tree(problem).depth();
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
