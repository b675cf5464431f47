package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.SlackAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce along two binary trees: a reduction to rank 0, then a broadcast from it.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Sections 4.1, 4.2
 * and 5.1. Their combination is not spelled out there.
 *
 * <p><b>Idea.</b> Ranks 1 to p - 1 are the nodes of {@link TwoTrees}, in order where the operator
 * asks for it. The rounds of the reduction come first. All ranks send and receive m bytes in either
 * half, so rounds of the two that take turns would not be fewer; they would only make ranks change
 * between four partners. As sends wait for nothing but what they carry, the broadcast begins with
 * the blocks that the reduction brings last: otherwise rank 0 would send its first blocks to
 * network cards that still receive from below.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks and h = ceil(log2(p + 1)): twice the rounds of the
 * reduction, at most 4h + 4k, and 2 more in order; each α + (m/b)β, and γ in the first half. The
 * rate tends to 2mβ.
 *
 * <p><b>Execution.</b> Ranks execute it with {@link TwoTreePipeline#SLACK slack}, where an edge
 * takes two rounds more. The same blocks cross the same edges.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, in order, b = 2: block 0 goes 1→2→0→2→1; 1 is above 2 for block 1:
 * 2→1→0→1→2.
 */
public final class TwoTreeAllReduce extends SlackAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeAllReduce() {
    super(
        Collective.ALLREDUCE,
        "two-tree",
        new Traits(
            true,
            "two-tree 2009, 4.1, 4.2",
            "reduction along two binary trees, then broadcast; for long vectors",
            "<= 4 ceil(log2(p+1)) + 4 ceil(b/2) + 2",
            "b + 2 ceil(b/2)",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.ALTERNATING)));
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    TwoTreePipeline pipeline = pipeline(problem, slack);
    int rounds = pipeline.rounds();
    pipeline.reduce(builder, rank - 1, round -> round);
    pipeline.broadcastReduced(builder, rank - 1, round -> rounds + round);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds = pipeline(problem, 0).rounds();
    return List.of(new Phase(rounds, 1, 1), new Phase(rounds, 1));
  }

  /** Up a tree to rank 0, and down again. */
  @Override
  protected int longestChain(Problem problem) {
    return 2 * pipeline(problem, 0).trees().levels();
  }

  @Override
  public long blocksSent(Problem problem) {
    int blocks = problem.blocks();
    int half = (blocks + 1) / 2;
    return switch (problem.size()) {
      case 1 -> 0;
      case 2 -> blocks;
      case 3 -> blocks + half;
      case 4 -> problem.ordered() ? 2L * blocks : blocks + 2L * half;
      default -> blocks + 2L * half;
    };
  }

  /** Node v is rank v + 1, and the rank outside the trees, "node" -1, is rank 0. */
  private static TwoTreePipeline pipeline(Problem problem, int slack) {
    int nodes = problem.size() - 1;
    TwoTrees trees = problem.ordered() ? TwoTrees.inOrder(nodes) : TwoTrees.anyOrder(nodes);
    return new TwoTreePipeline(trees.withSlack(slack), problem.blocks(), node -> node + 1);
  }
}
