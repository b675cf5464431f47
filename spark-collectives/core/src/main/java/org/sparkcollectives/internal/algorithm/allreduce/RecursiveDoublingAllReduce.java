package org.sparkcollectives.internal.algorithm.allreduce;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce by recursive doubling.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.5.
 *
 * <p><b>Idea.</b> In round s ranks at distance {@code 2^s} exchange whole vectors and both combine
 * them, lower rank on the left, so both form the same expression. With r ranks more than a power of
 * two p', the first 2r ranks first join in pairs: the odd one sends its vector to the even one, and
 * gets the result at the end.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k: k rounds, k(α + mβ + mγ). Otherwise log2 p' + 2 rounds, the
 * last without γ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5: 1→0; 0↔2, 3↔4; 0↔3, 2↔4; 0→1.
 */
public final class RecursiveDoublingAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RecursiveDoublingAllReduce() {
    super(
        Collective.ALLREDUCE,
        "recursive-doubling",
        new Traits(
            true,
            "mpich 2005, 4.5",
            "whole vectors between ranks at doubling distances; for short vectors",
            "log2 p; p not a power of two: log2 q + 2",
            "b log2 p; p not a power of two: b (log2 q + 1)"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    BlockRange all = new BlockRange(0, problem.blocks());
    int last = rounds(problem) - 1;
    if (folded.isFoldedAway(rank)) {
      builder.send(0, rank - 1, VECTOR, all);
      builder.receive(last, rank - 1, VECTOR, all);
      return;
    }
    int round = 0;
    if (folded.extra() > 0) {
      if (folded.hasPartner(rank)) {
        builder.receiveRight(0, rank + 1, all);
        builder.send(last, rank + 1, VECTOR, all);
      }
      round = 1;
    }
    int member = folded.member(rank);
    for (int level = 0; level < folded.levels(); level++) {
      int peer = folded.rank(member ^ (1 << level));
      builder.send(round + level, peer, VECTOR, all);
      builder.receiveInOrder(round + level, peer, all);
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int fold = Powers.isPowerOfTwo(problem.size()) ? 0 : 1;
    int exchanges = Powers.floorLog2(problem.size());
    int blocks = problem.blocks();
    return List.of(
        new Phase(fold, blocks, blocks, false, false),
        new Phase(exchanges, blocks, blocks),
        new Phase(fold, blocks, 0, false, false));
  }

  @Override
  protected int longestChain(Problem problem) {
    return new FoldedRanks(problem.size()).longestChain();
  }

  @Override
  public long blocksSent(Problem problem) {
    int sends = Powers.floorLog2(problem.size()) + (Powers.isPowerOfTwo(problem.size()) ? 0 : 1);
    return (long) problem.blocks() * sends;
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
