package org.sparkcollectives.internal.conformance;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.verify.Claims;
import org.sparkcollectives.verify.Verification;
import org.sparkcollectives.verify.Verifier;

/** What an algorithm does and claims for one problem, and whether both hold. */
public final class Conformance {
  private Conformance() {}

  /**
   * All ranks' schedules.
   *
   * @param algorithm the algorithm
   * @param problem what it is to solve
   * @return the schedules in rank order
   */
  public static List<Schedule> schedules(Algorithm algorithm, Problem problem) {
    List<Schedule> schedules = new ArrayList<>(problem.size());
    for (int rank = 0; rank < problem.size(); rank++) {
      schedules.add(algorithm.schedule(problem, rank));
    }
    return schedules;
  }

  /**
   * What an algorithm claims.
   *
   * @param algorithm the algorithm
   * @param problem what it is to solve
   * @return its claims
   */
  public static Claims claims(Algorithm algorithm, Problem problem) {
    return new Claims(
        algorithm.phases(problem),
        algorithm.blocksSent(problem),
        algorithm.traits().has(Traits.Feature.SIMPLEX));
  }

  /**
   * Verifies an algorithm's schedules and its claims.
   *
   * @param algorithm the algorithm
   * @param problem what it is to solve
   * @return the finding
   */
  public static Verification verify(Algorithm algorithm, Problem problem) {
    Claims claims = claims(algorithm, problem);
    return Verifier.verify(schedules(algorithm, problem), claims);
  }
}
