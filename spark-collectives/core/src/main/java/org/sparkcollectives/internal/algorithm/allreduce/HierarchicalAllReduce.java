package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.SlackAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CyclicParts;
import org.sparkcollectives.internal.algorithm.pattern.GroupPipeline;
import org.sparkcollectives.internal.algorithm.pattern.HostGroups;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce within hosts, between them, and within them again.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to all-reduce; within hosts Träff 2024 (arXiv:2407.18004), between them Träff 2024
 * (arXiv:2410.14234), in order Sanders, Speck, Träff 2009, Section 4.2.
 *
 * <p><b>Idea.</b> The vectors of a host are reduced to its lowest rank, block by block. These ranks
 * do a reduce-scatter and an allgather of parts of the vector, as {@code circulant} does; in order,
 * a reduction along two trees and a broadcast. Each spreads the result on its host, block by block.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, P hosts of up to l ranks: 2(b - 1 + ceil(log2 l)) rounds
 * within hosts, each α + (m/b)β there, and 2 ceil(log2 P)α + 2m(1 - 1/P)β on the network; γ in half
 * of them. In order, the rounds of {@code two-tree}'s reduction for l and for P ranks, and b - 1 +
 * ceil(log2 P) and b - 1 + ceil(log2 l) more.
 *
 * <p><b>Execution.</b> In order, ranks execute it with {@link TwoTreePipeline#SLACK slack}, where
 * an edge of a tree takes two rounds more. The same blocks cross the same edges.
 *
 * <p><b>Restrictions.</b> In order, the ranks of a host are consecutive. <b>Memory.</b> The vector;
 * received operands are combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, b = 1: 1→0 and 3→2; 2→0; 0→2; 0→1 and 2→3.
 */
public final class HierarchicalAllReduce extends SlackAlgorithm {

  /** Makes the algorithm. */
  public HierarchicalAllReduce() {
    super(
        Collective.ALLREDUCE,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "within hosts, between one rank of each, within hosts; for several ranks on a host",
            "2(b - 1) + 2 ceil(log2 g) + 2 ceil(log2 h);"
                + " in order: <= l (b + 2 ceil(b/2)) + 2 ceil(log2(g+1)) + ceil(log2 g) + 2"
                + " ceil(log2(h+1)) + ceil(log2 h); g = 1: 2 ceil(log2 p)",
            "<= (l + 1) b + ceil(log2 g) + ceil(log2 h)",
            Set.of(Traits.Feature.HIERARCHICAL)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return HostGroups.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, int slack, ScheduleBuilder builder) {
    HostGroups groups = new HostGroups(problem, 0, slack);
    int host = problem.topology().host(rank);
    GroupPipeline own = groups.within(host);
    GroupPipeline leaders = groups.leaders();
    int start = groups.reduceRounds();
    own.reduce(builder, 0, groups.member(rank), problem.ordered());
    if (rank == groups.leader(host) && problem.ordered()) {
      leaders.reduce(builder, start, host, true);
      leaders.broadcast(builder, start + leaders.reduceRounds(true), host);
    } else if (rank == groups.leader(host) && leaders.size() > 1) {
      CyclicParts parts = parts(leaders);
      parts.reduceScatter(builder, start, host);
      parts.allgather(builder, start + parts.rounds(), host);
    }
    int end = start + Phase.rounds(between(problem, leaders));
    own.broadcast(builder, end, groups.member(rank));
  }

  private static CyclicParts parts(GroupPipeline leaders) {
    return new CyclicParts(leaders.blocks(), leaders.size(), leaders.rankOf());
  }

  private static List<Phase> between(Problem problem, GroupPipeline leaders) {
    if (problem.ordered()) {
      return List.of(
          new Phase(leaders.reduceRounds(true), 1, 1), new Phase(leaders.broadcastRounds(), 1));
    }
    List<Phase> phases = new ArrayList<>();
    if (leaders.size() > 1) {
      phases.addAll(parts(leaders).reduceScatterPhases());
      phases.addAll(parts(leaders).allgatherPhases());
    }
    return phases;
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    HostGroups groups = new HostGroups(problem, 0);
    List<Phase> phases = new ArrayList<>();
    phases.add(new Phase(groups.reduceRounds(), 1, 1, true, true));
    phases.addAll(between(problem, groups.leaders()));
    phases.add(new Phase(groups.broadcastRounds(), 1, 0, true, true));
    return phases;
  }

  /** {@inheritDoc} All ranks but leaders, in order but rank 0, send the vector once at first. */
  @Override
  public long blocksSent(Problem problem) {
    HostGroups groups = new HostGroups(problem, 0);
    long most = 0;
    for (int rank = 0; rank < problem.size(); rank++) {
      int host = problem.topology().host(rank);
      boolean leads = rank == groups.leader(host);
      if (problem.ordered() || !leads) {
        most = Math.max(most, groups.broadcastSends(rank) + (rank > 0 ? problem.blocks() : 0));
      } else {
        GroupPipeline leaders = groups.leaders();
        long between = leaders.size() > 1 ? parts(leaders).sent(host) : 0;
        most = Math.max(most, between + groups.within(host).broadcastSends(groups.member(rank)));
      }
    }
    return most;
  }
}
