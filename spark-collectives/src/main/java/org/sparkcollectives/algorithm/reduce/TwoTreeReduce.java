package org.sparkcollectives.algorithm.reduce;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.algorithm.ScheduleBuilder;
import org.sparkcollectives.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.algorithm.Traits;
import org.sparkcollectives.algorithm.TwoTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.shape.Ring;
import org.sparkcollectives.shape.TwoTrees;

/**
 * Reduction of one half of the blocks along each of two binary trees at once.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Sections 3, 4.2
 * and 5.1. The case of an inner root with an operator that does not commute is not in the paper.
 *
 * <p><b>Idea.</b> The broadcast by {@code two-tree} backwards. Out of order, the ranks are counted
 * from the root. In order, the nodes of the trees are all ranks above the root (root 0) or below it
 * (root p - 1). Any other root has ranks on both sides: each side has two trees of its own, all of
 * whose blocks go to the root, which therefore receives 2b blocks; the second side starts so late
 * that its first block comes right after the last one of the first side.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks and h = ceil(log2(p + 1)): at most 2h + 2k rounds
 * out of order, 2h + 2k + 1 in order to root 0 or p - 1, 2h + 4k + 1 to any other; each α + (m/b)(β
 * + γ).
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 4, root 0, in order, b = 2: the trees over 1 and 2 are 2(1) and 1(, 2); 3
 * is above both. Block 0 goes 1→2→3→0, block 1 goes 2→1→3→0.
 */
public final class TwoTreeReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeReduce() {
    super(
        Collective.REDUCE,
        "two-tree",
        new Traits(
            true,
            "two-tree 2009, 4.2",
            "each half of the blocks along one of two binary trees; for long vectors",
            "<= 2 ceil(log2(p+1)) + 2 ceil(b/2) + 1; in order to an inner root + b",
            "b"));
  }

  /** The trees on one side of the root, and the round in which they start. */
  private record Side(TwoTreePipeline pipeline, int lowest, int start) {
    int rounds() {
      return start + pipeline.rounds();
    }

    boolean holds(int rank) {
      return rank >= lowest && rank < lowest + pipeline.trees().size();
    }
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    if (!problem.ordered()) {
      int node = new Ring(problem.size()).shift(rank, -problem.root()) - 1;
      renumbered(problem).reduce(builder, node, round -> round);
      return;
    }
    for (Side side : sides(problem)) {
      if (rank == problem.root() || side.holds(rank)) {
        int node = rank == problem.root() ? TwoTrees.NONE : rank - side.lowest();
        side.pipeline().reduce(builder, node, round -> side.start() + round);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(roundsOf(problem), 1, 1));
  }

  private static int roundsOf(Problem problem) {
    if (!problem.ordered()) {
      return renumbered(problem).rounds();
    }
    int rounds = 0;
    for (Side side : sides(problem)) {
      rounds = Math.max(rounds, side.rounds());
    }
    return rounds;
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }

  private static TwoTreePipeline renumbered(Problem problem) {
    Ring ring = new Ring(problem.size());
    return new TwoTreePipeline(
        TwoTrees.anyOrder(problem.size() - 1),
        problem.blocks(),
        node -> ring.shift(problem.root(), node + 1));
  }

  /** One or two sides; of two the quicker one comes first and the other follows on its heels. */
  private static List<Side> sides(Problem problem) {
    List<Side> sides = new ArrayList<>(2);
    if (problem.root() > 0) {
      sides.add(new Side(ordered(problem, 0, problem.root()), 0, 0));
    }
    int above = problem.root() + 1;
    if (above < problem.size()) {
      sides.add(new Side(ordered(problem, above, problem.size() - above), above, 0));
    }
    if (sides.size() == 2) {
      int quick = sides.get(1).rounds() < sides.get(0).rounds() ? 1 : 0;
      Side first = sides.get(quick);
      Side second = sides.get(1 - quick);
      int start = Math.max(0, first.rounds() - second.pipeline().firstDelivery());
      return List.of(first, new Side(second.pipeline(), second.lowest(), start));
    }
    return sides;
  }

  private static TwoTreePipeline ordered(Problem problem, int lowest, int nodes) {
    return new TwoTreePipeline(
        TwoTrees.inOrder(nodes),
        problem.blocks(),
        node -> node == TwoTrees.NONE ? problem.root() : lowest + node);
  }
}
