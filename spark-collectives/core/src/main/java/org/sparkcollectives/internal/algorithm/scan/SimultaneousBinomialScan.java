package org.sparkcollectives.internal.algorithm.scan;

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
 * Scan along binomial trees from all ranks at once, inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 2.2, for the inclusive
 * scan; Hillis, Steele 1986.
 *
 * <p><b>Idea.</b> In round s every rank sends its partial result to the rank {@code 2^s} further
 * on, which has then combined the {@code 2^(s+1)} vectors up to its own. In an exclusive scan what
 * a rank receives is also combined without its own vector, which is its result; rank 0 keeps its
 * vector.
 *
 * <p><b>Cost.</b> For m bytes, any p: ceil(log2 p) rounds, ceil(log2 p)(α + mβ + mγ), exclusive
 * with 2mγ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 * An exclusive scan keeps up to two vectors besides the user's: the received operand and the
 * inclusive partial result. It is meant for short vectors.
 *
 * <p><b>Example.</b> p = 5: 0→1→2→3→4; 0→2, 1→3, 2→4; 0→4.
 */
public final class SimultaneousBinomialScan extends ScheduledAlgorithm {
  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public SimultaneousBinomialScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "simultaneous-binomial",
        new Traits(
            true,
            "scan 2006, 2.2",
            "partial results to ranks at doubling distances; for short vectors",
            "ceil(log2 p)",
            "b ceil(log2 p)"));
    this.exclusive = exclusive;
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    PartialResult partial =
        new PartialResult(builder, exclusive, new BlockRange(0, problem.blocks()));
    for (int round = 0; round < rounds(problem); round++) {
      int distance = 1 << round;
      if (rank < size - distance) {
        partial.send(round, rank + distance);
      }
      if (rank >= distance) {
        partial.receive(round, rank - distance, rank < size - 2 * distance);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int combined = (exclusive ? 2 : 1) * problem.blocks();
    return List.of(new Phase(Powers.ceilLog2(problem.size()), problem.blocks(), combined));
  }

  @Override
  protected int longestChain(Problem problem) {
    return Powers.floorLog2(problem.size());
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
