package org.sparkcollectives.internal.cost;

import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/** What all ranks of a collective do, to be simulated with blocks of any size. Immutable. */
public final class RankPlans {
  private final Problem problem;
  private final RankPlan[] plans;

  private RankPlans(Problem problem, RankPlan[] plans) {
    this.problem = problem;
    this.plans = plans;
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
    for (int rank = 0; rank < plans.length; rank++) {
      plans[rank] = RankPlan.of(schedules.apply(rank), sizeOf);
    }
    return new RankPlans(problem, plans);
  }

  Problem problem() {
    return problem;
  }

  RankPlan[] all() {
    return plans;
  }
}
