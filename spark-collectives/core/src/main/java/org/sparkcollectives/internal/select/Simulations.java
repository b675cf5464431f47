package org.sparkcollectives.internal.select;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.cost.RankPlans;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.schedule.Problem;

/**
 * How long an algorithm takes among some ranks, simulated once for each number of blocks, a power
 * of 2 for a pipeline, and for each size of a block, a power of 4. Thread-safe.
 */
final class Simulations {
  /** The largest power of 4 of bytes. */
  static final int MOST_STEP = 20;

  /** The largest power of 2 of blocks. */
  static final int MOST_DOUBLINGS = 9;

  private final Algorithm algorithm;
  private final CostModel model;
  private final Problem problem;
  private final int unit;
  private final @Nullable Plans[] plans = new Plans[MOST_DOUBLINGS + 1];

  /** What was simulated with one number of blocks. */
  private static final class Plans {
    private final RankPlans plans;
    private final double[] nanos = new double[MOST_STEP + 1];

    Plans(Algorithm algorithm, Problem problem) {
      this.plans = RankPlans.of(problem, rank -> algorithm.executed(problem, rank));
      Arrays.fill(nanos, Double.NaN);
    }
  }

  /**
   * Nothing simulated yet.
   *
   * @param algorithm what is simulated
   * @param model what communication costs
   * @param problem what is to be solved, with any number of blocks of a pipeline
   * @param unit the fewest blocks of a pipeline, or the number of blocks of any other algorithm
   */
  Simulations(Algorithm algorithm, CostModel model, Problem problem, int unit) {
    this.algorithm = algorithm;
    this.model = model;
    this.problem = problem;
    this.unit = unit;
  }

  /** Whether an algorithm, that of these, would be simulated in the same way. */
  boolean isOf(CostModel otherModel, Problem otherProblem, int otherUnit) {
    return unit == otherUnit && problem.equals(otherProblem) && model.equals(otherModel);
  }

  /**
   * The number of blocks.
   *
   * @param doublings the power of 2 by which the fewest blocks are multiplied
   */
  int blocks(int doublings) {
    return unit << doublings;
  }

  /**
   * How long the last rank takes.
   *
   * @param doublings the power of 2 by which the fewest blocks are multiplied
   * @param step the power of 4 of bytes that a block has, 0 for none
   */
  synchronized double nanos(int doublings, int step) {
    Plans all = plans(doublings);
    if (Double.isNaN(all.nanos[step])) {
      all.nanos[step] = Simulator.run(model, all.plans, bytes(step), null).nanos();
    }
    return all.nanos[step];
  }

  /**
   * How long the last rank takes with the fewest blocks, simulated for each call.
   *
   * @param bytesPerBlock their size, any one
   */
  synchronized double nanos(double bytesPerBlock) {
    return Simulator.run(model, plans(0).plans, bytesPerBlock, null).nanos();
  }

  private Plans plans(int doublings) {
    Plans all = plans[doublings];
    if (all == null) {
      all = new Plans(algorithm, problem.withBlocks(blocks(doublings)));
      plans[doublings] = all;
    }
    return all;
  }

  /** The bytes of a block. */
  static double bytes(int step) {
    return step == 0 ? 0 : StrictMath.pow(4, step);
  }
}
