package org.sparkcollectives.internal.algorithm.scan;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.SlackAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.internal.algorithm.scan.ScanTiming.NodeEdges;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan of one half of the blocks along each of two in-order binary trees, pipelined both ways,
 * inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 4.3;
 * Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 2.3.
 *
 * <p><b>Idea.</b> The subtree of rank j in one tree holds ranks l to r. Going up, j combines what
 * its left child sends into its own vector, which is then the sum of l to j; with what its right
 * child sends it makes the sum of l to r and sends that up. Going down, j receives the sum of all
 * before l, passes it to its left child, combines it into its vector, which is then the result, and
 * sends this to its right child. Rounds up run alone until the first block is through, then take
 * turns with rounds down, which run alone at the end. In an exclusive scan the same messages go in
 * the same rounds: a rank keeps what its left child sends up apart from its own vector, which its
 * parent and its right child are to get but which is no part of its result. Rank 0 keeps its
 * vector.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, b even, and h = ceil(log2(p + 2)), p even: at most 4h -
 * 2 + 2(b - 2) rounds, each α + (m/b)(β + γ); the rate tends to 2mβ. An odd b takes as long as b +
 * 1, and an odd p at most one round more than p - 1, because rank p - 1 is added as the root of
 * both trees. An exclusive scan has up to one combination more per block at ranks with two
 * children.
 *
 * <p><b>Execution.</b> Ranks execute it with {@link TwoTreePipeline#SLACK slack}, where an edge
 * takes two rounds more. The same blocks cross the same edges.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector and the blocks on their way from a child
 * to the parent or from the parent to a child. In an exclusive scan inner nodes keep the left
 * child's blocks from their way up to their way down: in the order of log2 p blocks, or all of the
 * tree's where there are fewer.
 *
 * <p><b>Example.</b> p = 3, b = 2: rank 2 is the root of both trees, above 1(0) and 0(, 1). Block 0
 * goes up 0→1→2; block 1 goes up 1→0→2 and down 0→1. In an exclusive scan ranks 1 and 2 take what
 * they receive as the result.
 */
public final class TwoTreeScan extends SlackAlgorithm {
  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public TwoTreeScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "two-tree",
        new Traits(
            true,
            "two-tree 2009, 4.3",
            "each half of the blocks up and down one of two in-order trees; for long vectors",
            "<= 4 ceil(log2(p+2)) - 5 + 4 ceil(b/2)",
            "b + 2 ceil(b/2)"));
    this.exclusive = exclusive;
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    ScanTiming timing = new ScanTiming(problem, slack);
    for (int tree = 0; tree <= 1; tree++) {
      NodeEdges edges = NodeEdges.of(timing.trees(), tree, rank);
      for (int i = 0; i < timing.count(tree); i++) {
        TreeScan.plan(exclusive, timing.crossing(edges, i), builder);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(new ScanTiming(problem, 0).rounds(), 1, 2));
  }

  /** Up a tree to its root, and down. */
  @Override
  protected int longestChain(Problem problem) {
    return 2 * (new ScanTiming(problem, 0).trees().levels() - 1);
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : new ScanTiming(problem, 0).blocksSent();
  }
}
