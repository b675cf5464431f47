package org.sparkcollectives.cost;

import java.util.List;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Topology;

/**
 * The price of an algorithm from the rounds that it claims, without its schedule: Σ rounds · (g +
 * βm + γc), and α - g once for every round of the path that a block travels.
 *
 * <p>What it assumes: every round takes as long as its longest message. Rounds that stay within
 * hosts cost what the farthest two ranks of a host pay. All others cross the network, if there are
 * several hosts. There the ranks of a host that send at the same time share its network card, each
 * with an equal part of the bandwidth: at most all ranks of the fullest host where an algorithm
 * knows no hosts, one where an algorithm lets one rank stand for its host. Where the network is not
 * full-duplex, rounds in which ranks send and receive take twice as long.
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

  /** How far apart two ranks of one host can be. */
  private static Level inner(Topology topology, int size) {
    for (int host = 0; host < (topology.isFlat() ? 0 : topology.hosts(size)); host++) {
      int[] ranks = topology.ranksOf(host);
      for (int rank : ranks) {
        if (topology.executor(rank) != topology.executor(ranks[0])) {
          return Level.HOST;
        }
      }
    }
    return Level.EXECUTOR;
  }

  /**
   * The price of an algorithm.
   *
   * @param phases the rounds that it claims
   * @param path the rounds in which a message needs what one of the round before has brought; the
   *     same as {@code phases} where nothing is pipelined
   * @param bytesPerBlock the size of a block
   * @param ranksPerCard how many ranks of a host use its network card at the same time
   * @return nanoseconds
   */
  public double nanos(
      List<Phase> phases, List<Phase> path, double bytesPerBlock, int ranksPerCard) {
    double sum = 0;
    for (Phase phase : phases) {
      sum += phase.rounds() * round(phase, bytesPerBlock, ranksPerCard);
    }
    for (Phase phase : path) {
      sum += phase.rounds() * ways(phase) * cost(phase).latencyNanos();
    }
    return sum;
  }

  private double round(Phase phase, double bytesPerBlock, int ranksPerCard) {
    LevelCost cost = cost(phase);
    double sharing = hosts && !phase.local() ? ranksPerCard : 1;
    double bytes = phase.blocks() * bytesPerBlock;
    double transfer = cost.gapNanos() + sharing * (cost.occupiedNanos(bytes) - cost.gapNanos());
    return ways(phase) * transfer + model.gammaNanosPerByte() * phase.combined() * bytesPerBlock;
  }

  private LevelCost cost(Phase phase) {
    return phase.local() ? near : far;
  }

  private int ways(Phase phase) {
    return hosts && !phase.local() && phase.bothWays() && !model.fullDuplex() ? 2 : 1;
  }
}
