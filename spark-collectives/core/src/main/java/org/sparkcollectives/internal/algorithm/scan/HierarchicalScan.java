package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.BinomialTree;
import org.sparkcollectives.internal.shape.HostRuns;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan within hosts, over hosts and within hosts again, inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the hierarchical
 * decomposition.
 *
 * <p><b>Idea.</b> Every host makes a scan of its own by simultaneous binomial trees. The last ranks
 * of the hosts, which then have their hosts' sums, make a scan over the hosts in the same way, and
 * keep the sum of all hosts before their own. They spread it in their hosts along a binomial tree,
 * and every rank combines it with what it has. One rank of a host uses the network.
 *
 * <p><b>Cost.</b> For m bytes, P hosts and up to l ranks on one: ceil(log2 l) rounds within hosts,
 * ceil(log2 P) between them, ceil(log2 l) within hosts; each α + m(β + γ) of the network or of
 * memory, with up to 2γ between hosts or exclusive.
 *
 * <p><b>Restrictions.</b> The ranks of a host are consecutive. <b>Memory.</b> Besides the vector
 * one for the sum of the hosts before, exclusive one more.
 *
 * <p><b>Example.</b> Hosts {0, 1, 2}, {3, 4}, {5}: 0→1→2, 3→4; 0→2; 2→4→5; 2→5; 4→3.
 */
public final class HierarchicalScan extends ScheduledAlgorithm {
  /** The sum of all hosts before. */
  private static final int HOSTS_BEFORE = 3;

  private final boolean exclusive;

  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public HierarchicalScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4",
            "whole vectors within hosts, then between one rank of each; for short vectors",
            "<= ceil(log2 h) + 2 ceil(log2 g); h = 1: ceil(log2 p)",
            "<= b (ceil(log2 h) + ceil(log2 g))",
            Set.of(Traits.Feature.HIERARCHICAL)));
    this.exclusive = exclusive;
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return Hosts.refusal(problem);
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    HostRuns runs = Hosts.of(problem);
    BlockRange all = new BlockRange(0, problem.blocks());
    PartialResult partial = new PartialResult(builder, exclusive, all);
    int host = runs.host(rank);
    boolean speaks = rank == runs.last(host);
    planWithin(runs, rank, speaks && host + 1 < runs.hosts(), partial);
    int round = Powers.ceilLog2(problem.topology().mostRanksPerHost());
    if (speaks) {
      planBetween(runs, host, round, builder, partial, all);
    }
    if (host > 0 && runs.length(host) > 1) {
      planSpread(runs, rank, round + Powers.ceilLog2(runs.hosts()), builder, partial, all);
    }
  }

  /** The scan of one host. */
  private static void planWithin(HostRuns runs, int rank, boolean sends, PartialResult partial) {
    int host = runs.host(rank);
    int last = runs.last(host);
    for (int round = 0; 1 << round < runs.length(host); round++) {
      int distance = 1 << round;
      if (rank + distance <= last) {
        partial.send(round, rank + distance);
      }
      if (rank - distance >= runs.first(host)) {
        partial.receive(round, rank - distance, sends || rank + 2 * distance <= last);
      }
    }
  }

  /** The last rank's part in the scan over hosts. */
  private void planBetween(
      HostRuns runs,
      int host,
      int start,
      ScheduleBuilder builder,
      PartialResult partial,
      BlockRange all) {
    boolean spreads = runs.length(host) > 1;
    for (int level = 0; 1 << level < runs.hosts(); level++) {
      int distance = 1 << level;
      int round = start + level;
      if (host + distance < runs.hosts()) {
        partial.send(round, runs.last(host + distance));
      }
      if (host < distance) {
        continue;
      }
      int peer = runs.last(host - distance);
      boolean sends = host + 2L * distance < runs.hosts();
      if (!spreads || !exclusive) {
        partial.receive(round, peer, sends);
      } else {
        // The result follows when the sum of all hosts before is complete.
        builder.receive(round, peer, OPERAND, all);
        partial.receiveInclusive(round, sends);
      }
      if (spreads && level == 0) {
        builder.copy(round, HOSTS_BEFORE, OPERAND, all);
      } else if (spreads) {
        builder.combine(round, HOSTS_BEFORE, OPERAND, HOSTS_BEFORE, all);
      }
    }
  }

  /** The sum of all hosts before, from the last rank of a host to the others. */
  private void planSpread(
      HostRuns runs,
      int rank,
      int start,
      ScheduleBuilder builder,
      PartialResult partial,
      BlockRange all) {
    int first = runs.first(runs.host(rank));
    int length = runs.length(runs.host(rank));
    BinomialTree tree = new BinomialTree(length, length - 1);
    int node = rank - first;
    int top = tree.parentLevel(node);
    int end = start + tree.levels() - 1;
    if (top < tree.levels()) {
      builder.receive(end - top, first + tree.partner(node, top), HOSTS_BEFORE, all);
      if (exclusive) {
        partial.extend(end - top, HOSTS_BEFORE);
      } else {
        builder.combine(end - top, VECTOR, HOSTS_BEFORE, VECTOR, all);
      }
    } else if (exclusive) {
      partial.extend(start, HOSTS_BEFORE);
    }
    for (int level = top - 1; level >= 0; level--) {
      int child = tree.partner(node, level);
      if (child != BinomialTree.NONE) {
        builder.send(end - level, first + child, HOSTS_BEFORE, all);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int blocks = problem.blocks();
    HostRuns runs = Hosts.of(problem);
    int most = problem.topology().mostRanksPerHost();
    int twice = 2 * blocks;
    return List.of(
        new Phase(Powers.ceilLog2(most), blocks, exclusive ? twice : blocks, true, true),
        new Phase(Powers.ceilLog2(runs.hosts()), blocks, exclusive || most > 1 ? twice : blocks),
        new Phase(Powers.ceilLog2(mostAfterFirst(runs)), blocks, blocks, true, true));
  }

  /** The most ranks of a host that has hosts before it. */
  private static int mostAfterFirst(HostRuns runs) {
    int most = 1;
    for (int host = 1; host < runs.hosts() && !runs.isFlat(); host++) {
      most = Math.max(most, runs.length(host));
    }
    return most;
  }

  @Override
  public long blocksSent(Problem problem) {
    HostRuns runs = Hosts.of(problem);
    int most = 0;
    for (int host = 0; host < runs.hosts(); host++) {
      int within = Powers.ceilLog2(runs.length(host));
      int between = Powers.ceilLog2(runs.hosts() - host);
      boolean spreads = host > 0 && within > 0;
      // The first rank sends most within; the last one sends between and, as the root of a tree
      // over l ranks of which it is the last, to as many of them as l - 1 has bits.
      int children = Integer.bitCount(runs.length(host) - 1);
      most = Math.max(most, spreads ? 2 * within - 1 : within);
      most = Math.max(most, spreads ? between + children : between);
      if (runs.isFlat()) {
        break;
      }
    }
    return (long) most * problem.blocks();
  }

  @Override
  public int naturalBlocks(int size) {
    return 1;
  }
}
