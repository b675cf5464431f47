package org.sparkcollectives.benchmarks.scale;

import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;

/**
 * The time of a collective of many ranks, as closely as the simulator has time for.
 *
 * @param nanos the time in nanoseconds
 * @param way how it was found
 */
record Estimate(double nanos, Way way) {

  /** How a time was found. */
  enum Way {
    /** By executing all ranks' schedules. */
    SIMULATED,
    /** By executing them with two smaller numbers of blocks of the same size. */
    EXTRAPOLATED,
    /** By the selector's price. */
    PRICED
  }

  /** So many pieces take about as long as a round. */
  private static final int PIECES_PER_ROUND = 8;

  /**
   * Estimates the time of a choice.
   *
   * @param model what communication costs
   * @param choice the algorithm, its problem and its price
   * @param bytesPerBlock the size of a block
   * @param mostRounds of how many rounds of all ranks together schedules are executed
   */
  static Estimate of(CostModel model, Choice choice, double bytesPerBlock, long mostRounds) {
    Algorithm algorithm = choice.algorithm();
    Problem problem = choice.problem();
    if (work(algorithm, problem) <= mostRounds) {
      return new Estimate(simulated(model, algorithm, problem, bytesPerBlock), Way.SIMULATED);
    }
    int few = problem.blocks();
    while (few > 1 && work(algorithm, problem.withBlocks(few)) > mostRounds) {
      few /= 2;
    }
    int fewer = few / 2;
    int fill = algorithm.rounds(problem.withBlocks(1));
    boolean pipelined =
        algorithm.naturalBlocks(problem.size()) == 0
            && !algorithm.traits().has(Traits.Feature.REGROUPING)
            && fewer > 0
            && algorithm.rounds(problem.withBlocks(fewer)) >= 2 * fill;
    if (!pipelined) {
      return new Estimate(choice.nanos(), Way.PRICED);
    }
    double with = simulated(model, algorithm, problem.withBlocks(few), bytesPerBlock);
    double without = simulated(model, algorithm, problem.withBlocks(fewer), bytesPerBlock);
    double more = (double) (problem.blocks() - few) / (few - fewer);
    return new Estimate(with + more * (with - without), Way.EXTRAPOLATED);
  }

  private static double simulated(
      CostModel model, Algorithm algorithm, Problem problem, double bytesPerBlock) {
    return Simulator.run(
            model, problem, rank -> algorithm.executed(problem, rank), bytesPerBlock, null)
        .nanos();
  }

  /**
   * The rounds of all ranks together, or the pieces of messages where these are more: where ranks
   * are counted one of each host in turn, of about every block.
   */
  private static long work(Algorithm algorithm, Problem problem) {
    Traits traits = algorithm.traits();
    boolean inTurn =
        !problem.topology().isFlat()
            && problem.collective().divided()
            && (traits.has(Traits.Feature.HALVED_DISTANCES)
                || traits.has(Traits.Feature.DOUBLED_DISTANCES));
    long pieces = inTurn ? problem.size() / PIECES_PER_ROUND : 0;
    if (problem.collective() == Collective.ALLTOALL) {
      pieces = 2L * problem.size();
    }
    return problem.size() * Math.max(algorithm.rounds(problem), pieces);
  }
}
