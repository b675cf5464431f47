package org.sparkcollectives.internal.algorithm.reduce;

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
 * Reduction by a reduce-scatter with vector halving and distance doubling and a binomial gather.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Sections 4.5
 * and 5.1.
 *
 * <p><b>Idea.</b> Ranks at distance 1, 2, 4 … exchange halves, quarters, eighths … of the vector
 * until each rank holds the sum of one part; then the same pairs backwards, where the one that is
 * farther from the root gives all it has to the other. The root keeps lower halves. With r ranks
 * more than a power of two p', the first 2r ranks first join in pairs: each of the two sums one
 * half; then the odd one, or the even one if the odd one is the root, hands its half to the other
 * and stands back.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k: 2k rounds, 2kα + 2m(1 - 1/p)β + m(1 - 1/p)γ. Otherwise 2
 * floor(log2 p) + 2 rounds, about (2 floor(log2 p) + 2)α + 3mβ + 1.5mγ.
 *
 * <p><b>Restrictions.</b> None; blocks that p' does not divide make uneven parts. <b>Memory.</b>
 * The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, root 1, b = 2: 0→1 block 1 and 1→0 block 0; 0→1 block 0; 1→2 block 1
 * and 2→1 block 0; 2→1 block 1.
 */
public final class RabenseifnerReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RabenseifnerReduce() {
    super(
        Collective.REDUCE,
        "rabenseifner",
        new Traits(
            true,
            "mpich 2005, 5.1",
            "reduce-scatter by halving, then a binomial gather; for long vectors",
            "2 log2 p; p not a power of two: 2 log2 q + 2",
            "<= b (3/2 - 1/p) + log2 p; p not a power of two: <= 2b + log2 q"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int root = problem.root();
    FoldedRanks folded = new FoldedRanks(problem.size());
    boolean odd = folded.isFoldedAway(rank);
    if (odd || folded.hasPartner(rank)) {
      BlockRange all = new BlockRange(0, problem.blocks());
      BlockRange own = odd ? all.upperHalf() : all.lowerHalf();
      BlockRange others = odd ? all.lowerHalf() : all.upperHalf();
      int partner = odd ? rank - 1 : rank + 1;
      builder.send(0, partner, VECTOR, others);
      builder.receiveInOrder(0, partner, own);
      if (rank != root && (odd || partner == root)) {
        builder.send(1, partner, VECTOR, own);
        return;
      }
      builder.receive(1, partner, VECTOR, others);
    }
    int rootMember = memberOf(folded, root);
    HalvingDoubling group =
        new HalvingDoubling(
            problem.blocks(),
            memberOf(folded, rank) ^ rootMember,
            path -> path == 0 ? root : folded.rank(path ^ rootMember));
    int round = folded.extra() > 0 ? 2 : 0;
    group.reduceScatter(builder, round, folded.levels());
    group.gather(builder, round + folded.levels(), folded.levels());
  }

  /** The member that a rank is or stands back for. */
  private static int memberOf(FoldedRanks folded, int rank) {
    return folded.member(folded.isFoldedAway(rank) ? rank - 1 : rank);
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
    phases.addAll(HalvingDoubling.gathers(blocks, levels));
    return phases;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Of all members, the root's neighbour at distance 1 sends most: half of the vector at the
   * end. Of those with a partner, the first r, it is that one too or, in each run of {@code 2^t}
   * members that r is composed of, the one that takes upper halves in the lowest t bits.
   */
  @Override
  public long blocksSent(Problem problem) {
    int size = problem.size();
    if (size == 1) {
      return 0;
    }
    FoldedRanks folded = new FoldedRanks(size);
    int blocks = problem.blocks();
    int levels = folded.levels();
    long most = HalvingDoubling.gatherVolume(blocks, 1, levels);
    int rootMember = memberOf(folded, problem.root());
    for (int t = 0; t < levels; t++) {
      if ((folded.extra() >> t & 1) == 1) {
        int run = folded.extra() >> (t + 1) << 1 ^ rootMember >> t;
        int path = run != 0 ? run << t | ((1 << t) - 1) : t > 0 ? 1 : 0;
        boolean lower = path == 0 && folded.isFoldedAway(problem.root());
        int half = lower ? blocks / 2 : (blocks + 1) / 2;
        most = Math.max(most, half + HalvingDoubling.gatherVolume(blocks, path, levels));
      }
    }
    return most;
  }

  @Override
  public int naturalBlocks(int size) {
    return Integer.highestOneBit(size);
  }
}
