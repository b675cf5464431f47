package org.sparkcollectives.internal.cost;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Topology;

/**
 * The price of an algorithm from the rounds that it claims, without its schedule: what each round
 * occupies the ranks for, with γ for what they combine, and what a message arrives later than that
 * once for every round of the path that a block travels ({@link LevelCost}).
 *
 * <p>What it assumes: every round takes as long as its longest message. Rounds that stay within
 * hosts cost what the farthest two ranks of a host pay. All others cross the network, if there are
 * several hosts. There the ranks of a host that send at the same time share its network card, each
 * with an equal part of the bandwidth: at most all ranks of the fullest host where an algorithm
 * knows no hosts, one where an algorithm lets one rank stand for its host. Where the partners of a
 * pipeline change in every round, cards are shared with ranks that are ahead, too. Where the
 * network is not full-duplex, rounds in which ranks send and receive occupy them twice as long, and
 * longer where the messages of a round are cycles of an odd number of ranks ({@link Turns}).
 */
public final class ClosedForm {
  private final CostModel model;
  private final LevelCost near;
  private final LevelCost far;
  private final boolean hosts;

  /**
   * The prices for a group of ranks.
   *
   * @param model what communication costs
   * @param topology which ranks share a host
   * @param size p, the number of ranks
   */
  public ClosedForm(CostModel model, Topology topology, int size) {
    this.model = model;
    this.hosts = topology.hosts(size) > 1;
    this.near = model.at(inner(topology, size));
    this.far = hosts ? model.at(Level.NETWORK) : near;
  }

  private ClosedForm(CostModel model, LevelCost cost) {
    this.model = model;
    this.hosts = false;
    this.near = cost;
    this.far = cost;
  }

  /**
   * The same as if all ranks were on one host, or, where that costs less, on hosts of their own.
   *
   * @return lower prices, whichever ranks share a host
   */
  public ClosedForm withinReach() {
    double gap = Math.min(near.gapNanos(), far.gapNanos());
    LevelCost least =
        new LevelCost(
            Math.min(near.alphaNanos(), far.alphaNanos()),
            Math.min(near.betaNanosPerByte(), far.betaNanosPerByte()),
            gap);
    return new ClosedForm(model, least);
  }

  /**
   * The farthest that messages go: between hosts, or within the only one.
   *
   * @return its cost
   */
  public LevelCost farthest() {
    return far;
  }

  /** How far apart two ranks of one host can be. */
  private static Level inner(Topology topology, int size) {
    for (int host = 0; host < (topology.isFlat() ? 0 : topology.hosts(size)); host++) {
      int[] ranks = topology.ranksOf(host);
      for (int rank : ranks) {
        if (topology.process(rank) != topology.process(ranks[0])) {
          return Level.HOST;
        }
      }
    }
    return Level.PROCESS;
  }

  /**
   * The price of an algorithm.
   *
   * @param phases the rounds that it claims
   * @param path the rounds in which a message needs what one of the round before has brought; the
   *     same as {@code phases} where nothing is pipelined
   * @param bytesPerBlock the size of a block
   * @param sharing by how much longer a message between hosts takes because its network cards are
   *     shared: with how many ranks of the host, and with ranks that are ahead
   * @return nanoseconds
   */
  public double nanos(List<Phase> phases, List<Phase> path, double bytesPerBlock, double sharing) {
    return nanos(phases, path, blocks -> blocks * bytesPerBlock, sharing);
  }

  /**
   * The price of an algorithm where blocks have different sizes.
   *
   * @param phases the rounds that it claims
   * @param path the rounds in which a message needs what one of the round before has brought
   * @param bytesOf the most bytes that some number of blocks has
   * @param sharing by how much longer a message between hosts takes
   * @return nanoseconds
   */
  public double nanos(
      List<Phase> phases, List<Phase> path, IntToDoubleFunction bytesOf, double sharing) {
    return nanos(phases, path, bytesOf, sharing, Turns.PAIRS);
  }

  /**
   * The price of an algorithm whose messages of a round may be a cycle of ranks.
   *
   * @param phases the rounds that it claims
   * @param path the rounds in which a message needs what one of the round before has brought
   * @param bytesOf the most bytes that some number of blocks has
   * @param sharing by how much longer a message between hosts takes
   * @param turns how often messages take turns in a round in which ranks send and receive, where
   *     the network is not full-duplex
   * @return nanoseconds
   */
  public double nanos(
      List<Phase> phases,
      List<Phase> path,
      IntToDoubleFunction bytesOf,
      double sharing,
      double turns) {
    double sum = 0;
    for (Phase phase : phases) {
      double combined = model.gammaNanosPerByte() * bytesOf.applyAsDouble(phase.combined());
      double bytes = bytesOf.applyAsDouble(phase.blocks());
      double occupied =
          ways(phase, turns) * cost(phase).occupiedNanos(bytes, factor(phase, sharing));
      sum += phase.rounds() * (occupied + combined);
    }
    for (Phase phase : path) {
      double bytes = bytesOf.applyAsDouble(phase.blocks());
      double latency = cost(phase).latencyNanos(bytes, factor(phase, sharing));
      sum += phase.rounds() * latency;
    }
    return sum;
  }

  private double factor(Phase phase, double sharing) {
    return hosts && !phase.local() ? sharing : 1;
  }

  private LevelCost cost(Phase phase) {
    return phase.local() ? near : far;
  }

  private double ways(Phase phase, double turns) {
    return hosts && !phase.local() && phase.bothWays() && !model.fullDuplex() ? turns : 1;
  }
}
