package org.sparkcollectives.internal.algorithm.scan;

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
 * Scan of block after block along a chain of all ranks.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 6.3.
 *
 * <p><b>Idea.</b> Every rank receives a block of the combination of all ranks before it, combines
 * its own vector's block with it, which is its result, and sends that on while it receives the next
 * block.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, any p: p - 2 + b rounds, (p - 2 + b)(α + (m/b)(β + γ)),
 * which tends to m(β + γ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5: every block goes 0→1→2→3→4; block 1 one round behind block 0.
 */
public final class LinearPipelineScan extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public LinearPipelineScan() {
    super(
        Collective.SCAN,
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
    for (int i = 0; i < problem.blocks(); i++) {
      BlockRange block = BlockRange.of(i);
      if (rank > 0) {
        builder.receiveLeft(rank - 1 + i, rank - 1, block);
      }
      if (rank < problem.size() - 1) {
        builder.send(rank + i, rank + 1, VECTOR, block);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(problem.size() - 2 + problem.blocks(), 1, 1));
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
