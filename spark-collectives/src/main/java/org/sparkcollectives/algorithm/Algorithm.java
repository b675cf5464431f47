package org.sparkcollectives.algorithm;

import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/**
 * A collective algorithm: a pure function from a problem and a rank to that rank's schedule. Every
 * implementation is stateless and may be called by many threads.
 */
public interface Algorithm {

  /**
   * The collective that the algorithm performs.
   *
   * @return the collective
   */
  Collective collective();

  /**
   * The name of the algorithm in settings, logs, documents and tests.
   *
   * @return a word such as {@code two-tree}, unique within the collective
   */
  String slug();

  /**
   * What the algorithm can do and where it comes from.
   *
   * @return its traits
   */
  Traits traits();

  /**
   * Makes one rank's schedule. Time and memory are in the order of its rounds.
   *
   * @param problem what is to be solved; its collective is {@link #collective()}
   * @param rank the rank, 0 to {@code problem.size() - 1}
   * @return the rank's schedule
   */
  Schedule schedule(Problem problem, int rank);

  /**
   * The number of rounds that the algorithm claims: every rank's schedule has at most as many, and
   * some rank's exactly as many.
   *
   * @param problem what is to be solved
   * @return the number of rounds, 0 or more
   */
  int rounds(Problem problem);

  /**
   * The communication volume that the algorithm claims: the most blocks that one rank sends.
   *
   * @param problem what is to be solved
   * @return a number of blocks, 0 or more
   */
  long blocksSent(Problem problem);

  /**
   * The number of blocks that suits the algorithm where it does not pipeline: 1 when it sends whole
   * vectors, a power of two or p when it splits them. A pipelined algorithm, which takes any
   * number, returns 0: the caller chooses by cost.
   *
   * @param size p, the number of ranks
   * @return the number of blocks, or 0 for any
   */
  int naturalBlocks(int size);
}
