package org.sparkcollectives.internal.cost;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/** What all ranks of a collective do, to be simulated with blocks of any size. Immutable. */
public final class RankPlans {
  private final Problem problem;
  private final RankPlan[] plans;
  private final boolean independent;

  private RankPlans(Problem problem, RankPlan[] plans) {
    this.problem = problem;
    this.plans = plans;
    this.independent = Arrays.stream(plans).allMatch(RankPlan::independent);
  }

  /**
   * Reads schedules.
   *
   * @param problem what the schedules solve
   * @param schedules makes the schedule of a rank; none is kept
   * @return the plans
   */
  public static RankPlans of(Problem problem, IntFunction<Schedule> schedules) {
    return of(problem, schedules, RankPlan.ALIKE);
  }

  /**
   * Reads schedules whose blocks have different sizes.
   *
   * @param problem what the schedules solve
   * @param schedules makes the schedule of a rank; none is kept
   * @param sizeOf the size of a block as a multiple of the size simulated
   * @return the plans
   */
  public static RankPlans of(
      Problem problem, IntFunction<Schedule> schedules, IntToDoubleFunction sizeOf) {
    RankPlan[] plans = new RankPlan[problem.size()];
    int[] latest = RankPlan.filled(plans.length);
    for (int rank = 0; rank < plans.length; rank++) {
      plans[rank] = RankPlan.of(schedules.apply(rank), sizeOf, latest);
    }
    return new RankPlans(problem, plans);
  }

  Problem problem() {
    return problem;
  }

  /** Whether no message waits for another to arrive. */
  boolean independent() {
    return independent;
  }

  RankPlan[] all() {
    return plans;
  }
}
