package org.sparkcollectives.internal.algorithm.allgather;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.HostColumns;
import org.sparkcollectives.internal.algorithm.pattern.HostParts;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Allgather between hosts by all ranks of each at once, while they spread within hosts what has
 * come.
 *
 * <p><b>Source.</b> Bayatpour, Chakraborty, Subramoni, Lu, Panda 2017
 * (doi:10.1145/3126908.3126954), all of whose ranks are leaders here; parts go straight to other
 * hosts, as in the pairwise exchange of Thakur, Rabenseifner, Gropp 2005
 * (doi:10.1177/1094342005051521), Section 4.4, in blocks as in a pipeline (Sanders, Sibeyn 2000,
 * Section 2).
 *
 * <p><b>Idea.</b> The reduce-scatter {@code multi-leader} backwards: every rank sends its part,
 * block by block, to the ranks of its number on all other hosts, each of which passes a block on
 * within its host while the next one comes ({@link HostColumns}).
 *
 * <p><b>Cost.</b> For m bytes, h hosts of g ranks, parts of c blocks: (h - 1)c rounds between
 * hosts, (h - 1)cα + m(1 - 1/h)β, the least possible for a card; within hosts h(g - 1)c rounds, h(g
 * - 1)cα + m(1 - 1/g)β for each rank, of which all but two blocks for each rank of the host go on
 * beside, as long as a block is not more than a rank may send ahead (256 KiB).
 *
 * <p><b>Restrictions.</b> As many ranks on every host. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, c = 1: 0→2 part 0, 1→3 part 1, 2→0 part 2, 3→1 part 3;
 * 0→1 part 0, 1→0 part 1, 2→3 part 2, 3→2 part 3; 0→1 part 2, 1→0 part 3, 2→3 part 0, 3→2 part 1.
 */
public final class MultiLeaderAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public MultiLeaderAllGather() {
    super(
        Collective.ALLGATHER,
        "multi-leader",
        new Traits(
            true,
            "mpich 2005, 4.4; multi-leader 2017",
            "between hosts by all ranks of each, while they spread what came; for long vectors",
            "(p - 1) ceil(b/p)",
            "<= (p - 1) ceil(b/p)",
            Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.TO_HOSTS, Traits.Feature.UNEVEN)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostColumns.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    new HostColumns(problem).allgather(builder, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return HostParts.backwards(new HostColumns(problem).phases(false));
  }

  /** {@inheritDoc} Only between hosts has a block to be waited for before it goes on. */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    return problem.size() == 1 ? List.of() : new HostColumns(problem).path();
  }

  @Override
  public long blocksSent(Problem problem) {
    return new HostColumns(problem).allgatherSends();
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
