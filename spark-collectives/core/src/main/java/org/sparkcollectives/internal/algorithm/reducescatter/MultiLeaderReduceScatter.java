package org.sparkcollectives.internal.algorithm.reducescatter;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.HostColumns;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter between hosts by all ranks of each at once, while they sum within hosts what goes
 * next.
 *
 * <p><b>Source.</b> Bayatpour, Chakraborty, Subramoni, Lu, Panda 2017
 * (doi:10.1145/3126908.3126954), all of whose ranks are leaders here, with the pairwise
 * reduce-scatter of Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.4,
 * within hosts and between them. Parts are cut into blocks as in a pipeline (Sanders, Sibeyn 2000,
 * Section 2).
 *
 * <p><b>Idea.</b> The i-th rank of a host minds the parts of the i-th ranks of all hosts. Host by
 * host and block by block, what the ranks of this one have for a part is summed by the one that
 * minds it, which sends the sum to the part's owner ({@link HostColumns}). So a network card waits
 * for the first sums alone, where in {@code hierarchical} it waits until all of the vector is
 * summed.
 *
 * <p><b>Cost.</b> For m bytes, h hosts of g ranks, parts of c blocks: (h - 1)c rounds between
 * hosts, (h - 1)cα + m(1 - 1/h)(β + γ/g), the least possible for a card; within hosts h(g - 1)c
 * rounds, h(g - 1)cα + m(1 - 1/g)(β + γ) for each rank, of which all but two blocks for each rank
 * of the host go on beside, as long as a block is not more than a rank may send ahead (256 KiB).
 *
 * <p><b>Restrictions.</b> Parts are summed as they come, so the operator must commute; as many
 * ranks on every host. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, c = 1: 0→1 part 3, 1→0 part 2, 2→3 part 1, 3→2 part 0;
 * 0→1 part 1, 1→0 part 0, 2→3 part 3, 3→2 part 2; 0→2 part 2, 1→3 part 3, 2→0 part 0, 3→1 part 1.
 */
public final class MultiLeaderReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public MultiLeaderReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "multi-leader",
        new Traits(
            false,
            "mpich 2005, 4.4; multi-leader 2017",
            "between hosts by all ranks of each, while they sum what goes next; for long vectors",
            "(p - 1) ceil(b/p)",
            "b - floor(b/p)",
            Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.TO_HOSTS, Traits.Feature.UNEVEN)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostColumns.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    new HostColumns(problem).reduceScatter(builder, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return new HostColumns(problem).phases(true);
  }

  /** {@inheritDoc} Only within a host has a block to be waited for before it goes on. */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    return problem.size() == 1 ? List.of() : new HostColumns(problem).path();
  }

  @Override
  public long blocksSent(Problem problem) {
    return new HostColumns(problem).reduceScatterSends();
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
