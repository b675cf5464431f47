package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.HostSlices;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce between hosts by several ranks of each at once, one for each slice of the vector.
 *
 * <p><b>Source.</b> Bayatpour, Chakraborty, Subramoni, Lu, Panda 2017
 * (doi:10.1145/3126908.3126954), with as many leaders as the host of fewest ranks has ranks. The
 * reduce-scatters and allgathers are those of Träff 2024 (arXiv:2410.14234).
 *
 * <p><b>Idea.</b> The vector has s slices. The ranks of a host do a reduce-scatter, so that s of
 * them, the leaders, have one slice each, summed over the host. The leaders of a slice, one for
 * each host, do an all-reduce of it, all slices at once. An allgather within hosts ends it. No
 * rank's thread has more than its slice to do with on the network, where {@code hierarchical} puts
 * all of a host through one.
 *
 * <p><b>Cost.</b> For m bytes, h hosts of s ranks: 2 ceil(log2 s) rounds within hosts, 2 ceil(log2
 * s)α + 2m(1 - 1/s)β + m(1 - 1/s)γ there; 2 ceil(log2 h)α + 2m(1 - 1/h)β on each card, the least
 * possible, and m(1 - 1/h)γ/s. A host of g ranks, 2s or more, takes 2 ceil(log2 floor(g/s)) rounds
 * and up to 2(m/s)β more in memory.
 *
 * <p><b>Restrictions.</b> Parts are summed as they come, so the operator must commute. A host of
 * one rank has one leader, and so have all others then. <b>Memory.</b> The vector; received
 * operands are combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, b = 4: 0→1 and 2→3 blocks 2 and 3, 1→0 and 3→2 blocks 0
 * and 1. 0→2 block 1, 2→0 block 0, 1→3 block 3, 3→1 block 2; the same backwards with sums.
 */
public final class MultiLeaderAllReduce extends ScheduledAlgorithm {
  /** So many blocks for each rank make slices and parts of uneven hosts nearly equal. */
  private static final int BLOCKS_PER_RANK = 6;

  /** Makes the algorithm. */
  public MultiLeaderAllReduce() {
    super(
        Collective.ALLREDUCE,
        "multi-leader",
        new Traits(
            false,
            "multi-leader 2017",
            "a slice between one rank of each host, all at once; for several ranks on every host",
            "2 ceil(log2 g) + 2 ceil(log2 h); p < g h: <= 4 ceil(log2 g) + 2 ceil(log2 h)",
            "<= 2b (1 - 1/p) + 2 ceil(log2 p);"
                + " p < g h: <= b (5 - 3/g - 2/h) + ceil(log2 g) + ceil(log2 h)",
            Set.of(Traits.Feature.HIERARCHICAL)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    new HostSlices(problem).allReduce(builder, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return new HostSlices(problem).phases();
  }

  @Override
  public long blocksSent(Problem problem) {
    return new HostSlices(problem).sent();
  }

  @Override
  public int naturalBlocks(int size) {
    return BLOCKS_PER_RANK * size;
  }
}
