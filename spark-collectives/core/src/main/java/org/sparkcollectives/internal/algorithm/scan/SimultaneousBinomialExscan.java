package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Exclusive scan along binomial trees from all ranks at once.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 2.2, for the inclusive
 * scan.
 *
 * <p><b>Idea.</b> As {@link SimultaneousBinomialScan}; what a rank receives is also combined
 * without its own vector, which is its result. Rank 0 keeps its vector.
 *
 * <p><b>Cost.</b> For m bytes, any p: ceil(log2 p) rounds, ceil(log2 p)(α + mβ + 2mγ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> Up to two vectors besides the user's: the received
 * operand and the inclusive partial result. It is meant for short vectors.
 *
 * <p><b>Example.</b> p = 5: 0→1→2→3→4; 0→2, 1→3, 2→4; 0→4.
 */
public final class SimultaneousBinomialExscan extends ScheduledAlgorithm {
  private static final int INCLUSIVE = 2;

  /** Makes the algorithm. */
  public SimultaneousBinomialExscan() {
    super(
        Collective.EXSCAN,
        "simultaneous-binomial",
        new Traits(
            true,
            "scan 2006, 2.2",
            "partial results to ranks at doubling distances; for short vectors",
            "ceil(log2 p)",
            "b ceil(log2 p)"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    BlockRange all = new BlockRange(0, problem.blocks());
    for (int round = 0; round < rounds(problem); round++) {
      int distance = 1 << round;
      if (rank < problem.size() - distance) {
        builder.send(round, rank + distance, round == 0 || rank == 0 ? VECTOR : INCLUSIVE, all);
      }
      if (rank >= distance) {
        builder.receive(round, rank - distance, OPERAND, all);
        if (rank < problem.size() - 2 * distance) {
          builder.combine(round, INCLUSIVE, OPERAND, round == 0 ? VECTOR : INCLUSIVE, all);
        }
        if (round == 0) {
          builder.copy(round, VECTOR, OPERAND, all);
        } else {
          builder.combine(round, VECTOR, OPERAND, VECTOR, all);
        }
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(
        new Phase(Powers.ceilLog2(problem.size()), problem.blocks(), 2 * problem.blocks()));
  }

  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() * Powers.ceilLog2(problem.size());
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
