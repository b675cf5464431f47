package org.sparkcollectives.internal.algorithm.scan;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.BalancedTree;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan up and then down one balanced in-order binary tree, each way pipelined, inclusive or
 * exclusive.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 2.3.
 *
 * <p><b>Idea.</b> {@link TreeScan} says what goes up and down. Each way a node is active in three
 * consecutive rounds, left child, right child and parent in turn, so a new block follows in every
 * third round and no rank sends and receives in the same one.
 *
 * <p><b>Cost.</b> For m bytes in b blocks and height n = ceil(log2(p + 1)) - 1: at most 6(b - 1) +
 * 4n - 2 rounds, exactly that for p = 2^(n+1) - 1; each α + (m/b)(β + γ), exclusive α + (m/b)(β +
 * 2γ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector and one block; an exclusive scan keeps
 * what comes up from the left, a second vector.
 *
 * <p><b>Example.</b> p = 5, b = 1: 3 is the root over 1(0, 2) and 4. Up: 0→1, 2→1, 1→3; down: 3→4,
 * 1→2, for what 1 knows after going up is its result.
 */
public final class PipelinedBinaryTreeScan extends ScheduledAlgorithm {
  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public PipelinedBinaryTreeScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "pipelined-binary-tree",
        new Traits(
            true,
            "scan 2006, 2.3",
            "blocks up, then down one in-order tree; never sends and receives at once",
            "<= 6(b - 1) + 4 log2 q - 2",
            "3b",
            Set.of(Traits.Feature.SIMPLEX)));
    this.exclusive = exclusive;
  }

  private static OneTree pipeline(Problem problem) {
    BalancedTree tree = new BalancedTree(problem.size());
    return OneTree.upThenDown(tree, problem.blocks(), tree.nearestDown());
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    pipeline(problem).plan(exclusive, rank, builder);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(pipeline(problem).rounds(), 1, exclusive ? 2 : 1, false, false));
  }

  @Override
  public long blocksSent(Problem problem) {
    return pipeline(problem).blocksSent(problem.size());
  }
}
