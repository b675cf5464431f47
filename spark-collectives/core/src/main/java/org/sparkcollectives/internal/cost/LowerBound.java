package org.sparkcollectives.internal.cost;

import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * A time that no algorithm beats: what has to pass the busiest network card, at β, or the busiest
 * uplink of a rack, or the time in which one rank's contribution can reach all others, at the least
 * α and gap of the levels that ranks have between them. Combining, gaps and headers are left out.
 * On one host each rank counts as a host, whose card has the least β of these levels.
 *
 * <p>That time holds for collectives in which one rank's contribution, such as that of rank 0 to a
 * scan, reaches all others, or those of all others reach one rank, which is the same backwards: for
 * all that there are.
 */
public final class LowerBound {
  private LowerBound() {}

  /**
   * The lower bound of an operation whose parts may have different lengths.
   *
   * @param model what communication costs
   * @param problem what is to be solved
   * @param bytes the vector's size; in an alltoall of what all ranks send to all
   * @param counts for each rank the length of its part in an allgather or reduce_scatter, in any
   *     unit; empty for equal ones
   * @return nanoseconds, 0 for one rank
   */
  public static double nanos(CostModel model, Problem problem, double bytes, List<Integer> counts) {
    int size = problem.size();
    if (size == 1) {
      return 0;
    }
    boolean oneHost = problem.topology().hosts(size) == 1;
    Topology topology = oneHost ? Topology.FLAT : problem.topology();
    LevelCost least = least(model, problem.topology(), size);
    LevelCost far = oneHost ? least : model.network();
    int cards = topology.mostRanksPerHost() > 1 ? topology.hosts(size) : 0;
    double start = reach(size, cards, least.alphaNanos(), least.gapNanos());
    double transfer = far.betaNanosPerByte() * part(problem, topology, counts) * bytes;
    if (topology.hasRacks()) {
      double crossing = part(problem, topology.racksAsHosts(), counts) * bytes;
      transfer = Math.max(transfer, model.uplinkNanosPerByte() * crossing);
    }
    return Math.max(Math.max(start, far.alphaNanos()), transfer);
  }

  /**
   * How long it takes until one rank's message can have reached all: every rank that has it starts
   * to send it to another one after each gap, and where ranks share hosts so does every card, which
   * sends while its ranks write to each other.
   */
  private static double reach(int size, int cards, double alpha, double gap) {
    int delay = (int) Math.min(size, Math.max(1, alpha / gap));
    long[] reached = new long[delay]; // the last ones, in turn
    long now = 1;
    int gaps = 0;
    for (; now < size; gaps++) {
      reached[gaps % delay] = now;
      long holders = reached[(gaps + 1) % delay];
      now += holders + Math.min(holders, cards);
    }
    return gaps * gap;
  }

  /** The least of each cost among the levels that two of the ranks have between them. */
  private static LevelCost least(CostModel model, Topology topology, int size) {
    List<LevelCost> costs = levels(topology, size).stream().map(model::at).toList();
    return new LevelCost(
        costs.stream().mapToDouble(LevelCost::alphaNanos).min().orElseThrow(),
        costs.stream().mapToDouble(LevelCost::betaNanosPerByte).min().orElseThrow(),
        costs.stream().mapToDouble(LevelCost::gapNanos).min().orElseThrow());
  }

  private static Set<Level> levels(Topology topology, int size) {
    Set<Level> levels = EnumSet.noneOf(Level.class);
    int hosts = topology.hosts(size);
    if (hosts > 1) {
      levels.add(Level.NETWORK);
    }
    BitSet processes = new BitSet();
    for (int host = 0; host < (topology.isFlat() ? 0 : hosts); host++) {
      int[] ranks = topology.ranksOf(host);
      for (int rank : ranks) {
        int process = topology.process(rank);
        if (processes.get(process)) {
          levels.add(Level.PROCESS);
        } else if (rank != ranks[0]) {
          levels.add(Level.HOST);
        }
        processes.set(process);
      }
    }
    return levels;
  }

  /** What part of all bytes the busiest card has to send, or has to receive. */
  private static double part(Problem problem, Topology topology, List<Integer> counts) {
    if (!counts.isEmpty()) {
      return 1 - smallest(topology, counts);
    }
    double size = problem.size();
    int hosts = topology.hosts(problem.size());
    double largest = topology.mostRanksPerHost() / size;
    double smallest =
        topology.isFlat()
            ? 1 / size
            : IntStream.range(0, hosts).map(i -> topology.ranksOf(i).length).min().orElse(1) / size;
    double roots = ranksOf(topology, topology.host(problem.root())) / size;
    return switch (problem.collective()) {
      case BROADCAST, REDUCE -> 1;
      case SCAN, EXSCAN -> runs(topology, problem.size());
      case ALLREDUCE -> 2 * (1 - 1.0 / hosts);
      case REDUCE_SCATTER, ALLGATHER -> 1 - smallest;
      case ALLTOALL -> Math.max(largest * (1 - largest), smallest * (1 - smallest));
      case SCATTER, GATHER -> 1 - roots;
      case BARRIER -> 0; // it carries nothing
    };
  }

  /**
   * How many sums of ranks on other hosts a host has to hear of, or to tell, for a scan: one before
   * each of its runs of consecutive ranks, one after each. What lies between two of its runs is
   * known from nothing else, even if the operator commutes.
   */
  private static int runs(Topology topology, int size) {
    if (topology.isFlat()) {
      return 1; // each rank is a run
    }
    int[] heard = new int[topology.hosts(size)];
    int[] told = new int[heard.length];
    for (int rank = 1; rank < size; rank++) {
      int host = topology.host(rank);
      int before = topology.host(rank - 1);
      heard[host] += host == before ? 0 : 1;
      told[before] += host == before ? 0 : 1;
    }
    return IntStream.concat(Arrays.stream(heard), Arrays.stream(told)).max().orElse(0);
  }

  /** The part of all bytes that belongs to the host which has least. */
  private static double smallest(Topology topology, List<Integer> counts) {
    double[] hosts = new double[topology.hosts(counts.size())];
    double sum = 0;
    for (int rank = 0; rank < counts.size(); rank++) {
      hosts[topology.host(rank)] += counts.get(rank);
      sum += counts.get(rank);
    }
    return Arrays.stream(hosts).min().orElse(0) / sum;
  }

  private static int ranksOf(Topology topology, int host) {
    return topology.isFlat() ? 1 : topology.ranksOf(host).length;
  }
}
