package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * The second half of reductions to a root by p equal parts: part v is complete at the rank v places
 * after the root, and these ranks send their parts straight to it, one after the other. Source:
 * Thakur, Rabenseifner, Gropp 2005, Section 5.3.
 *
 * @param problem the reduction
 */
public record PartsToRoot(Problem problem) {

  /**
   * A part of the vector.
   *
   * @param place how many places after the root its rank stands, 0 to p - 1
   * @return its blocks
   */
  public BlockRange part(int place) {
    return EvenParts.of(problem.blocks(), problem.size(), place);
  }

  /**
   * Enters one rank's rounds.
   *
   * @param builder takes the rounds
   * @param round the number of the first round
   * @param rank the rank
   */
  public void gather(ScheduleBuilder builder, int round, int rank) {
    Ring ring = new Ring(problem.size());
    int root = problem.root();
    if (rank != root) {
      int place = ring.shift(rank, -root);
      builder.send(round + place - 1, root, VECTOR, part(place));
      return;
    }
    for (int place = 1; place < problem.size(); place++) {
      builder.receive(round + place - 1, ring.shift(root, place), VECTOR, part(place));
    }
  }

  /**
   * The claim of the rounds.
   *
   * @return p - 1 rounds in which a rank sends or receives
   */
  public Phase phase() {
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return new Phase(problem.size() - 1, part, 0, false, false);
  }
}
