package org.sparkcollectives.internal.algorithm.allgather;

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
 * Allgather within hosts, between one rank of each, and within hosts again.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to allgather; between hosts Thakur, Rabenseifner, Gropp 2005
 * (doi:10.1177/1094342005051521), Section 4.1.2.
 *
 * <p><b>Idea.</b> The parts of a host are gathered by its first rank along a binomial tree. These
 * ranks make an allgather at doubling distances, in which hosts of more ranks have longer parts.
 * Each spreads the whole along the tree. No part crosses a network card twice in one direction, in
 * the fewest rounds.
 *
 * <p><b>Cost.</b> For m bytes, h hosts of up to g ranks: ceil(log2 g) rounds within hosts,
 * ceil(log2 h) between them, ceil(log2 g) within; on the network ceil(log2 h)α + m(1 - 1/h)β, in
 * memory 2 ceil(log2 g)α + up to (ceil(log2 g) + 1)mβ.
 *
 * <p><b>Restrictions.</b> Parts have as many blocks each. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}: 1→0 part 1, 3→2 part 3; 0→2 parts 0 and 1, 2→0 parts 2
 * and 3; 0→1 and 2→3 all.
 */
public final class HierarchicalAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalAllGather() {
    super(
        Collective.ALLGATHER,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "within hosts, between one rank of each, within hosts; for short vectors",
            "2 ceil(log2 g) + ceil(log2 h)",
            "<= b (1 + ceil(log2 g) + g ceil(log2 h) / p)",
            Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.BY_HOST)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostParts.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    HostParts parts = new HostParts(problem);
    parts.gather(builder, 0, rank);
    parts.allgather(builder, parts.roundsWithin(), rank);
    parts.spread(builder, parts.roundsWithin() + parts.roundsBetween(), rank);
    builder.own(parts.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    HostParts parts = new HostParts(amongPlaces(problem));
    List<Phase> phases = new ArrayList<>(parts.partPhases());
    phases.addAll(parts.betweenPhases(false));
    phases.addAll(parts.vectorPhases(false));
    return phases;
  }

  @Override
  public long blocksSent(Problem problem) {
    return new HostParts(amongPlaces(problem)).allgatherSends();
  }
}
