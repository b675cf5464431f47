package org.sparkcollectives.internal.algorithm.scan;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.HostRuns;
import org.sparkcollectives.internal.shape.RankTree;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan up and down one in-order tree over hosts whose ranks are consecutive, after Sanders, Träff
 * 2006 (doi:10.1007/11846802_15), Section 4, inclusive or exclusive. Which tree it is, its
 * subclasses say.
 */
abstract class HostTreeScan extends ScheduledAlgorithm {
  private final boolean exclusive;
  private final HostTrees trees;

  /**
   * Names the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   * @param slug its name
   * @param idea what it does, in a line
   * @param rounds the bound of its rounds
   * @param shape the tree over hosts
   */
  HostTreeScan(
      boolean exclusive,
      String slug,
      String idea,
      String rounds,
      Function<HostRuns, RankTree> shape) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        slug,
        new Traits(
            true, "scan 2006, 4", idea, rounds, "<= 3b", Set.of(Traits.Feature.HIERARCHICAL)));
    this.exclusive = exclusive;
    this.trees = new HostTrees(shape);
  }

  @Override
  public final @Nullable String refusal(Problem problem) {
    return Hosts.refusal(problem);
  }

  private OneTree pipeline(Problem problem) {
    return OneTree.both(trees.of(problem), problem.blocks());
  }

  @Override
  protected final void plan(Problem problem, int rank, ScheduleBuilder builder) {
    pipeline(problem).plan(exclusive, rank, builder);
  }

  @Override
  protected final List<Phase> plannedPhases(Problem problem) {
    boolean local = Hosts.of(problem).hosts() == 1;
    int rounds = pipeline(problem).rounds();
    return List.of(new Phase(rounds, 1, exclusive ? 2 : 1, true, local));
  }

  @Override
  public final long blocksSent(Problem problem) {
    return pipeline(problem).blocksSent(problem.size());
  }
}
