package org.sparkcollectives.internal.algorithm.reducescatter;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.FoldedParts;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter by halving both the vector and the distance.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.4,
 * Fig. 9.
 *
 * <p><b>Idea.</b> Ranks at half the number of ranks exchange what the other's half needs, then
 * ranks at a quarter in each half, and so on. With r ranks more than a power of two p', the first
 * 2r ranks first join in pairs: the odd one sends its vector to the even one, which works for both
 * and sends the odd one's part back at the end.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k: k rounds, kα + m(1 - 1/p)(β + γ). Otherwise log2 p' + 2
 * rounds, about (log2 p' + 2)α + 2m(β + γ), the last round without γ.
 *
 * <p><b>Restrictions.</b> The first operands to be combined are p/2 ranks apart, so the operator
 * must commute. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5, b = 5: 1→0 all; 0↔3 and 2↔4, 0 and 2 get blocks 0 to 2, 3 and 4 get 3
 * and 4; 0↔2, 0 gets 0 and 1, 2 gets 2, and 3↔4; 0→1 block 1.
 */
public final class RecursiveHalvingReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RecursiveHalvingReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "recursive-halving",
        new Traits(
            false,
            "mpich 2005, 4.4",
            "halves between ranks at halving distances; for long vectors and p = 2^k",
            "log2 p; p not a power of two: <= log2 q + 2",
            "b - floor(b/p); p not a power of two: b",
            Set.of(Traits.Feature.HALVED_DISTANCES, Traits.Feature.DOUBLED_DISTANCES)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    parts.fold(builder, rank);
    if (folded.isFoldedAway(rank)) {
      return;
    }
    int end = (folded.extra() > 0 ? 1 : 0) + folded.levels();
    int member = folded.member(rank);
    for (int level = folded.levels() - 1; level >= 0; level--) {
      int other = member ^ (1 << level);
      int round = end - 1 - level;
      builder.send(round, folded.rank(other), VECTOR, parts.group(other, level));
      builder.receiveInOrder(round, folded.rank(other), parts.group(member, level));
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    List<Phase> phases = new ArrayList<>();
    phases.add(
        new Phase(folded.extra() > 0 ? 1 : 0, problem.blocks(), problem.blocks(), false, false));
    for (int level = folded.levels() - 1; level >= 0; level--) {
      int group = parts.largestGroup(level);
      phases.add(new Phase(1, group, group));
    }
    int part = EvenParts.largest(problem.blocks(), problem.size());
    phases.add(new Phase(parts.foldedHaveBlocks() ? 1 : 0, part, 0, false, false));
    return phases;
  }

  @Override
  protected int longestChain(Problem problem) {
    return new FoldedRanks(problem.size()).longestChain();
  }

  /** {@inheritDoc} A rank sends all but its own part, one that stands back the whole vector. */
  @Override
  public long blocksSent(Problem problem) {
    int blocks = problem.blocks();
    boolean folded = new FoldedRanks(problem.size()).extra() > 0;
    return folded ? blocks : (long) blocks - blocks / problem.size();
  }
}
