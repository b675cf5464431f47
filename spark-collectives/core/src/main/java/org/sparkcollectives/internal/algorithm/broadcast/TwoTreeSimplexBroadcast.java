package org.sparkcollectives.internal.algorithm.broadcast;

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
 * Broadcast of one half of the blocks along each of two binary trees of couples, in the simplex
 * model: a rank sends or receives in a round, never both.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 5.2.
 *
 * <p><b>Idea.</b> Two ranks do what one does in {@link TwoTreeBroadcast}: in even rounds one of
 * them receives from a parent while the other sends to a child, in odd rounds the one passes the
 * other what it received. An even number of couples is in the trees; up to three other ranks are a
 * chain from the root to them.
 *
 * <p><b>Cost.</b> For m bytes in b = 2k blocks, c = ceil(p/2) and h = ceil(log2(c + 1)): at most
 * 2(2h + 2k) rounds, each α + mβ/b, which tends to 2mβ, the least in this model.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 5, root 0, b = 2, couples (1, 2) and (3, 4): 0→4 block 0; 4→3; 0→1 block
 * 1; 1→2; 3→2 block 0; 2→1; 2→3 block 1; 3→4, a round each. With more blocks these rounds overlap.
 */
public final class TwoTreeSimplexBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public TwoTreeSimplexBroadcast() {
    super(
        Collective.BROADCAST,
        "two-tree-simplex",
        new Traits(
            true,
            "two-tree 2009, 5.2",
            "the two trees among couples of ranks; never sends and receives at once",
            "<= 4 ceil(log2(ceil(p/2)+1)) + 4 ceil(b/2)",
            "2 ceil(b/2); p < 9: b",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.SIMPLEX)));
  }

  private static CouplePipeline pipeline(Problem problem) {
    Ring ring = new Ring(problem.size());
    return new CouplePipeline(
        problem.size() - 1, problem.blocks(), distance -> ring.shift(problem.root(), distance));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int distance = new Ring(problem.size()).shift(rank, -problem.root());
    pipeline(problem).broadcast(builder, distance, 0);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(pipeline(problem).rounds(), 1, 0, false, false));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : pipeline(problem).blocksBroadcast();
  }
}
