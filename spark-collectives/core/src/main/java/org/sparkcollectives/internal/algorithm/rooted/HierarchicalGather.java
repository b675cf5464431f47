package org.sparkcollectives.internal.algorithm.rooted;

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
 * Gather within hosts, then from one rank of each.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to {@link BinomialGather}.
 *
 * <p><b>Idea.</b> The scatter by {@code hierarchical} backwards: one rank of each host collects the
 * parts of its host, and the root what they have, along a binomial tree of the hosts. A host sends
 * one message to the network, however its ranks are numbered.
 *
 * <p><b>Cost.</b> For m bytes in all, h hosts of up to g ranks: ceil(log2 g) rounds within hosts
 * and ceil(log2 h) between them; to the root's card m(1 - 1/h)β, in its memory mβ/h.
 *
 * <p><b>Restrictions.</b> Parts have as many blocks each. <b>Memory.</b> A rank's vector reaches
 * from the first to the last part that passes through it: where hosts have consecutive ranks, the
 * parts of its subtree.
 *
 * <p><b>Example.</b> Hosts {0, 2}, {1, 3}, root 0: 2→0 part 2 and 3→1 part 3; 1→0 parts 1 and 3.
 */
public final class HierarchicalGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalGather() {
    super(
        Collective.GATHER,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "within hosts, then from one rank of each; for short vectors",
            "ceil(log2 h) + ceil(log2 g)",
            "<= b g 2^(ceil(log2 h) - 1) / p",
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
    parts.gatherFromHosts(builder, parts.roundsWithin(), rank);
    builder.own(parts.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    HostParts parts = new HostParts(amongPlaces(problem));
    List<Phase> phases = new ArrayList<>(parts.partPhases());
    phases.addAll(parts.rootedPhases());
    return phases;
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : new HostParts(amongPlaces(problem)).gatherSends();
  }
}
