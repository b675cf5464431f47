package org.sparkcollectives.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive rounds of one kind, as an algorithm claims them. From phases a schedule is priced
 * without being made.
 *
 * @param rounds how many rounds
 * @param blocks the size of the largest message in any of them, in blocks
 * @param combined the most blocks that a rank combines in one of them, counted once per combine
 * @param bothWays whether a rank may send and receive in the same round
 * @param local whether all messages stay within a host
 */
public record Phase(int rounds, int blocks, int combined, boolean bothWays, boolean local) {

  /**
   * Rounds between any ranks, with sends and receives at the same time.
   *
   * @param rounds how many rounds
   * @param blocks the size of the largest message in any of them, in blocks
   * @param combined the most blocks that a rank combines in one of them
   */
  public Phase(int rounds, int blocks, int combined) {
    this(rounds, blocks, combined, true, false);
  }

  /**
   * Rounds without combining.
   *
   * @param rounds how many rounds
   * @param blocks the size of the largest message in any of them, in blocks
   */
  public Phase(int rounds, int blocks) {
    this(rounds, blocks, 0);
  }

  /**
   * The same rounds with neighbours of one kind taken together.
   *
   * @param phases phases in sequence
   * @return as few phases as possible
   */
  public static List<Phase> merged(List<Phase> phases) {
    List<Phase> merged = new ArrayList<>();
    for (Phase phase : phases) {
      Phase last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && phase.isOfKind(last)) {
        merged.set(merged.size() - 1, phase.withRounds(last.rounds() + phase.rounds()));
      } else {
        merged.add(phase);
      }
    }
    return merged;
  }

  /** Without a record's own equality, which takes long when it is asked for first. */
  private boolean isOfKind(Phase other) {
    return blocks == other.blocks
        && combined == other.combined
        && bothWays == other.bothWays
        && local == other.local;
  }

  /**
   * As many rounds of this kind.
   *
   * @param value how many rounds
   * @return the phase
   */
  public Phase withRounds(int value) {
    return new Phase(value, blocks, combined, bothWays, local);
  }

  /**
   * The number of rounds of a sequence of phases.
   *
   * @param phases the phases
   * @return their sum
   */
  public static int rounds(List<Phase> phases) {
    int sum = 0;
    for (Phase phase : phases) {
      sum += phase.rounds();
    }
    return sum;
  }
}
