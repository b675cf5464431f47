package org.sparkcollectives.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.verify.Claims;
import org.sparkcollectives.verify.Report;
import org.sparkcollectives.verify.Verifier;

/** The problems that every algorithm is verified on. */
public final class Sweep {
  /** Up to this size every root is taken, above it five. */
  public static final int ALL_ROOTS = 40;

  private Sweep() {}

  /**
   * The problems of one size: every root (of more than {@link #ALL_ROOTS} ranks the first two, the
   * middle one and the last two), 1, 2, p-1, p, p+1 and 7p+3 blocks, with and without order.
   *
   * @param algorithm the algorithm to verify
   * @param size p, the number of ranks
   * @return the problems that it accepts
   */
  public static List<Problem> problems(Algorithm algorithm, int size) {
    Collective collective = algorithm.collective();
    List<Problem> problems = new ArrayList<>();
    for (int root : roots(collective, size)) {
      for (int blocks :
          new TreeSet<>(List.of(1, 2, Math.max(1, size - 1), size, size + 1, 7 * size + 3))) {
        problems.add(new Problem(collective, size, root, blocks, false));
        if (algorithm.traits().keepsOrder()) {
          problems.add(new Problem(collective, size, root, blocks, true));
        }
      }
    }
    return problems;
  }

  private static Collection<Integer> roots(Collective collective, int size) {
    TreeSet<Integer> roots = new TreeSet<>();
    for (int root = 0; root < (collective.rooted() ? size : 1); root++) {
      if (size <= ALL_ROOTS || root <= 1 || root == size / 2 || root >= size - 2) {
        roots.add(root);
      }
    }
    return roots;
  }

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
   * Verifies an algorithm's schedules and its claims.
   *
   * @param algorithm the algorithm
   * @param problem what it is to solve
   * @return the finding
   */
  public static Report verify(Algorithm algorithm, Problem problem) {
    Claims claims = new Claims(algorithm.rounds(problem), algorithm.blocksSent(problem));
    return Verifier.verify(schedules(algorithm, problem), claims);
  }
}
