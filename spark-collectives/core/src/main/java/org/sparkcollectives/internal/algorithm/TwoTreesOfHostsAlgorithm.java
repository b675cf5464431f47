package org.sparkcollectives.internal.algorithm;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreesOfHosts;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * An algorithm along {@linkplain TwoTreesOfHosts two trees of hosts and a chain in each}, called
 * {@code two-tree-of-hosts}. Ranks are counted from the root on, host by host.
 */
public abstract class TwoTreesOfHostsAlgorithm extends SlackAlgorithm {
  private static final Set<Traits.Feature> FEATURES =
      Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.BY_HOST, Traits.Feature.ALTERNATING);

  private final int directions;

  /**
   * Names the algorithm.
   *
   * @param collective the collective that it performs
   * @param keepsOrder whether operands are combined in rank order
   * @param source the paper and its sections
   * @param summary what it does, in a line
   * @param rounds a formula of the rounds
   * @param sent a formula of the blocks that a rank sends at most
   */
  protected TwoTreesOfHostsAlgorithm(
      Collective collective,
      boolean keepsOrder,
      String source,
      String summary,
      String rounds,
      String sent) {
    super(
        collective,
        "two-tree-of-hosts",
        new Traits(keepsOrder, source, summary, rounds, sent, FEATURES));
    this.directions = collective == Collective.ALLREDUCE ? 2 : 1;
  }

  /**
   * The trees and chains of a problem.
   *
   * @param problem what is to be solved
   * @param slack how many rounds more an edge takes
   * @return those from its root, which is rank 0 where the collective has none
   */
  protected static TwoTreesOfHosts trees(Problem problem, int slack) {
    return new TwoTreesOfHosts(problem, problem.root(), slack);
  }

  /** {@inheritDoc} Along the trees and chains, once for each direction. */
  @Override
  public final List<Phase> path(Problem problem, boolean fullDuplex) {
    return fullDuplex && problem.size() > 1
        ? Collections.nCopies(directions, trees(problem, 0).path()).stream()
            .flatMap(List::stream)
            .toList()
        : super.path(problem, fullDuplex);
  }
}
