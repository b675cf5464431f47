package org.sparkcollectives.internal.algorithm.reduce;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.BinaryBlocksReduction;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.HalvingDoubling;
import org.sparkcollectives.internal.shape.BinaryBlocks;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction by halving in runs of ranks whose lengths are powers of two and a binomial gather.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 5.2.
 *
 * <p><b>Idea.</b> As in the all-reduce by {@code binary-blocks}, the ranks of the longest run get
 * the result in parts. A binomial gather brings them to the root. A root in another run takes over
 * the part of rank 0, and with it rank 0's place.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k as {@code rabenseifner}. Otherwise, with runs of {@code 2^e}
 * ranks, e = e0 &gt; e1 &gt; … &gt; en: about 2·e0 rounds and {@code 2^(e_i - e_(i+1))} for the
 * pieces of each pair of runs, less those that overlap with the halvings of longer runs, and one
 * more for a root outside the longest run. A rank sends at most 1.5m.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, root 2, b = 2: 0→1 block 1 and 1→0 block 0; 2→0 block 0; 2→1 block 1;
 * 0→2 block 0; 1→2 block 1.
 */
public final class BinaryBlocksReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinaryBlocksReduce() {
    super(
        Collective.REDUCE,
        "binary-blocks",
        new Traits(
            true,
            "mpich 2005, 5.2",
            "halving in runs of 2^e ranks, then a binomial gather; for long vectors and any p",
            "2 log2 p; p not a power of two: <= 2 log2 q + 4q/(t 2^c) + 2c - 3",
            "<= b (3/2 - 1/q) + log2 q"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int root = problem.root();
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    int levels = runs.exponent(0);
    int chosen = isOutside(problem) ? 0 : root;
    new BinaryBlocksReduction(problem.blocks(), runs, chosen).enter(builder, rank);
    int round = runs.gathered(0);
    if (isOutside(problem)) {
      BlockRange part = EvenParts.halved(problem.blocks(), 0, levels);
      if (rank == chosen) {
        builder.send(round, root, VECTOR, part);
        return;
      }
      if (rank == root) {
        builder.receive(round, chosen, VECTOR, part);
      }
      round++;
    }
    if (rank == root || runs.indexOf(rank) == 0) {
      int index = rank == root ? 0 : rank ^ chosen;
      new HalvingDoubling(problem.blocks(), index, other -> other == 0 ? root : other ^ chosen)
          .gather(builder, round, levels);
    }
  }

  private static boolean isOutside(Problem problem) {
    return problem.root() >= Integer.highestOneBit(problem.size());
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    int levels = runs.exponent(0);
    int blocks = problem.blocks();
    List<Phase> phases = new ArrayList<>(new BinaryBlocksReduction(blocks, runs, 0).phases());
    int part = EvenParts.halved(blocks, 0, levels).size();
    phases.add(new Phase(isOutside(problem) ? 1 : 0, part, 0, false, false));
    phases.addAll(HalvingDoubling.gathers(blocks, levels));
    return phases;
  }

  /**
   * {@inheritDoc} One for each level of the longest run, and as many to the root: a run that waits
   * for a shorter one has little else to do.
   */
  @Override
  protected int longestChain(Problem problem) {
    return 2 * Powers.floorLog2(problem.size());
  }

  /** {@inheritDoc} It is the neighbour of the root, or of rank 0, at distance 1. */
  @Override
  public long blocksSent(Problem problem) {
    int levels = new BinaryBlocks(problem.size()).exponent(0);
    return problem.size() == 1 ? 0 : HalvingDoubling.gatherVolume(problem.blocks(), 1, levels);
  }

  @Override
  public int naturalBlocks(int size) {
    return Integer.highestOneBit(size);
  }
}
