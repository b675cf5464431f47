package org.sparkcollectives.internal.select;

import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.schedule.Problem;

/**
 * An algorithm chosen for an operation.
 *
 * @param algorithm the algorithm
 * @param problem what it is asked for, with the number of blocks
 * @param nanos the time predicted, in nanoseconds
 */
public record Choice(Algorithm algorithm, Problem problem, double nanos) {

  /** How many rounds the algorithm claims. */
  int rounds() {
    return algorithm.rounds(problem);
  }

  /** The one that takes less time; the first of two that take the same. */
  static Choice cheaper(Choice one, Choice other) {
    return other.nanos() < one.nanos() ? other : one;
  }
}
