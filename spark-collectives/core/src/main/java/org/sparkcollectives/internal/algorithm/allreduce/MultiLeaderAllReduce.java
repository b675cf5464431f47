package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CyclicParts;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * All-reduce between hosts by several ranks of each at once, one for each slice of the vector.
 *
 * <p><b>Source.</b> Bayatpour, Chakraborty, Subramoni, Lu, Panda 2017
 * (doi:10.1145/3126908.3126954), with as many leaders as the host of fewest ranks has ranks. The
 * reduce-scatters and allgathers are those of Träff 2024 (arXiv:2410.14234).
 *
 * <p><b>Idea.</b> The vector has s slices. The ranks of a host do a reduce-scatter, after which the
 * first s of them, the leaders, have one slice each, summed over the host. The leaders of a slice,
 * one for each host, do an all-reduce of it, all slices at once. An allgather within hosts ends it.
 * No rank's thread has more than its slice to do with on the network, where {@code hierarchical}
 * puts all of a host through one.
 *
 * <p><b>Cost.</b> For m bytes, h hosts of s ranks: 2 ceil(log2 s)α + 2m(1 - 1/s)β + m(1 - 1/s)γ
 * within hosts; between them 2 ceil(log2 h)α, 2m(1 - 1/h)β on each card, the least possible, and
 * m(1 - 1/h)γ/s. A host of g ranks, more than s, has 2 ceil(log2 g) rounds, with up to floor(g/2)
 * or s slices in a message: up to 2mβ in each pair of rounds.
 *
 * <p><b>Restrictions.</b> Parts are summed as they come, so the operator must commute. A host of
 * one rank has one leader, and so have all others then. <b>Memory.</b> The vector; received
 * operands are combined at once.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3, 4}, b = 4, slices {0, 1}, {2, 3}: 1→0, 3→2, then 4→2 the
 * first, 0→1, 4→3, then 2→3 the second. 0→2 block 1, 2→0 block 0, 1→3 block 3, 3→1 block 2; the
 * same backwards with sums, and slices backwards.
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
            "2 ceil(log2 g) + 2 ceil(log2 h)",
            "<= 2b (1 - 1/p) + 2 ceil(log2 p);"
                + " p < g h: <= b (ceil(log2 g) + 2 - 2/h) + ceil(log2 g) + ceil(log2 h)",
            Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.ALTERNATING)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Topology topology = problem.topology();
    int host = topology.host(rank);
    int[] ranks = topology.ranksOf(host);
    int member = Arrays.binarySearch(ranks, rank);
    CyclicParts own = within(problem, ranks);
    own.reduceScatter(builder, 0, member);
    int start = Powers.ceilLog2(topology.mostRanksPerHost());
    int end = start + 2 * Powers.ceilLog2(topology.hosts(problem.size()));
    if (member < topology.fewestRanksPerHost()) {
      CyclicParts slice = between(problem, member);
      slice.reduceScatter(builder, start, host);
      slice.allgather(builder, start + slice.rounds(), host);
    }
    own.allgather(builder, end + start - own.rounds(), member);
  }

  /** How the ranks of a host divide the vector: a slice for each leader, nothing for others. */
  private static CyclicParts within(Problem problem, int[] ranks) {
    int slices = problem.topology().fewestRanksPerHost();
    BlockRange all = new BlockRange(0, problem.blocks());
    return new CyclicParts(all, ranks.length, slices, member -> ranks[member]);
  }

  /** How the leaders of a slice divide it. */
  private static CyclicParts between(Problem problem, int slice) {
    Topology topology = problem.topology();
    BlockRange range = EvenParts.of(problem.blocks(), topology.fewestRanksPerHost(), slice);
    int hosts = topology.hosts(problem.size());
    return new CyclicParts(range, hosts, hosts, host -> topology.ranksOf(host)[slice]);
  }

  /** {@inheritDoc} In every round the fullest host has the longest messages of a host. */
  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    Topology topology = problem.topology();
    CyclicParts fullest = within(problem, new int[topology.mostRanksPerHost()]);
    int slice = EvenParts.largest(problem.blocks(), topology.fewestRanksPerHost());
    CyclicParts largest = new CyclicParts(slice, topology.hosts(problem.size()));
    List<Phase> phases = new ArrayList<>(local(fullest.reduceScatterPhases()));
    phases.addAll(largest.reduceScatterPhases());
    phases.addAll(largest.allgatherPhases());
    phases.addAll(local(fullest.allgatherPhases()));
    return phases;
  }

  private static List<Phase> local(List<Phase> phases) {
    return phases.stream()
        .map(phase -> new Phase(phase.rounds(), phase.blocks(), phase.combined(), true, true))
        .toList();
  }

  @Override
  public long blocksSent(Problem problem) {
    Topology topology = problem.topology();
    int leaders = topology.fewestRanksPerHost();
    boolean alike = leaders == topology.mostRanksPerHost();
    CyclicParts[] slices = new CyclicParts[leaders];
    Arrays.setAll(slices, slice -> between(problem, slice));
    long most = 0;
    for (int host = 0; host < (alike ? 1 : topology.hosts(problem.size())); host++) {
      int[] ranks = topology.ranksOf(host);
      CyclicParts own = within(problem, ranks);
      for (int member = 0; member < ranks.length; member++) {
        long sent = own.sent(member);
        if (member < leaders) {
          sent += alike ? slices[member].mostSent() : slices[member].sent(host);
        }
        most = Math.max(most, sent);
      }
    }
    return most;
  }

  @Override
  public int naturalBlocks(int size) {
    return BLOCKS_PER_RANK * size;
  }
}
