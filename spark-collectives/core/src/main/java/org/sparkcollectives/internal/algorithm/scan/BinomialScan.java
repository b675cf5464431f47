package org.sparkcollectives.internal.algorithm.scan;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan of whole vectors up and down one binomial tree, inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 2.1.
 *
 * <p><b>Idea.</b> With n = floor(log2 p): in round k = 0 to n - 1 up, the last rank of every group
 * of {@code 2^(k+1)} hears from the last rank of the group's first half. In round k = n to 1 down,
 * the last rank of every group of {@code 2^k} sends its result to the last rank of the first half
 * of the next group. A rank sends or receives in a round, never both. For the exclusive scan a rank
 * keeps what it hears also without its own vector.
 *
 * <p><b>Cost.</b> For m bytes: 2n rounds, or 2n - 1 for p &lt; 1.5 · 2^n, which includes powers of
 * two; each α + m(β + γ), exclusive α + m(β + 2γ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; an exclusive scan needs one more.
 *
 * <p><b>Example.</b> p = 6: 0→1, 2→3, 4→5; 1→3; 3→5; 1→2, 3→4.
 */
public final class BinomialScan extends ScheduledAlgorithm {
  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public BinomialScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "binomial",
        new Traits(
            true,
            "scan 2006, 2.1",
            "whole vectors up and down a binomial tree; for short vectors",
            "2 log2 q; p < 1.5q: 2 log2 q - 1",
            "b log2 q",
            Set.of(Traits.Feature.SIMPLEX)));
    this.exclusive = exclusive;
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    int levels = Powers.floorLog2(size);
    PartialResult partial =
        new PartialResult(builder, exclusive, new BlockRange(0, problem.blocks()));
    // The rank is the last one of its group on all levels up to this one.
    int top = Math.min(levels, Integer.numberOfTrailingZeros(~rank));
    boolean up = rank + (1 << top) < size && top < levels;
    boolean sends = up || (top > 0 && rank + 1 < size);
    for (int level = 0; level < top; level++) {
      partial.receive(level, rank - (1 << level), sends);
    }
    if (up) {
      partial.send(top, rank + (1 << top));
    }
    int end = levels + down(size);
    if (rank >= 1 << top) {
      partial.receive(end - top - 1, rank - (1 << top), top > 0 && rank + 1 < size);
    }
    for (int level = top; level > 0; level--) {
      int peer = rank + (1 << (level - 1));
      if (peer < size) {
        partial.send(end - level, peer);
      }
    }
  }

  /** The rounds down: no group follows that of the last level for less than 1.5 · 2^n ranks. */
  private static int down(int size) {
    int levels = Powers.floorLog2(size);
    return (size >> (levels - 1) & 1) != 0 ? levels : levels - 1;
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds = Powers.floorLog2(problem.size()) + down(problem.size());
    int combined = (exclusive ? 2 : 1) * problem.blocks();
    return List.of(new Phase(rounds, problem.blocks(), combined, false, false));
  }

  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() * Powers.floorLog2(problem.size());
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
