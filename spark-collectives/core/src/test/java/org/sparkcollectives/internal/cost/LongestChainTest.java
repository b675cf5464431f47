package org.sparkcollectives.internal.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/** The paths that algorithms claim, beside the longest chains of messages in their schedules. */
final class LongestChainTest {
  private static final int[] PIPELINED = {1, 2, 3, 4, 5, 8, 13, 16, 32, 64};

  /**
   * The most messages of which each leaves after the one before is there, or after one that its
   * receiver took later: ranks take messages in the sequence of rounds.
   */
  private static int counted(Algorithm algorithm, Problem problem) {
    RankPlan[] plans = RankPlans.of(problem, rank -> algorithm.schedule(problem, rank)).all();
    int[] sent = new int[plans.length];
    int[] received = new int[plans.length];
    int[][] there = new int[plans.length][algorithm.rounds(problem)];
    int longest = 0;
    for (int round = 0; round < algorithm.rounds(problem); round++) {
      for (int rank = 0; rank < plans.length; rank++) {
        boolean sends = round < plans[rank].rounds() && plans[rank].sendTo[round] >= 0;
        int needs = sends ? plans[rank].needs[round] : RankPlan.NOBODY;
        sent[rank] = Math.max(sent[rank], needs < 0 ? 0 : there[rank][needs]);
      }
      for (int rank = 0; rank < plans.length; rank++) {
        if (round < plans[rank].rounds() && plans[rank].receiveFrom[round] >= 0) {
          int after = sent[plans[rank].receiveFrom[round]] + 1;
          received[rank] = Math.max(received[rank], after);
          there[rank][round] = received[rank];
          longest = Math.max(longest, received[rank]);
        }
      }
    }
    return longest;
  }

  private static List<Problem> problems(Algorithm algorithm) {
    List<Problem> problems = new ArrayList<>();
    Collective collective = algorithm.collective();
    for (int size = 2; size <= 65; size++) {
      int natural = algorithm.naturalBlocks(size);
      for (int root : collective.rooted() ? List.of(0, size / 2, size - 1) : List.of(0)) {
        for (int blocks : natural > 0 ? new int[] {natural} : PIPELINED) {
          for (boolean ordered : ordered(algorithm)) {
            Problem problem = new Problem(collective, size, root, blocks, ordered, Topology.FLAT);
            if (algorithm.refusal(problem) == null) {
              problems.add(problem);
            }
          }
        }
      }
    }
    return problems;
  }

  private static boolean[] ordered(Algorithm algorithm) {
    boolean both = algorithm.collective().reducing() && algorithm.traits().keepsOrder();
    return both ? new boolean[] {false, true} : new boolean[] {false};
  }

  private static int claimed(Algorithm algorithm, Problem problem) {
    return Phase.rounds(algorithm.path(problem, true));
  }

  @ParameterizedTest
  @CsvSource({
    "ALLREDUCE, binary-blocks",
    "ALLREDUCE, circulant",
    "ALLREDUCE, improved-butterfly",
    "ALLREDUCE, pipelined-binary-tree",
    "REDUCE, binary-blocks",
    "REDUCE, improved-butterfly",
    "REDUCE_SCATTER, binary-blocks"
  })
  void pathsAreAsLongAsTheLongestChain(Collective collective, String slug) {
    Algorithm algorithm = Algorithms.find(collective, slug);
    for (Problem problem : problems(algorithm)) {
      assertEquals(counted(algorithm, problem), claimed(algorithm, problem), problem::toString);
    }
  }

  /** Where a formula would be long. */
  @ParameterizedTest
  @CsvSource({
    "BROADCAST, circulant, 0.9, 1.61",
    "BROADCAST, hypercube, 0.77, 1.34",
    "REDUCE, circulant, 0.9, 1.61"
  })
  void pathsAreAboutAsLongAsTheLongestChain(
      Collective collective, String slug, double least, double most) {
    Algorithm algorithm = Algorithms.find(collective, slug);
    for (Problem problem : problems(algorithm)) {
      double ratio = claimed(algorithm, problem) / (double) counted(algorithm, problem);
      assertTrue(ratio >= least && ratio <= most, () -> problem + ": " + ratio);
    }
  }
}
