package org.sparkcollectives.internal.algorithm.broadcast;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.SlackAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast of one half of the blocks along each of two binary trees at once.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Sections 3, 4.1
 * and 5.1.
 *
 * <p><b>Idea.</b> The p - 1 other ranks, counted from the root on, are the nodes of {@link
 * TwoTrees}. The root deals blocks to the two tree roots in turn. A node is a leaf of at least one
 * tree, so while it passes on a block of one tree it receives one of the other: all links are busy
 * in both directions.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks and h = ceil(log2(p + 1)), any p: at most 2h + 2k
 * rounds, (2h + b)(α + mβ/b), which tends to mβ.
 *
 * <p><b>Execution.</b> Ranks execute it with {@link TwoTreePipeline#SLACK slack}, where an edge
 * takes two rounds more. The same blocks cross the same edges.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5, root 0, b = 2: tree 0 is 4 above 2 above 1 and 3, tree 1 is 1 above 3
 * above 2 and 4. Round 0: 0→4 block 0; 1: 0→1 block 1, 4→2 block 0; and so on. The golden file
 * {@code broadcast-two-tree-p7.txt} shows p = 7 in full.
 */
public final class TwoTreeBroadcast extends SlackAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeBroadcast() {
    super(
        Collective.BROADCAST,
        "two-tree",
        new Traits(
            true,
            "two-tree 2009, 4.1",
            "each half of the blocks along one of two binary trees; for long vectors",
            "<= 2 ceil(log2(p+1)) + 2 ceil(b/2)",
            "2 ceil(b/2)",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.ALTERNATING)));
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    int node = new Ring(problem.size()).shift(rank, -problem.root()) - 1;
    pipeline(problem, slack).broadcast(builder, node, round -> round);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(pipeline(problem, 0).rounds(), 1));
  }

  /** From the root to a tree's root, and down. */
  @Override
  protected int longestChain(Problem problem) {
    return pipeline(problem, 0).trees().levels();
  }

  @Override
  public long blocksSent(Problem problem) {
    return switch (problem.size()) {
      case 1 -> 0;
      case 2, 3 -> problem.blocks();
      default -> 2 * ((problem.blocks() + 1L) / 2);
    };
  }

  /**
   * Node v is v + 1 ranks after the root, and the rank outside the trees, "node" -1, is the root.
   */
  private static TwoTreePipeline pipeline(Problem problem, int slack) {
    Ring ring = new Ring(problem.size());
    return new TwoTreePipeline(
        TwoTrees.anyOrder(problem.size() - 1).withSlack(slack),
        problem.blocks(),
        node -> ring.shift(problem.root(), node + 1));
  }
}
