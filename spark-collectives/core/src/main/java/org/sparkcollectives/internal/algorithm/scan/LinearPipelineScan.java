package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan of block after block along a chain of all ranks, inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 6.3, for
 * the inclusive scan.
 *
 * <p><b>Idea.</b> Every rank receives a block of the combination of all ranks before it, combines
 * its own vector's block with it, and sends that on while it receives the next block. What it sends
 * on is its result; in an exclusive scan what it receives is, and what it sends on is kept apart:
 * then the last rank has nothing to combine, and rank 0 keeps its vector.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: p - 2 + b rounds, (p - 2 + b)(α + (m/b)(β + γ)),
 * which tends to m(β + γ); exclusive, all rounds but the last with γ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 * An exclusive scan needs one more block, which is to be sent on.
 *
 * <p><b>Example.</b> p = 5: every block goes 0→1→2→3→4; block 1 one round behind block 0.
 */
public final class LinearPipelineScan extends ScheduledAlgorithm {
  /** What a rank of an exclusive scan sends on. */
  private static final int UP_TO = 2;

  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public LinearPipelineScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "linear-pipeline",
        new Traits(
            true,
            "two-tree 2009, 6.3",
            "block after block along a chain of all ranks; for very long vectors, small p",
            "p - 2 + b",
            "b"));
    this.exclusive = exclusive;
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    boolean first = rank == 0;
    boolean last = rank == problem.size() - 1;
    for (int i = 0; i < problem.blocks(); i++) {
      int round = rank - 1 + i;
      BlockRange block = BlockRange.of(i);
      if (!first && !exclusive) {
        builder.receiveLeft(round, rank - 1, block);
      } else if (!first) {
        receiveExclusive(round, rank, last, block, builder);
      }
      if (!last) {
        builder.send(round + 1, rank + 1, exclusive && !first ? UP_TO : VECTOR, block);
      }
    }
  }

  private static void receiveExclusive(
      int round, int rank, boolean last, BlockRange block, ScheduleBuilder builder) {
    if (last) {
      builder.receive(round, rank - 1, VECTOR, block);
      return;
    }
    builder.receive(round, rank - 1, OPERAND, block);
    builder.combine(round, UP_TO, OPERAND, VECTOR, block);
    builder.copy(round, VECTOR, OPERAND, block);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds = problem.size() - 2 + problem.blocks();
    // The last rank of an exclusive scan, alone in the last round, combines nothing.
    int last = !exclusive ? 0 : problem.size() == 2 ? rounds : 1;
    return List.of(new Phase(rounds - last, 1, 1), new Phase(last, 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }
}
