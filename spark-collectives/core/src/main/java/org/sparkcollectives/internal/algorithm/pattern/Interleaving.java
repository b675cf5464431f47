package org.sparkcollectives.internal.algorithm.pattern;

/**
 * Two sequences of rounds merged into one: the first runs alone while its pipeline fills, then the
 * second takes turns with it, then what remains of either runs alone.
 *
 * @param first the number of rounds of the first sequence
 * @param second the number of rounds of the second sequence
 * @param lead how many rounds the first one has done before round 0 of the second, 0 to {@code
 *     first}
 */
public record Interleaving(int first, int second, int lead) {

  /**
   * The number of the merged rounds.
   *
   * @return {@code first + second}
   */
  public int rounds() {
    return first + second;
  }

  /**
   * Where a round of the first sequence stands.
   *
   * @param round its number there
   * @return its number in the merged sequence
   */
  public int ofFirst(int round) {
    return round + Math.min(second, Math.max(0, round - lead + 1));
  }

  /**
   * Where a round of the second sequence stands: after {@code lead + round} rounds of the first
   * one, or after all of these.
   *
   * @param round its number there
   * @return its number in the merged sequence
   */
  public int ofSecond(int round) {
    return round + Math.min(first, lead + round);
  }
}
