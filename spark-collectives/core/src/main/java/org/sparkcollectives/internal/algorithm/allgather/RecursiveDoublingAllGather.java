package org.sparkcollectives.internal.algorithm.allgather;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.pieces;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.FoldedParts;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Allgather by recursive doubling.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.1.1,
 * Fig. 1, for p a power of two; Section 5.1 for other numbers.
 *
 * <p><b>Idea.</b> In round s ranks at distance {@code 2^s} exchange all parts that they have. With
 * r ranks more than a power of two p', the first 2r ranks first join in pairs: the odd one sends
 * its part to the even one, and gets all others at the end. The paper mends every step in which a
 * group is incomplete instead, in up to 2 floor(log2 p) rounds.
 *
 * <p><b>Cost.</b> For m bytes in all: p = 2^k: k rounds, kα + m(1 - 1/p)β. Otherwise log2 p' + 2
 * rounds, (log2 p' + 2)α + 2mβ to 2.4mβ.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5: 1→0 part 1; 0↔2 parts 0 and 1 for 2, 3↔4; 0↔3 parts 0 to 2 for 3 and 4,
 * 2↔4; 0→1 parts 0, 2, 3, 4.
 */
public final class RecursiveDoublingAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RecursiveDoublingAllGather() {
    super(
        Collective.ALLGATHER,
        "recursive-doubling",
        new Traits(
            true,
            "mpich 2005, 4.1.1",
            "all that a rank has between ranks at doubling distances; for p = 2^k",
            "log2 p; p not a power of two: log2 q + 2",
            "<= b (1 - 1/p) + log2 p; p not a power of two: <= 2.4b + log2 q",
            Set.of(Traits.Feature.HALVED_DISTANCES, Traits.Feature.DOUBLED_DISTANCES)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    int start = folded.extra() > 0 ? 1 : 0;
    int end = start + folded.levels();
    builder.own(parts.own(rank));
    if (folded.isFoldedAway(rank)) {
      builder.send(0, rank - 1, VECTOR, parts.own(rank));
      builder.receive(end, rank - 1, pieces(VECTOR, others(parts, rank)));
      return;
    }
    if (folded.hasPartner(rank)) {
      builder.receive(0, rank + 1, VECTOR, parts.own(rank + 1));
      builder.send(end, rank + 1, pieces(VECTOR, others(parts, rank + 1)));
    }
    int member = folded.member(rank);
    for (int level = 0; level < folded.levels(); level++) {
      int other = member ^ (1 << level);
      builder.send(start + level, folded.rank(other), VECTOR, parts.group(member, level));
      builder.receive(start + level, folded.rank(other), VECTOR, parts.group(other, level));
    }
  }

  private static List<BlockRange> others(FoldedParts parts, int rank) {
    BlockRange own = parts.own(rank);
    return List.of(new BlockRange(0, own.from()), new BlockRange(own.to(), parts.blocks()));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    int fold = folded.extra() > 0 ? 1 : 0;
    List<Phase> phases = new ArrayList<>();
    phases.add(
        new Phase(fold, EvenParts.largest(problem.blocks(), problem.size()), 0, false, false));
    for (int level = 0; level < folded.levels(); level++) {
      phases.add(new Phase(1, parts.largestGroup(level)));
    }
    phases.add(
        new Phase(fold, problem.blocks() - problem.blocks() / problem.size(), 0, false, false));
    return phases;
  }

  @Override
  protected int longestChain(Problem problem) {
    return new FoldedRanks(problem.size()).longestChain();
  }

  @Override
  public long blocksSent(Problem problem) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    long most = 0;
    for (int member = 0; member < 1 << folded.levels(); member++) {
      int rank = folded.rank(member);
      long sum = 0;
      if (folded.hasPartner(rank)) {
        sum = (long) problem.blocks() - parts.own(rank + 1).size();
      }
      for (int level = 0; level < folded.levels(); level++) {
        sum += parts.group(member, level).size();
      }
      most = Math.max(most, sum);
    }
    return most;
  }
}
