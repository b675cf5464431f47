package org.sparkcollectives.internal.algorithm.reduce;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.ButterflyReduction;
import org.sparkcollectives.internal.algorithm.pattern.HalvingDoubling;
import org.sparkcollectives.internal.shape.Butterfly;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction by halving in a butterfly, in which three ranks become two where their number is odd,
 * and a binomial gather.
 *
 * <p><b>Source.</b> Rabenseifner, Träff 2004 (LNCS 3241, pages 36–46), cited by Sanders, Speck,
 * Träff 2009, Section 6.2.
 *
 * <p><b>Idea.</b> The first half of the all-reduce by {@code improved-butterfly}, with the root
 * never eliminated; then the ranks that have parts give them to the root along a binomial tree, as
 * in {@code rabenseifner}. Those that were eliminated are done.
 *
 * <p><b>Cost.</b> For m bytes, p' the largest power of two up to p, t the largest that divides p: p
 * = p' as {@code rabenseifner}. For p up to 1.5p' 2 log2 p' + 1 rounds, (2 log2 p' + 1)α + m(2 -
 * 2/p' + 1/2t)β + m(1 - 1/p' + 1/2t)γ. For larger p one round and m/p' (β + γ) more.
 *
 * <p><b>Restrictions.</b> None; blocks that p' does not divide make uneven parts. <b>Memory.</b>
 * The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, root 1, b = 2: 0→1 block 0 and 1→2 block 1; 2→1 block 0 and 0→2 block
 * 1; 2→1 block 1.
 */
public final class ImprovedButterflyReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public ImprovedButterflyReduce() {
    super(
        Collective.REDUCE,
        "improved-butterfly",
        new Traits(
            true,
            "butterfly 2004",
            "halving, where three ranks become two, then a binomial gather; for medium vectors",
            "2 log2 q + 2; p = q: 2 log2 p; p <= 1.5 q: 2 log2 q + 1",
            "<= b (3/2 - 1/q) + log2 q"));
  }

  private static ButterflyReduction reduction(Problem problem) {
    return new ButterflyReduction(problem.blocks(), new Butterfly(problem.size(), problem.root()));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    ButterflyReduction reduction = reduction(problem);
    reduction.reduceScatter(builder, rank);
    reduction.gather(builder, reduction.rounds(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    List<Phase> phases = new ArrayList<>(reduction(problem).reduceScatterPhases());
    phases.addAll(HalvingDoubling.gathers(problem.blocks(), Powers.floorLog2(problem.size())));
    return phases;
  }

  /**
   * {@inheritDoc} One for each level, and as many to the root: in the two rounds of three ranks
   * each sends what it had before them.
   */
  @Override
  protected int longestChain(Problem problem) {
    return 2 * Powers.floorLog2(problem.size());
  }

  /** {@inheritDoc} It is the rank that gives the root half of the vector at the end. */
  @Override
  public long blocksSent(Problem problem) {
    int levels = Powers.floorLog2(problem.size());
    return problem.size() == 1 ? 0 : HalvingDoubling.gatherVolume(problem.blocks(), 1, levels);
  }

  @Override
  public int naturalBlocks(int size) {
    return Integer.highestOneBit(size);
  }
}
