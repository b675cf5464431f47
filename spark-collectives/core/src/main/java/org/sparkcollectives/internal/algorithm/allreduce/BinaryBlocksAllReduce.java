package org.sparkcollectives.internal.algorithm.allreduce;

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
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce by halving and doubling in runs of ranks whose lengths are powers of two.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 5.2,
 * Fig. 13.
 *
 * <p><b>Idea.</b> p is a sum of powers of two, and the ranks are cut into runs of these lengths,
 * the longest first. Each run does its own reduce-scatter by halving. Then, from the shortest run
 * on, each rank of a run sends its part, cut further, to the ranks of the next longer run that hold
 * these pieces. The longest run then has the result in parts. Allgather by doubling in each run; as
 * soon as parts have the size of the next shorter run's, one rank for each part sends it there.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k as {@code rabenseifner}. Otherwise, with runs of {@code 2^e}
 * ranks, e = e0 &gt; e1 &gt; … &gt; en: about 2·e0 + n rounds and {@code 2^(e_i - e_(i+1))} for the
 * pieces of each pair of runs, less those that overlap with the halvings of longer runs. That is
 * few where the exponents are close (23 rounds for p = 100), and p - 1 more for p = 2^k + 1. A rank
 * sends at most about 3m, and less than 2m + m/2^e1 in the longest run.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, b = 2: 0→1 block 1 and 1→0 block 0; 2→0 block 0; 2→1 block 1; 0↔1 their
 * blocks; 0→2 both.
 */
public final class BinaryBlocksAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinaryBlocksAllReduce() {
    super(
        Collective.ALLREDUCE,
        "binary-blocks",
        new Traits(
            true,
            "mpich 2005, 5.2",
            "halving and doubling in runs of 2^e ranks; for long vectors and any p",
            "2 log2 p; p not a power of two: <= 2 log2 q + 4q/(t 2^c) + 3c - 5",
            "<= 2b (1 - 1/p) + log2 p; p not a power of two: <= 3b + log2 q"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    BinaryBlocksReduction reduction = new BinaryBlocksReduction(problem.blocks(), runs, 0);
    reduction.enter(builder, rank);
    int run = runs.indexOf(rank);
    int exponent = runs.exponent(run);
    HalvingDoubling group = reduction.group(run, rank);
    int back = returned(runs, run);
    if (run > 0) {
      int peer = runs.first(run - 1) + group.member();
      builder.receive(back - 1, peer, VECTOR, group.held(exponent));
    }
    if (run + 1 == runs.count()) {
      group.allgather(builder, back, exponent, 0);
      return;
    }
    int shorter = runs.exponent(run + 1);
    group.allgather(builder, back, exponent, shorter);
    int handOver = back + exponent - shorter;
    if (group.member() < 1 << shorter) {
      builder.send(handOver, runs.first(run + 1) + group.member(), VECTOR, group.held(shorter));
    }
    group.allgather(builder, handOver + 1, shorter, 0);
  }

  /** The round from which on a run's ranks hold their parts of the result. */
  private static int returned(BinaryBlocks runs, int run) {
    return runs.gathered(0) + runs.exponent(0) - runs.exponent(run) + run;
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    int gathered = runs.gathered(0);
    int[] sizes = new int[runs.exponent(0) + runs.count() - 1];
    for (int run = 0; run < runs.count(); run++) {
      int exponent = runs.exponent(run);
      int back = returned(runs, run) - gathered;
      for (int level = 1; level <= exponent; level++) {
        boolean handedOver = run + 1 < runs.count() && level <= runs.exponent(run + 1);
        enter(sizes, back + exponent - level + (handedOver ? 1 : 0), problem.blocks(), level);
      }
      if (run > 0) {
        enter(sizes, back - 1, problem.blocks(), exponent);
      }
    }
    List<Phase> phases =
        new ArrayList<>(new BinaryBlocksReduction(problem.blocks(), runs, 0).phases());
    for (int size : sizes) {
      phases.add(new Phase(1, size));
    }
    return Phase.merged(phases);
  }

  /** Notes messages of a vector's {@code 2^level}-th part in a round. */
  private static void enter(int[] sizes, int round, int blocks, int level) {
    sizes[round] = Math.max(sizes[round], EvenParts.largest(blocks, 1 << level));
  }

  /**
   * {@inheritDoc} One for each level of the longest run there and back, and one for each run beside
   * it: a run that waits for a shorter one has little else to do.
   */
  @Override
  protected int longestChain(Problem problem) {
    int beside = new BinaryBlocks(problem.size()).count() - 1;
    return 2 * Powers.floorLog2(problem.size()) + beside;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Upper halves are never smaller, so in each run it is the rank that takes upper halves
   * throughout, or the one that takes them as far as the ranks go that send parts to a shorter run.
   */
  @Override
  public long blocksSent(Problem problem) {
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    long most = 0;
    for (int run = 0; run < runs.count(); run++) {
      most = Math.max(most, sends(problem, runs, run, (1 << runs.exponent(run)) - 1));
      if (run + 1 < runs.count()) {
        most = Math.max(most, sends(problem, runs, run, (1 << runs.exponent(run + 1)) - 1));
      }
    }
    return most;
  }

  private static long sends(Problem problem, BinaryBlocks runs, int run, int member) {
    int blocks = problem.blocks();
    int exponent = runs.exponent(run);
    long sum = blocks + HalvingDoubling.doublingVolume(blocks, member, exponent);
    if (run == 0) {
      sum -= EvenParts.halved(blocks, member, exponent).size();
    }
    if (run + 1 < runs.count() && member < 1 << runs.exponent(run + 1)) {
      sum += EvenParts.halved(blocks, member, runs.exponent(run + 1)).size();
    }
    return sum;
  }

  @Override
  public int naturalBlocks(int size) {
    return Integer.highestOneBit(size);
  }
}
