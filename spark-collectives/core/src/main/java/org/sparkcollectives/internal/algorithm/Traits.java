package org.sparkcollectives.internal.algorithm;

import java.util.EnumSet;
import java.util.Set;
import org.sparkcollectives.internal.shape.DirectPeers;

/**
 * What an algorithm can do, as data for the registry's readers.
 *
 * @param keepsOrder whether operands are combined in rank order for every root that it accepts, so
 *     that the operator need not be commutative; true where nothing is combined
 * @param source paper and section
 * @param summary one line for people
 * @param roundsFormula the number of rounds, as a formula, for people
 * @param sentFormula the most blocks that one rank sends, as a formula, for people
 * @param features what sets the algorithm apart
 */
public record Traits(
    boolean keepsOrder,
    String source,
    String summary,
    String roundsFormula,
    String sentFormula,
    Set<Feature> features) {
  /** The part of a model's contention that ranks see now and then. */
  private static final double NOW_AND_THEN = 1.0 / 3;

  /** What sets an algorithm apart. */
  public enum Feature {
    /** A rank sends or receives in a round, never both: for networks that are not full-duplex. */
    SIMPLEX,
    /**
     * Ranks of one host work together; one of them stands for the host on the network, or one sends
     * and one receives there, or several do both for a slice of the vector each.
     */
    HIERARCHICAL,
    /**
     * Where operands may be combined in any order, ranks are counted rack by rack and host by host,
     * so that its chains, rings and trees leave a host and a rack as seldom as can be.
     */
    BY_HOST,
    /**
     * Messages go half the circle of ranks, a quarter, an eighth … . Where operands may be combined
     * in any order and every host has the same power of two of ranks, ranks are counted one of each
     * host in turn, so that the long ways stay in a host; the same with hosts and racks.
     */
    HALVED_DISTANCES,
    /**
     * Messages go 1, 2, 4 … places around the circle of ranks. Where operands may be combined in
     * any order and as many ranks are on each of a power of two of hosts, ranks are counted one of
     * each host in turn; the same with hosts and racks. With halved distances, too, both must hold.
     */
    DOUBLED_DISTANCES,
    /**
     * Parts may have different numbers of blocks, as their lengths ask for ({@link
     * org.sparkcollectives.schedule.Problem#parts}), or equal ones several blocks each.
     */
    UNEVEN,
    /** How ranks are grouped depends on the number of blocks. */
    REGROUPING,
    /** All that a rank sends it has from the beginning: no message waits for another to arrive. */
    INDEPENDENT,
    /**
     * It pipelines in periods of ceil(log2 p) rounds: a rank passes a block on in different rounds
     * of a period, so the last to get it does so up to a period later than it could.
     */
    PERIODIC,
    /**
     * Ranks send to another rank in every round and hear from a third one, so one that is ahead
     * contends with others for a receiver's network card.
     */
    ROAMING,
    /** In rounds in which ranks send and receive, messages are a cycle of all ranks, or several. */
    CYCLIC,
    /** Such cycles go 1, 2, 3 … places around the circle of ranks, each way once. */
    SHIFTING,
    /** Such cycles go 1, 2, 4 … places, with the blocks whose way has that power of two in it. */
    BITWISE,
    /** Ranks exchange messages with all ranks of their host and one on every other host. */
    TO_HOSTS,
    /**
     * Ranks alternate between few partners, or several ranks of a host send to as many hosts at
     * once, so they contend with each other for a network card now and then.
     */
    ALTERNATING,
    /**
     * Where the number of ranks is a power of two and operands may be combined in any order, they
     * meet in pairs: two keep each other's cards to themselves, and nobody contends for them.
     */
    PAIRED,
    /**
     * Ranks {@linkplain Algorithm#executed execute} it in other rounds than it claims, which leave
     * time for latencies.
     */
    SLACK
  }

  /**
   * Copies the set.
   *
   * @param keepsOrder whether operands are combined in rank order
   * @param source paper and section
   * @param summary one line for people
   * @param roundsFormula the number of rounds, as a formula, for people
   * @param sentFormula the most blocks that one rank sends, as a formula, for people
   * @param features what sets the algorithm apart
   */
  public Traits {
    features = Set.copyOf(features);
  }

  /**
   * An algorithm without special features.
   *
   * @param keepsOrder whether operands are combined in rank order
   * @param source paper and section
   * @param summary one line for people
   * @param roundsFormula the number of rounds, as a formula, for people
   * @param sentFormula the most blocks that one rank sends, as a formula, for people
   */
  public Traits(
      boolean keepsOrder, String source, String summary, String roundsFormula, String sentFormula) {
    this(keepsOrder, source, summary, roundsFormula, sentFormula, Set.of());
  }

  /**
   * The same with one feature more.
   *
   * @param feature the feature
   * @return the traits
   */
  public Traits with(Feature feature) {
    Set<Feature> all = EnumSet.of(feature);
    all.addAll(features);
    return new Traits(keepsOrder, source, summary, roundsFormula, sentFormula, all);
  }

  /**
   * Whether the algorithm has a feature.
   *
   * @param feature the feature
   * @return true if it has
   */
  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /**
   * How much of the {@linkplain org.sparkcollectives.cost.CostModel#contention contention} of a
   * cost model the algorithm pays.
   *
   * @param size the number of ranks
   * @param ordered whether operands must stay in rank order
   * @return 0 for none to 1 for all of it
   */
  public double contention(int size, boolean ordered) {
    if (has(Feature.PAIRED) && DirectPeers.of(size, ordered).pairs()) {
      return 0;
    }
    return has(Feature.ROAMING) ? 1 : has(Feature.ALTERNATING) ? NOW_AND_THEN : 0;
  }
}
