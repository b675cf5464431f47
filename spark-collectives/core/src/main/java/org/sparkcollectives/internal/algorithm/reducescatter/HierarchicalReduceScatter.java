package org.sparkcollectives.internal.algorithm.reducescatter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.HostParts;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter within hosts, between one rank of each, and within hosts again.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to reduce-scatter; between hosts Träff 2024 (arXiv:2410.14234) with doubling
 * distances.
 *
 * <p><b>Idea.</b> The allgather {@code hierarchical} backwards: the vectors of a host are summed at
 * its first rank along a binomial tree. These ranks make a reduce-scatter in which hosts of more
 * ranks have longer parts. Each deals its host's part out along the tree.
 *
 * <p><b>Cost.</b> For m bytes, h hosts of up to g ranks: ceil(log2 g) rounds within hosts,
 * ceil(log2 h) between them, ceil(log2 g) within; on the network ceil(log2 h)α + m(1 - 1/h)(β + γ),
 * in memory 2 ceil(log2 g)α + up to ceil(log2 g)m(β + γ) + (m/h)β.
 *
 * <p><b>Restrictions.</b> Hosts are combined as they come, so the operator must commute; parts have
 * as many blocks each. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}: 1→0 and 3→2 all; 0→2 parts 2 and 3, 2→0 parts 0 and 1;
 * 0→1 part 1, 2→3 part 3.
 */
public final class HierarchicalReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "hierarchical",
        new Traits(
            false,
            "scan 2006, 4",
            "within hosts, between one rank of each, within hosts; for short vectors",
            "2 ceil(log2 g) + ceil(log2 h)",
            "<= b (1 + g / (2p))",
            Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.BY_HOST)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostParts.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    HostParts parts = new HostParts(problem);
    parts.reduce(builder, 0, rank);
    parts.reduceScatter(builder, parts.roundsWithin(), rank);
    parts.scatter(builder, parts.roundsWithin() + parts.roundsBetween(), rank);
    builder.own(parts.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    HostParts parts = new HostParts(amongPlaces(problem));
    List<Phase> phases = new ArrayList<>(parts.vectorPhases(true));
    phases.addAll(HostParts.backwards(parts.betweenPhases(true)));
    phases.addAll(HostParts.backwards(parts.partPhases()));
    return phases;
  }

  @Override
  public long blocksSent(Problem problem) {
    return new HostParts(amongPlaces(problem)).reduceScatterSends();
  }
}
