package org.sparkcollectives.cost;

import org.sparkcollectives.schedule.Level;

/**
 * What communication and combining cost: α + βm for a message of m bytes and γm for combining them,
 * as in the papers, with α, β and the gap of streams for each level. Immutable.
 *
 * @param process messages between ranks of one process
 * @param host messages between processes of one host
 * @param network messages between hosts
 * @param gammaNanosPerByte γ, the time to combine a byte of two operands, in nanoseconds
 * @param fullDuplex whether a host sends and receives at the same time at full speed
 * @param contention by how much longer messages between hosts take, at least 1, where ranks change
 *     partners in every round: one that is ahead shares a receiver's network card
 * @param uplinkNanosPerByte β of a rack's uplink, in nanoseconds: the time per byte of all that its
 *     hosts send to other racks, or receive from them; 0 where it is not known, or as fast as all
 *     cards of the rack together
 * @param provenance where the numbers come from
 */
public record CostModel(
    LevelCost process,
    LevelCost host,
    LevelCost network,
    double gammaNanosPerByte,
    boolean fullDuplex,
    double contention,
    double uplinkNanosPerByte,
    Provenance provenance) {

  /** The bytes that the engine sends before every message's payload. */
  public static final int HEADER_BYTES = 32;

  /** What is nearer to a whole number of cards is one. */
  private static final double ROUNDING = 1e-9;

  /** What changing partners costs where nothing is known; docs/cost.md says who pays. */
  public static final double CONTENTION = 1.15;

  /**
   * The model used where none is given: a 10 Gbit/s network whose messages take 30 µs, ranks of one
   * host that talk through its loopback device or through memory.
   */
  public static final CostModel DEFAULT =
      new CostModel(
          new LevelCost(10_000, 0.25, 1_000),
          new LevelCost(25_000, 0.4, 5_000),
          new LevelCost(30_000, 0.85, 5_000),
          0.1,
          true,
          CONTENTION,
          0,
          new Provenance("nominal: 10 Gbit/s", "2026-11-21", "none"));

  /**
   * Checks γ, the contention and the uplink.
   *
   * @param process messages between ranks of one process
   * @param host messages between processes of one host
   * @param network messages between hosts
   * @param gammaNanosPerByte γ, the time to combine a byte of two operands, in nanoseconds
   * @param fullDuplex whether a host sends and receives at the same time at full speed
   * @param contention by how much longer messages between hosts take, at least 1, where ranks
   *     change partners in every round: one that is ahead shares a receiver's network card
   * @param uplinkNanosPerByte β of a rack's uplink, in nanoseconds, or 0
   * @param provenance where the numbers come from
   * @throws IllegalArgumentException if γ or the uplink's β is negative, the contention is below 1,
   *     or one of them not finite
   */
  public CostModel {
    if (!(gammaNanosPerByte >= 0 && gammaNanosPerByte < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("γ must not be negative, as is " + gammaNanosPerByte);
    }
    if (!(contention >= 1 && contention < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("contention must be at least 1, not " + contention);
    }
    if (!(uplinkNanosPerByte >= 0 && uplinkNanosPerByte < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the uplink's β must not be negative, as is " + uplinkNanosPerByte);
    }
  }

  /**
   * A model that knows no uplinks.
   *
   * @param process messages between ranks of one process
   * @param host messages between processes of one host
   * @param network messages between hosts
   * @param gammaNanosPerByte γ, the time to combine a byte of two operands, in nanoseconds
   * @param fullDuplex whether a host sends and receives at the same time at full speed
   * @param contention by how much longer messages between hosts take, at least 1
   * @param provenance where the numbers come from
   * @throws IllegalArgumentException if γ is negative, the contention is below 1, or one of them
   *     not finite
   */
  public CostModel(
      LevelCost process,
      LevelCost host,
      LevelCost network,
      double gammaNanosPerByte,
      boolean fullDuplex,
      double contention,
      Provenance provenance) {
    this(process, host, network, gammaNanosPerByte, fullDuplex, contention, 0, provenance);
  }

  /**
   * The same cost at every level, full duplex, no contention: the model of the papers.
   *
   * @param cost messages between any two ranks
   * @param gammaNanosPerByte γ, the time to combine a byte of two operands, in nanoseconds
   * @return the model
   */
  public static CostModel uniform(LevelCost cost, double gammaNanosPerByte) {
    Provenance given = new Provenance("given", "", "");
    return new CostModel(cost, cost, cost, gammaNanosPerByte, true, 1, 0, given);
  }

  /**
   * The cost of messages of a level.
   *
   * @param level how far apart the ranks are
   * @return α, β and the gap
   */
  public LevelCost at(Level level) {
    return switch (level) {
      case PROCESS -> process;
      case HOST -> host;
      case NETWORK -> network;
    };
  }

  /**
   * The same with other costs within hosts.
   *
   * @param value messages between processes of one host
   * @return the model
   */
  public CostModel withHost(LevelCost value) {
    return copy(value, network, fullDuplex, uplinkNanosPerByte);
  }

  /**
   * The same with another network.
   *
   * @param value messages between hosts
   * @return the model
   */
  public CostModel withNetwork(LevelCost value) {
    return copy(host, value, fullDuplex, uplinkNanosPerByte);
  }

  /**
   * The same with another kind of network.
   *
   * @param value whether a host sends and receives at the same time at full speed
   * @return the model
   */
  public CostModel withFullDuplex(boolean value) {
    return copy(host, network, value, uplinkNanosPerByte);
  }

  /**
   * The same with other uplinks.
   *
   * @param value β of a rack's uplink, in nanoseconds, or 0 where it never limits
   * @return the model
   */
  public CostModel withUplink(double value) {
    return copy(host, network, fullDuplex, value);
  }

  private CostModel copy(LevelCost within, LevelCost between, boolean duplex, double uplink) {
    return new CostModel(
        process, within, between, gammaNanosPerByte, duplex, contention, uplink, provenance);
  }

  /**
   * What a rack's uplink carries, as a multiple of what a card does.
   *
   * @return above 0, a whole number where it is one but for rounding; infinite where the uplink
   *     never limits
   */
  public double uplinkCards() {
    double cards = network.betaNanosPerByte() / uplinkNanosPerByte;
    double whole = Math.rint(cards);
    return whole > 0 && Math.abs(cards - whole) < ROUNDING ? whole : cards;
  }

  /**
   * How many messages pass a rack's uplink at a time in one direction: one for each card that it
   * carries, and one for a part of a card.
   *
   * @return 1 or more, {@link Integer#MAX_VALUE} where the uplink never limits
   */
  public int uplinkLanes() {
    return (int) Math.ceil(uplinkCards());
  }
}
