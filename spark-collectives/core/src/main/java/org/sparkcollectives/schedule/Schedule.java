package org.sparkcollectives.schedule;

import java.util.List;

/**
 * One rank's part of a collective: rounds over numbered slots. Slot 0 is the user's vector, slots 1
 * and up are scratch, addressed by the same block numbers; a scratch block lives from the step that
 * writes it to the last one that reads it.
 *
 * @param problem what the schedule solves
 * @param algorithm the slug of the algorithm that made it
 * @param rank this rank
 * @param owned the rank's part of the vector: all blocks, or for reduce_scatter, allgather, scatter
 *     and gather the blocks that belong to it
 * @param rounds what the rank does, round by round
 */
public record Schedule(
    Problem problem, String algorithm, int rank, BlockRange owned, List<Round> rounds) {

  /**
   * Checks the rank and copies the rounds.
   *
   * @param problem what the schedule solves
   * @param algorithm the slug of the algorithm that made it
   * @param rank this rank
   * @param owned the rank's part of the vector: all blocks, or for reduce_scatter, allgather,
   *     scatter and gather the blocks that belong to it
   * @param rounds what the rank does, round by round
   */
  public Schedule {
    if (rank < 0 || rank >= problem.size()) {
      throw new IllegalArgumentException(
          "rank " + rank + " is none of 0 to " + (problem.size() - 1));
    }
    rounds = List.copyOf(rounds);
  }
}
