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
 * Scatter to one rank of each host, then within hosts.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to {@link BinomialScatter}.
 *
 * <p><b>Idea.</b> The root deals the parts of whole hosts out to one rank of each, along a binomial
 * tree of the hosts; these ranks deal them out along binomial trees within their hosts. A host
 * hears one message from the network, however its ranks are numbered.
 *
 * <p><b>Cost.</b> For m bytes in all, h hosts of up to g ranks: ceil(log2 h) rounds between hosts
 * and ceil(log2 g) within; from the root's card m(1 - 1/h)β, from its memory mβ/h.
 *
 * <p><b>Restrictions.</b> Parts have as many blocks each. <b>Memory.</b> A rank's vector reaches
 * from the first to the last part that passes through it: where hosts have consecutive ranks, the
 * parts of its subtree.
 *
 * <p><b>Example.</b> Hosts {0, 2}, {1, 3}, root 0: 0→1 parts 1 and 3; 0→2 part 2 and 1→3 part 3.
 */
public final class HierarchicalScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalScatter() {
    super(
        Collective.SCATTER,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "to one rank of each host, then within hosts; for short vectors",
            "ceil(log2 h) + ceil(log2 g)",
            "b - floor(b/p)",
            Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.BY_HOST)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostParts.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    HostParts parts = new HostParts(problem);
    parts.scatterToHosts(builder, 0, rank);
    parts.scatter(builder, parts.roundsBetween(), rank);
    builder.own(parts.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    HostParts parts = new HostParts(amongPlaces(problem));
    List<Phase> phases = new ArrayList<>(HostParts.backwards(parts.rootedPhases()));
    phases.addAll(HostParts.backwards(parts.partPhases()));
    return phases;
  }

  /** {@inheritDoc} The root sends all but its own part. */
  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() - problem.blocks() / problem.size();
  }
}
