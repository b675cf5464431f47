package org.sparkcollectives.cost;

import java.util.function.IntUnaryOperator;

/**
 * The linear cost model of the papers: sending m bytes takes α + βm. What combining takes (γ) is
 * left out: it overlaps with sending. Ranks send and receive at the same time, one message each.
 *
 * @param alphaNanos α, the start-up time of a message in nanoseconds
 * @param betaNanosPerByte β, the time per byte sent in nanoseconds
 */
public record CostModel(double alphaNanos, double betaNanosPerByte) {

  /**
   * The model used where none is given: a 10 Gbit/s network whose messages take 30 µs to start.
   * Measured values are set by {@code spark.collectives.cost.alpha} and {@code .beta}.
   */
  public static final CostModel DEFAULT = new CostModel(30_000, 0.8);

  /**
   * Checks that both are usable.
   *
   * @param alphaNanos α, the start-up time of a message in nanoseconds
   * @param betaNanosPerByte β, the time per byte sent in nanoseconds
   */
  public CostModel {
    boolean usable = alphaNanos > 0 && betaNanosPerByte > 0;
    if (!usable) {
      throw new IllegalArgumentException(
          "a cost model needs α > 0 and β > 0, not " + alphaNanos + " and " + betaNanosPerByte);
    }
  }

  /**
   * The time of a number of rounds in which a number of bytes pass one network card.
   *
   * @param rounds how many messages start one after the other
   * @param bytes how many bytes follow one another
   * @return nanoseconds
   */
  public double nanos(long rounds, double bytes) {
    return rounds * alphaNanos + bytes * betaNanosPerByte;
  }

  /**
   * The number of blocks that makes a pipelined algorithm fastest. With {@code rounds(k) = a + bk}
   * rounds of one block each, the time (a + bk)(α + βm/k) is least at k* = √(aβm / bα)
   * (two-tree-2009, section 4.1).
   *
   * @param roundsOfBlocks how many rounds the algorithm takes with a number of blocks
   * @param bytes m, the vector's size
   * @param most the largest number of blocks allowed, at least 1
   * @return the number of blocks, 1 to {@code most}
   */
  public int pipelineBlocks(IntUnaryOperator roundsOfBlocks, long bytes, int most) {
    int few = 16;
    int many = 1024;
    double perBlock =
        (double) (roundsOfBlocks.applyAsInt(many) - roundsOfBlocks.applyAsInt(few)) / (many - few);
    double fill = roundsOfBlocks.applyAsInt(few) - few * perBlock;
    if (perBlock <= 0 || fill <= 0) {
      return 1;
    }
    double best = Math.sqrt(fill * betaNanosPerByte * bytes / (perBlock * alphaNanos));
    return (int) Math.max(1, Math.min(most, Math.round(best)));
  }
}
