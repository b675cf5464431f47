package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CouplePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce along two binary trees of couples, in the simplex model: a rank sends or receives in a
 * round, never both.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 5.2, for
 * the reduction and the broadcast. Their combination is not spelled out there.
 *
 * <p><b>Idea.</b> The reduction by {@code two-tree-simplex} to rank 0, then the broadcast by {@code
 * two-tree-simplex} from it, along the same trees. In either half nearly every rank works in every
 * round, so rounds of the two that take turns would not be fewer.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks, c = ceil(p/2) and h = ceil(log2(c + 1)): at most
 * 4(2h + 2k) rounds, each α + mβ/b, and γ in the first half, which tends to 4mβ: in this model a
 * rank takes 2mβ to send and 2mβ to receive.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 4: every block goes 3→2→1→0, then 0→1→2→3, the next one two rounds later.
 */
public final class TwoTreeSimplexAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeSimplexAllReduce() {
    super(
        Collective.ALLREDUCE,
        "two-tree-simplex",
        new Traits(
            true,
            "two-tree 2009, 5.2",
            "the two trees among couples of ranks; never sends and receives at once",
            "<= 8 ceil(log2(ceil(p/2)+1)) + 8 ceil(b/2)",
            "b + 2 ceil(b/2); p < 9: 2b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.SIMPLEX)));
  }

  private static CouplePipeline pipeline(Problem problem) {
    return new CouplePipeline(problem.size() - 1, problem.blocks(), IntUnaryOperator.identity());
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    CouplePipeline pipeline = pipeline(problem);
    pipeline.reduce(builder, rank, 0);
    pipeline.broadcast(builder, rank, pipeline.rounds());
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int rounds = pipeline(problem).rounds();
    return List.of(new Phase(rounds, 1, 1, false, false), new Phase(rounds, 1, 0, false, false));
  }

  /** {@inheritDoc} All but the root send every block up; between two ranks that is all. */
  @Override
  public long blocksSent(Problem problem) {
    return switch (problem.size()) {
      case 1 -> 0;
      case 2 -> problem.blocks();
      default -> problem.blocks() + pipeline(problem).blocksBroadcast();
    };
  }
}
