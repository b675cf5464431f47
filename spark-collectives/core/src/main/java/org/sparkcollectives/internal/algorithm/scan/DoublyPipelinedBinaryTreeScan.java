package org.sparkcollectives.internal.algorithm.scan;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.BalancedTree;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan up and down one balanced in-order binary tree at the same time, pipelined, inclusive or
 * exclusive.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 2.3.
 *
 * <p><b>Idea.</b> As {@link PipelinedBinaryTreeScan}, but a block goes down as soon as it is up. In
 * every round a rank has to do with one peer, left child, right child and parent in turn: it sends
 * it one block and receives another one, so that ranks need only talk in pairs.
 *
 * <p><b>Cost.</b> For m bytes in b blocks and height n = ceil(log2(p + 1)) - 1: at most 3(b - 1) +
 * 4n - 2 rounds, exactly that for p = 2^(n+1) - 1; each α + (m/b)(β + γ), exclusive α + (m/b)(β +
 * 2γ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector and one block; an exclusive scan keeps
 * what comes up from the left until it goes down, at most about 4n/3 blocks.
 *
 * <p><b>Example.</b> p = 5, b = 2: 3 is the root over 1(0, 2) and 4. 0→1, 2→1, 1→3; 0→1 and 3→4,
 * 2→1 of block 1 and 1→2 of block 0, and so on.
 */
public final class DoublyPipelinedBinaryTreeScan extends ScheduledAlgorithm {
  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public DoublyPipelinedBinaryTreeScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "doubly-pipelined-binary-tree",
        new Traits(
            true,
            "scan 2006, 2.3",
            "blocks up and down one in-order tree at the same time; for long vectors",
            "<= 3(b - 1) + 4 log2 q - 2",
            "3b"));
    this.exclusive = exclusive;
  }

  private static OneTree pipeline(Problem problem) {
    return OneTree.both(new BalancedTree(problem.size()), problem.blocks());
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    pipeline(problem).plan(exclusive, rank, builder);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(pipeline(problem).rounds(), 1, exclusive ? 2 : 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return pipeline(problem).blocksSent(problem.size());
  }
}
