package org.sparkcollectives.internal.algorithm.broadcast;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.HalvingDoubling;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast by a binomial scatter and an allgather by recursive doubling.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.2,
 * with the allgather of Section 4.1.1. For p other than a power of two, ranks stand back as in
 * Section 5.1 instead of sending more in between.
 *
 * <p><b>Idea.</b> Ranks are counted from the root. In the scatter the ranks that have a run of
 * blocks send half of it on, at distances 1, 2, 4 …; the allgather takes the same pairs of ranks
 * backwards, and each sends the other what it has, unless the other had it in the scatter. The root
 * keeps upper halves. If p is not a power of two, every odd one of the first ranks stands back for
 * the even one before it, which sends it the vector at the end.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k: 2k rounds, 2kα + 2m(1 - 1/p)β. Otherwise 2 floor(log2 p) +
 * 1 rounds, about (2 floor(log2 p) + 1)α + 3mβ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 4, root 0, b = 4: 0→1 blocks 0 and 1; 0→2 block 2 and 1→3 block 0; 0→2
 * block 3 and 1→3 block 1; 0→1 and 2→3 blocks 2 and 3, 3→2 blocks 0 and 1.
 */
public final class ScatterDoublingBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public ScatterDoublingBroadcast() {
    super(
        Collective.BROADCAST,
        "scatter-allgather-recursive-doubling",
        new Traits(
            true,
            "mpich 2005, 4.2",
            "halves dealt out, then gathered by pairs of ranks; for long vectors, p = 2^k",
            "2 log2 p; p not a power of two: 2 log2 q + 1",
            "<= 2b (1 - 1/p) + log2 p; p not a power of two: <= b (3 - 2/q) + log2 q"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    FoldedRanks folded = new FoldedRanks(problem.size());
    BlockRange all = new BlockRange(0, problem.blocks());
    int levels = folded.levels();
    int node = ring.shift(rank, -problem.root());
    if (folded.isFoldedAway(node)) {
      builder.receive(2 * levels, ring.shift(rank, -1), VECTOR, all);
      return;
    }
    int member = folded.member(node);
    int highest = (1 << levels) - 1;
    // The root, member 0, keeps upper halves: its part has a block even if there is only one.
    HalvingDoubling group =
        new HalvingDoubling(
            problem.blocks(),
            member ^ highest,
            path -> ring.shift(folded.rank(path ^ highest), problem.root()));
    scatter(builder, member, levels, group);
    for (int level = levels; level > 0; level--) {
      int bit = 1 << (level - 1);
      int other = group.member() ^ bit;
      int peer = group.rankOf().applyAsInt(other);
      int round = 2 * levels - level;
      if ((member ^ bit) >= bit) {
        builder.send(round, peer, VECTOR, group.held(level));
      }
      if (member >= bit) {
        builder.receive(round, peer, VECTOR, EvenParts.halved(problem.blocks(), other, level));
      }
    }
    if (folded.hasPartner(node)) {
      builder.send(2 * levels, ring.shift(rank, 1), VECTOR, all);
    }
  }

  private static void scatter(
      ScheduleBuilder builder, int member, int levels, HalvingDoubling group) {
    for (int level = 0; level < levels; level++) {
      int bit = 1 << level;
      int other = group.member() ^ bit;
      int peer = group.rankOf().applyAsInt(other);
      if (member < bit) {
        builder.send(level, peer, VECTOR, EvenParts.halved(group.blocks(), other, level + 1));
      } else if (member < 2 * bit) {
        builder.receive(level, peer, VECTOR, group.held(level + 1));
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int levels = Powers.floorLog2(problem.size());
    int fold = Powers.isPowerOfTwo(problem.size()) ? 0 : 1;
    List<Phase> phases = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      int lowerHalf = EvenParts.largest(problem.blocks(), 1 << level) / 2;
      phases.add(new Phase(1, lowerHalf, 0, false, false));
    }
    phases.addAll(HalvingDoubling.doublings(problem.blocks(), levels));
    phases.add(new Phase(fold, problem.blocks(), 0, false, false));
    return phases;
  }

  /** {@inheritDoc} It is the root, which has the largest part and sends in every round. */
  @Override
  public long blocksSent(Problem problem) {
    int size = problem.size();
    if (size == 1) {
      return 0;
    }
    int levels = Powers.floorLog2(size);
    int blocks = problem.blocks();
    long folded = Powers.isPowerOfTwo(size) ? 0 : blocks;
    return folded + blocks + HalvingDoubling.doublingVolume(blocks, (1 << levels) - 1, levels - 1);
  }

  @Override
  public int naturalBlocks(int size) {
    return Integer.highestOneBit(size);
  }
}
