package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.ButterflyReduction;
import org.sparkcollectives.internal.shape.Butterfly;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce by halving and doubling in a butterfly, in which three ranks become two where their
 * number is odd.
 *
 * <p><b>Source.</b> Rabenseifner, Träff 2004 (LNCS 3241, pages 36–46), cited by Sanders, Speck,
 * Träff 2009, Section 6.2.
 *
 * <p><b>Idea.</b> As in {@code rabenseifner}, ranks at distance 1, 2, 4 … exchange halves, quarters
 * … of the vector and the same backwards. With p not a power of two, {@code rabenseifner} first
 * makes one of two where there are too many, with whole vectors. Here one of three gives half of
 * what it holds to each of the others, in one round more, and gets it back in one round more; and
 * this happens as late as can be, where the parts are small ({@link Butterfly}).
 *
 * <p><b>Cost.</b> For m bytes, p' the largest power of two up to p, t the largest that divides p: p
 * = p' as {@code rabenseifner}. For p up to 1.5p' 2 log2 p' + 2 rounds, (2 log2 p' + 2)α + m(2 -
 * 2/p' + 1/t)β + m(1 - 1/p' + 1/2t)γ: for p = 12 2m, for odd p 3m. For larger p two rounds and m/p'
 * (2β + γ) more.
 *
 * <p><b>Restrictions.</b> None; blocks that p' does not divide make uneven parts. <b>Memory.</b>
 * The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, b = 2: 0→1 block 0 and 1→2 block 1; 2→1 block 0 and 0→2 block 1, now
 * complete; 1→2 block 0 and 2→0 block 1; 1→0 block 0 and 2→1 block 1.
 */
public final class ImprovedButterflyAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public ImprovedButterflyAllReduce() {
    super(
        Collective.ALLREDUCE,
        "improved-butterfly",
        new Traits(
            true,
            "butterfly 2004",
            "halving and doubling, where three ranks become two; for medium vectors and any p",
            "2 log2 q + 4; p = q: 2 log2 p; p <= 1.5 q: 2 log2 q + 2",
            "<= b (2 - 1/q + 1/(2t)) + log2 q + 1; p = q: <= 2b (1 - 1/p) + log2 p;"
                + " p <= 1.5 q: <= b (2 - 2/q + 1/(2t)) + log2 q + 1"));
  }

  private static ButterflyReduction reduction(Problem problem) {
    return new ButterflyReduction(problem.blocks(), new Butterfly(problem.size(), Butterfly.NONE));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    ButterflyReduction reduction = reduction(problem);
    reduction.reduceScatter(builder, rank);
    reduction.allgather(builder, reduction.rounds(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    ButterflyReduction reduction = reduction(problem);
    List<Phase> phases = new ArrayList<>(reduction.reduceScatterPhases());
    phases.addAll(reduction.allgatherPhases());
    return phases;
  }

  /**
   * {@inheritDoc} One for each level there and back: in the two rounds of three ranks each sends
   * what it had before them.
   */
  @Override
  protected int longestChain(Problem problem) {
    return 2 * Powers.floorLog2(problem.size());
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : reduction(problem).mostSent();
  }

  @Override
  public int naturalBlocks(int size) {
    return Integer.highestOneBit(size);
  }
}
