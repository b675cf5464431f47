package org.sparkcollectives.internal.conformance;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
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
    return all(problem, algorithm::schedule);
  }

  private static List<Schedule> all(
      Problem problem, BiFunction<Problem, Integer, Schedule> schedules) {
    return IntStream.range(0, problem.size())
        .mapToObj(rank -> schedules.apply(problem, rank))
        .toList();
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
   * Verifies an algorithm's schedules and its claims, and where ranks execute others, these, too:
   * of them all but what is claimed.
   *
   * @param algorithm the algorithm
   * @param problem what it is to solve
   * @return the finding
   */
  public static Verification verify(Algorithm algorithm, Problem problem) {
    Claims claims = claims(algorithm, problem);
    Verification claimed = Verifier.verify(schedules(algorithm, problem), claims);
    if (!claimed.isCorrect() || !algorithm.traits().has(Traits.Feature.SLACK)) {
      return claimed;
    }
    Verification executed = Verifier.verify(all(problem, algorithm::executed), null);
    return executed.isCorrect() ? claimed : executed;
  }
}
