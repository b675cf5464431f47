package org.sparkcollectives.internal.cost;

import org.sparkcollectives.internal.shape.Powers;

/**
 * How often messages take turns where ranks cannot send and receive at once. Where each rank sends
 * to the one {@code distance} places on, messages are cycles of p / gcd(p, distance) ranks: half of
 * a cycle's messages pass at a time, of an odd cycle one less than half.
 */
public final class Turns {
  /** Where ranks exchange in pairs, or in even cycles. */
  public static final double PAIRS = 2;

  private Turns() {}

  /**
   * Of messages that all go as far.
   *
   * @param size p, the number of ranks
   * @param distance to how many places further along the circle of ranks, 1 to p - 1
   * @return 2, or 2c / (c - 1) for cycles of an odd number c of several ranks
   */
  public static double at(int size, int distance) {
    int cycle = size / gcd(size, distance);
    return cycle % 2 == 0 || cycle == 1 ? PAIRS : 2.0 * cycle / (cycle - 1);
  }

  /**
   * Of messages that go to all other ranks in turn, on average.
   *
   * @param size p, the number of ranks
   * @return 2 or more
   */
  public static double toAll(int size) {
    double sum = 0;
    for (int distance = 1; distance < size; distance++) {
      sum += at(size, distance);
    }
    return size < 2 ? PAIRS : sum / (size - 1);
  }

  /**
   * Of messages that go 1, 2, 4 … places with as many blocks, the last with what is left, on
   * average of blocks.
   *
   * @param size p, the number of ranks
   * @return 2 or more
   */
  public static double doubled(int size) {
    double sum = 0;
    for (int distance = 1; distance < size; distance *= 2) {
      sum += at(size, distance) * Math.min(distance, size - distance);
    }
    return size < 2 ? PAIRS : sum / (size - 1);
  }

  /**
   * Of messages that go 1, 2, 4 … places with a block for each rank whose distance has that power
   * of two in it, on average of blocks.
   *
   * @param size p, the number of ranks
   * @return 2 or more
   */
  public static double bitwise(int size) {
    double sum = 0;
    long blocks = 0;
    for (int way = 1; way < size; way *= 2) {
      int ranks = Powers.numbersWith(way, size);
      sum += at(size, way) * ranks;
      blocks += ranks;
    }
    return blocks == 0 ? PAIRS : sum / blocks;
  }

  /**
   * Of messages that halve the circle, what is left of it, and so on, on average of blocks.
   *
   * @param size p, the number of ranks
   * @return 2 or more
   */
  public static double halved(int size) {
    double sum = 0;
    for (int left = size; left > 1; left = (left + 1) / 2) {
      int distance = (left + 1) / 2;
      sum += at(size, distance) * (left - distance);
    }
    return size < 2 ? PAIRS : sum / (size - 1);
  }

  private static int gcd(int one, int other) {
    int greater = one;
    int rest = other;
    while (rest != 0) {
      int next = greater % rest;
      greater = rest;
      rest = next;
    }
    return greater;
  }
}
