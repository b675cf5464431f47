package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;
import static org.sparkcollectives.internal.shape.TwoTrees.NONE;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan of one half of the blocks up and down each of two in-order trees of couples, in the simplex
 * model: a rank sends or receives in a round, never both. Inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 5.2. How
 * the couples share the work is not in the paper.
 *
 * <p><b>Idea.</b> Two neighbours in rank order do what one rank does in {@link TwoTreeScan}: in one
 * round of a step one of them sends to another couple while the other one receives from another, in
 * the other round they tell each other what is missing ({@link CoupleNode}). An even number of
 * couples is in the trees. Up to three more ranks are the last ones; they hear the sum of all
 * couples and pass it on one after the other.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks, c = ceil(p/2) and h = ceil(log2(c + 2)): at most
 * 2(4h - 2 + 2(b - 2)) + 3 rounds, each α + (m/b)(β + 2γ); the rate tends to 4mβ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector and the blocks on their way; an exclusive
 * scan keeps blocks from their way up to their way down, in the order of log2 p.
 *
 * <p><b>Example.</b> p = 5, b = 1: couple (0, 1) is the left child of couple (2, 3), and 4 is the
 * chain above them: 0→1, 1→2, 2→3, 3→4. Up to three ranks are a chain without couples.
 */
public final class TwoTreeSimplexScan extends ScheduledAlgorithm {
  /** With fewer ranks there is no couple in a tree. */
  private static final int LEAST = 4;

  private static final int UP_TO = 3;

  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public TwoTreeSimplexScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "two-tree-simplex",
        new Traits(
            true,
            "two-tree 2009, 5.2",
            "the two trees among couples of ranks; never sends and receives at once",
            "<= 8 ceil(log2(ceil(p/2)+2)) - 9 + 8 ceil(b/2)",
            "b + 2 ceil(b/2); p < 16: <= b + 2 ceil(b/2)",
            Set.of(Traits.Feature.SIMPLEX)));
    this.exclusive = exclusive;
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    if (size < LEAST) {
      for (int i = 0; i < problem.blocks(); i++) {
        int round = 2 * i + rank - 1;
        planChain(round, rank - 1, rank, size, BlockRange.of(i), builder);
      }
      return;
    }
    CoupleTiming timing = new CoupleTiming(problem);
    TwoTrees trees = timing.trees();
    for (int tree = 0; tree <= 1; tree++) {
      CoupleNode node =
          new CoupleNode(timing, tree, rank < 2 * trees.size() ? rank / 2 : trees.root(tree));
      for (int i = 0; i < timing.count(tree); i++) {
        if (rank < 2 * trees.size()) {
          node.plan(exclusive, rank % 2, i, builder);
        } else {
          int place = rank - 2 * trees.size();
          int round = timing.up(tree, trees.arrival(tree, trees.root(tree)), i) + place;
          int before = place > 0 ? rank - 1 : node.upperRank();
          planChain(round, before, rank, size, timing.block(tree, i), builder);
        }
      }
    }
  }

  /** Hears the sum of all ranks before in a round and passes on its own in the next one. */
  private void planChain(
      int round, int before, int rank, int size, BlockRange block, ScheduleBuilder builder) {
    int sum = exclusive && before != NONE ? UP_TO : VECTOR;
    if (before != NONE) {
      builder.receive(round, before, OPERAND, block);
      if (rank + 1 < size || !exclusive) {
        builder.combine(round, sum, OPERAND, VECTOR, block);
      }
      if (exclusive) {
        builder.copy(round, VECTOR, OPERAND, block);
      }
    }
    if (rank + 1 < size) {
      builder.send(round + 1, rank + 1, sum, block);
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds =
        problem.size() < LEAST
            ? 2 * (problem.blocks() - 1) + problem.size() - 1
            : new CoupleTiming(problem).rounds();
    return List.of(new Phase(rounds, 1, 2, false, false));
  }

  @Override
  public long blocksSent(Problem problem) {
    if (problem.size() < LEAST) {
      return problem.size() == 1 ? 0 : problem.blocks();
    }
    return new CoupleTiming(problem).blocksSent();
  }
}
