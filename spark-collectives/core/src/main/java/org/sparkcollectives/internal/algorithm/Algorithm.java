package org.sparkcollectives.internal.algorithm;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
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
   * Makes one rank's schedule as ranks execute it, on networks where messages take longer to arrive
   * than to send: the same blocks along the same edges as in {@link #schedule}, some of them in
   * later rounds, so that ranks take first what is there first. It is as right and as free of
   * deadlock, in more rounds than the algorithm {@linkplain #rounds claims}.
   *
   * @param problem what is to be solved; its collective is {@link #collective()}
   * @param rank the rank, 0 to {@code problem.size() - 1}
   * @return the rank's schedule, which is that of {@link #schedule} unless {@linkplain
   *     Traits.Feature#SLACK the traits say so}
   */
  default Schedule executed(Problem problem, int rank) {
    return schedule(problem, rank);
  }

  /**
   * Why the algorithm cannot solve a problem of its collective, although the operator suits it.
   *
   * @param problem what is to be solved
   * @return the cause, such as {@code it needs a power of two of ranks}, or null if it can
   */
  default @Nullable String refusal(Problem problem) {
    return null;
  }

  /**
   * The rounds that the algorithm claims, from the first to the last: no message and no rank's
   * combining is larger than a phase says. Made in little time for any number of ranks.
   *
   * @param problem what is to be solved
   * @return phases, empty for one rank
   */
  List<Phase> phases(Problem problem);

  /**
   * The rounds along the longest path of a block: each needs what one before it has brought. In all
   * others a rank sends what it has anyway, so they can follow each other without waiting for
   * messages to arrive.
   *
   * @param problem what is to be solved
   * @param fullDuplex whether ranks can send and receive at the same time
   * @return the phases of one block where the algorithm pipelines, or of all blocks where it is
   *     {@link Traits.Feature#PERIODIC}; the first round where its messages are {@link
   *     Traits.Feature#INDEPENDENT}, or one of each stage where those of a stage are; else all
   *     phases
   */
  default List<Phase> path(Problem problem, boolean fullDuplex) {
    if (naturalBlocks(problem.size()) == 0) {
      return phases(traits().has(Traits.Feature.PERIODIC) ? problem : problem.withBlocks(1));
    }
    List<Phase> phases = phases(problem);
    return traits().has(Traits.Feature.INDEPENDENT) && !phases.isEmpty()
        ? List.of(phases.get(0).withRounds(1))
        : phases;
  }

  /**
   * The number of rounds that the algorithm claims: every rank's schedule has at most as many, and
   * some rank's exactly as many.
   *
   * @param problem what is to be solved
   * @return the number of rounds, 0 or more
   */
  default int rounds(Problem problem) {
    return Phase.rounds(phases(problem));
  }

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
