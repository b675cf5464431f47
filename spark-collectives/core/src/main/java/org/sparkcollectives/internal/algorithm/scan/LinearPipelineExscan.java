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
 * Exclusive scan of block after block along a chain of all ranks.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 6.3, for
 * the inclusive scan.
 *
 * <p><b>Idea.</b> As {@link LinearPipelineScan}; what a rank receives is its result, and what it
 * sends on is kept apart. The last rank has nothing to combine, rank 0 keeps its vector.
 *
 * <p><b>Cost.</b> As {@link LinearPipelineScan}: p - 2 + b rounds, all but the last with γ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector and the block that is to be sent on.
 *
 * <p><b>Example.</b> p = 5: every block goes 0→1→2→3→4; block 1 one round behind block 0.
 */
public final class LinearPipelineExscan extends ScheduledAlgorithm {
  private static final int INCLUSIVE = 2;

  /** Makes the algorithm. */
  public LinearPipelineExscan() {
    super(
        Collective.EXSCAN,
        "linear-pipeline",
        new Traits(
            true,
            "two-tree 2009, 6.3",
            "block after block along a chain of all ranks; for very long vectors, small p",
            "p - 2 + b",
            "b"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    boolean last = rank == problem.size() - 1;
    for (int i = 0; i < problem.blocks(); i++) {
      BlockRange block = BlockRange.of(i);
      if (last) {
        builder.receive(rank - 1 + i, rank - 1, VECTOR, block);
      } else if (rank == 0) {
        builder.send(i, 1, VECTOR, block);
      } else {
        builder.receive(rank - 1 + i, rank - 1, OPERAND, block);
        builder.combine(rank - 1 + i, INCLUSIVE, OPERAND, VECTOR, block);
        builder.copy(rank - 1 + i, VECTOR, OPERAND, block);
        builder.send(rank + i, rank + 1, INCLUSIVE, block);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int combining = problem.size() == 2 ? 0 : problem.size() - 3 + problem.blocks();
    int rounds = problem.size() - 2 + problem.blocks();
    return List.of(new Phase(combining, 1, 1), new Phase(rounds - combining, 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
