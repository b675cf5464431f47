package org.sparkcollectives.internal.algorithm.reduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CouplePipeline;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction of one half of the blocks along each of two binary trees of couples, in the simplex
 * model: a rank sends or receives in a round, never both.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 5.2. How
 * couples keep rank order and the case of an inner root are not in the paper.
 *
 * <p><b>Idea.</b> The broadcast by {@code two-tree-simplex} backwards. The lower member of a couple
 * takes what comes from the left child, the higher one what comes from the right child; before a
 * block goes up, the one that does not send it passes its part to the one that does. In order, an
 * inner root has trees on both sides, which work at the same time: it receives from one side in
 * even rounds and from the other one in odd rounds.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks, c = ceil(p/2) and h = ceil(log2(c + 1)): at most
 * 2(2h + 2k) rounds to any root, in order or not; each α + (m/b)(β + γ), which tends to 2mβ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 4, root 1, in order: 0→1 in even rounds; 3→2 in even, 2→1 in odd rounds.
 */
public final class TwoTreeSimplexReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeSimplexReduce() {
    super(
        Collective.REDUCE,
        "two-tree-simplex",
        new Traits(
            true,
            "two-tree 2009, 5.2",
            "the two trees among couples of ranks; never sends and receives at once",
            "<= 4 ceil(log2(ceil(p/2)+1)) + 4 ceil(b/2)",
            "b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.SIMPLEX)));
  }

  /** The ranks on one side of the root, whose numbers change by {@code way} with the distance. */
  private record Side(CouplePipeline pipeline, int root, int way, int start) {
    int rounds() {
      return start + pipeline.rounds();
    }

    /** The rank's distance from the root, negative on the other side. */
    int distance(int rank) {
      return way * (rank - root);
    }

    boolean endsEven() {
      return pipeline.rootWorksInEvenRounds(true) == (start % 2 == 0);
    }

    Side late() {
      return new Side(pipeline, root, way, start + 1);
    }
  }

  private static CouplePipeline renumbered(Problem problem) {
    Ring ring = new Ring(problem.size());
    return new CouplePipeline(
        problem.size() - 1, problem.blocks(), distance -> ring.shift(problem.root(), distance));
  }

  private static List<Side> sides(Problem problem) {
    List<Side> sides = new ArrayList<>(2);
    int root = problem.root();
    for (int way : new int[] {-1, 1}) {
      int others = way < 0 ? root : problem.size() - 1 - root;
      if (others > 0) {
        CouplePipeline pipeline =
            new CouplePipeline(others, problem.blocks(), distance -> root + way * distance);
        sides.add(new Side(pipeline, root, way, 0));
      }
    }
    if (sides.size() == 2 && sides.get(0).endsEven() == sides.get(1).endsEven()) {
      int quick = sides.get(1).rounds() < sides.get(0).rounds() ? 1 : 0;
      sides.set(quick, sides.get(quick).late());
    }
    return sides;
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    if (!problem.ordered()) {
      int distance = new Ring(problem.size()).shift(rank, -problem.root());
      renumbered(problem).reduce(builder, distance, 0);
      return;
    }
    for (Side side : sides(problem)) {
      if (side.distance(rank) >= 0) {
        side.pipeline().reduce(builder, side.distance(rank), side.start());
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds =
        problem.ordered()
            ? sides(problem).stream().mapToInt(Side::rounds).max().orElse(0)
            : renumbered(problem).rounds();
    return List.of(new Phase(rounds, 1, 1, false, false));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }
}
