package org.sparkcollectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.cli.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.shape.Powers;

/** The claims of scans against the formulas of Sanders, Träff 2006. */
final class ScanClaimsTest {
  private static final int LARGEST = 300;
  private static final int[] BLOCKS = {1, 2, 3, 8, 64};

  private static int rounds(Collective collective, String slug, int size, int blocks) {
    Problem problem = new Problem(collective, size, 0, blocks, true);
    return Algorithms.find(collective, slug).rounds(problem);
  }

  private static String label(int size, int blocks, int rounds) {
    return "p = " + size + ", b = " + blocks + ": " + rounds;
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void binomialTakesAtMostTwoLogarithmsOfRounds(Collective collective) {
    for (int size = 2; size <= LARGEST; size++) {
      int rounds = rounds(collective, "binomial", size, 1);
      assertTrue(rounds <= 2 * Powers.ceilLog2(size), label(size, 1, rounds));
      assertTrue(rounds >= 2 * Powers.floorLog2(size) - 1, label(size, 1, rounds));
    }
  }

  @Test
  void binomialSendsLessThanTwoVectorsPerRank() {
    Algorithm binomial = Algorithms.find(Collective.SCAN, "binomial");
    for (int size = 2; size <= 60; size++) {
      List<Schedule> schedules =
          Sweep.schedules(binomial, new Problem(Collective.SCAN, size, 0, 1, true));
      long sent =
          schedules.stream()
              .flatMap(schedule -> schedule.rounds().stream())
              .filter(round -> round.send() != null)
              .count();
      assertTrue(sent < 2L * size, "p = " + size + ": " + sent);
    }
  }

  /** Complete trees, p = 2^(n+1) - 1, need exactly as many rounds as the paper says. */
  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void pipelinedBinaryTreeTakes6Times1LessThanBPlus4nMinus2Rounds(Collective collective) {
    for (int size = 2; size <= LARGEST; size++) {
      int n = Powers.ceilLog2(size + 1) - 1;
      for (int blocks : BLOCKS) {
        int bound = 6 * (blocks - 1) + 4 * n - 2;
        int rounds = rounds(collective, "pipelined-binary-tree", size, blocks);
        assertTrue(rounds <= bound, label(size, blocks, rounds));
        if (Powers.isPowerOfTwo(size + 1)) {
          assertEquals(bound, rounds, label(size, blocks, rounds));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void doublyPipelinedBinaryTreeTakes3Times1LessThanBPlus4nMinus2Rounds(Collective collective) {
    for (int size = 2; size <= LARGEST; size++) {
      int n = Powers.ceilLog2(size + 1) - 1;
      for (int blocks : BLOCKS) {
        int bound = 3 * (blocks - 1) + 4 * n - 2;
        int rounds = rounds(collective, "doubly-pipelined-binary-tree", size, blocks);
        assertTrue(rounds <= bound, label(size, blocks, rounds));
        if (Powers.isPowerOfTwo(size + 1)) {
          assertEquals(bound, rounds, label(size, blocks, rounds));
        }
      }
    }
  }

  /** In the telephone model a rank talks with one peer in a round, both ways. */
  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void doublyPipelinedBinaryTreeTalksInPairs(Collective collective) {
    Algorithm algorithm = Algorithms.find(collective, "doubly-pipelined-binary-tree");
    int pairs = 0;
    for (int size = 2; size <= 40; size++) {
      Problem problem = new Problem(collective, size, 0, 20, true);
      for (Schedule schedule : Sweep.schedules(algorithm, problem)) {
        for (Round round : schedule.rounds()) {
          if (round.send() != null && round.receive() != null) {
            assertEquals(round.send().peer(), round.receive().peer(), problem.toString());
            pairs++;
          }
        }
      }
    }
    assertTrue(pairs > 1000, "only " + pairs + " rounds with both");
  }
}
