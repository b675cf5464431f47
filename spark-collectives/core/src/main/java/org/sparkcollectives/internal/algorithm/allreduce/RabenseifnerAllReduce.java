package org.sparkcollectives.internal.algorithm.allreduce;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.HalvingDoubling;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce by reduce-scatter and allgather with vector halving and distance doubling.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 5.1,
 * Fig. 12.
 *
 * <p><b>Idea.</b> Ranks at distance 1, 2, 4 … exchange halves, quarters, eighths … of the vector
 * until each rank holds the sum of one part; then the same backwards, without summing. With r ranks
 * more than a power of two p', the first 2r ranks first join in pairs: each of the two sums one
 * half, the odd one hands its half to the even one, stands back, and gets the result at the end.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k: 2k rounds, 2kα + 2m(1 - 1/p)β + m(1 - 1/p)γ. Otherwise 2
 * log2 p' + 3 rounds, about (2 log2 p' + 3)α + 4mβ + 1.5mγ.
 *
 * <p><b>Restrictions.</b> None; blocks that p' does not divide make uneven parts. <b>Memory.</b>
 * The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, b = 2: 0→1 block 1 and 1→0 block 0; 1→0 block 1; 0→2 block 1 and 2→0
 * block 0; 0→2 block 0 and 2→0 block 1; 0→1 both.
 */
public final class RabenseifnerAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RabenseifnerAllReduce() {
    super(
        Collective.ALLREDUCE,
        "rabenseifner",
        new Traits(
            true,
            "mpich 2005, 5.1",
            "reduce-scatter by halving, allgather by doubling; for long vectors and p = 2^k",
            "2 log2 p; p not a power of two: 2 log2 q + 3",
            "<= 2b (1 - 1/p) + log2 p; p not a power of two: <= b (7/2 - 2/q) + log2 q"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    BlockRange all = new BlockRange(0, problem.blocks());
    int last = rounds(problem) - 1;
    if (folded.isFoldedAway(rank)) {
      builder.send(0, rank - 1, VECTOR, all.lowerHalf());
      builder.receiveLeft(0, rank - 1, all.upperHalf());
      builder.send(1, rank - 1, VECTOR, all.upperHalf());
      builder.receive(last, rank - 1, VECTOR, all);
      return;
    }
    if (folded.hasPartner(rank)) {
      builder.send(0, rank + 1, VECTOR, all.upperHalf());
      builder.receiveRight(0, rank + 1, all.lowerHalf());
      builder.receive(1, rank + 1, VECTOR, all.upperHalf());
      builder.send(last, rank + 1, VECTOR, all);
    }
    int round = folded.extra() > 0 ? 2 : 0;
    int levels = folded.levels();
    HalvingDoubling group =
        new HalvingDoubling(problem.blocks(), folded.member(rank), folded::rank);
    group.reduceScatter(builder, round, levels);
    group.allgather(builder, round + levels, levels, 0);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int fold = Powers.isPowerOfTwo(problem.size()) ? 0 : 1;
    int levels = Powers.floorLog2(problem.size());
    int blocks = problem.blocks();
    int half = (blocks + 1) / 2;
    List<Phase> phases = new ArrayList<>();
    phases.add(new Phase(fold, half, half));
    phases.add(new Phase(fold, half, 0, false, false));
    phases.addAll(HalvingDoubling.halvings(blocks, levels));
    phases.addAll(HalvingDoubling.doublings(blocks, levels));
    phases.add(new Phase(fold, blocks, 0, false, false));
    return phases;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Upper halves are never smaller, so the member that takes upper halves throughout sends most
   * of the members without a partner. Of those with one, which are the first r, it is r - 1 or one
   * of the numbers that end in ones where r - 1 has a one and any bits.
   */
  @Override
  public long blocksSent(Problem problem) {
    int size = problem.size();
    if (size == 1) {
      return 0;
    }
    int blocks = problem.blocks();
    int levels = Powers.floorLog2(size);
    long most = memberSends(blocks, (1 << levels) - 1, levels);
    int extra = new FoldedRanks(size).extra();
    if (extra > 0) {
      int highest = extra - 1;
      long members = memberSends(blocks, highest, levels);
      for (int bit = 0; bit < levels; bit++) {
        if ((highest >> bit & 1) == 1) {
          int candidate = highest >> (bit + 1) << (bit + 1) | ((1 << bit) - 1);
          members = Math.max(members, memberSends(blocks, candidate, levels));
        }
      }
      most = Math.max(most, members + (blocks + 1) / 2 + blocks);
    }
    return most;
  }

  private static long memberSends(int blocks, int member, int levels) {
    return blocks + HalvingDoubling.doublingVolume(blocks, member, levels - 1);
  }

  @Override
  public int naturalBlocks(int size) {
    return Integer.highestOneBit(size);
  }
}
