package org.sparkcollectives.internal.algorithm;

import java.util.List;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * An algorithm along two trees: it claims the rounds of its paper, and ranks execute it with {@link
 * TwoTreePipeline#SLACK slack}.
 */
public abstract class SlackAlgorithm extends ScheduledAlgorithm {

  /**
   * Names the algorithm.
   *
   * @param collective the collective that it performs
   * @param slug its name
   * @param traits what it can do; {@link Traits.Feature#SLACK} is added
   */
  protected SlackAlgorithm(Collective collective, String slug, Traits traits) {
    super(collective, slug, traits.with(Traits.Feature.SLACK));
  }

  @Override
  protected final void plan(Problem problem, int rank, ScheduleBuilder builder) {
    plan(problem, rank, 0, builder);
  }

  @Override
  protected final void planExecuted(Problem problem, int rank, ScheduleBuilder builder) {
    plan(problem, rank, TwoTreePipeline.SLACK, builder);
  }

  /**
   * Enters what one rank does.
   *
   * @param problem what is to be solved, with two ranks or more
   * @param rank the rank
   * @param slack how many rounds more an edge of a tree takes
   * @param builder takes the rounds
   */
  protected abstract void plan(Problem problem, int rank, int slack, ScheduleBuilder builder);

  /**
   * {@inheritDoc} Where ranks cannot do both at once, slack does not keep them from waiting for one
   * another, and each round that the first block takes costs a latency.
   */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    return fullDuplex ? super.path(problem, true) : phases(problem.withBlocks(1));
  }
}
