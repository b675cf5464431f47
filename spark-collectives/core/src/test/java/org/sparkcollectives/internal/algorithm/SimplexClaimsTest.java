package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/** The simplex model: what two-tree 2009, Section 5.2, and scan 2006, Section 2, say of it. */
final class SimplexClaimsTest {
  private static final int LARGEST = 300;
  private static final int[] HALVES = {1, 2, 3, 8, 64};

  static List<Algorithm> simplex() {
    return Algorithms.all().stream().filter(a -> a.traits().has(Traits.Feature.SIMPLEX)).toList();
  }

  @ParameterizedTest
  @MethodSource("simplex")
  void noPhaseGoesBothWays(Algorithm algorithm) {
    for (int size = 2; size <= 40; size++) {
      assertTrue(
          algorithm.phases(Sweep.example(algorithm, size)).stream()
              .noneMatch(phase -> phase.bothWays()),
          algorithm + ", p = " + size);
    }
  }

  @ParameterizedTest
  @MethodSource("simplex")
  void noRankSendsAndReceivesInARound(Algorithm algorithm) {
    for (int size : new int[] {2, 3, 4, 5, 8, 13, 31, 64, 75}) {
      Problem problem = Sweep.example(algorithm, size).withBlocks(17);
      for (Schedule schedule : Conformance.schedules(algorithm, problem)) {
        for (Round round : schedule.rounds()) {
          assertFalse(round.send() != null && round.receive() != null, algorithm + ", " + problem);
        }
      }
    }
  }

  /** A rank hears of a block, and passes it on twice. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE"})
  void blocksOfABinaryTreeFollowEachOtherEveryThreeRounds(Collective collective) {
    Algorithm simplex = Algorithms.find(collective, "binary-tree-simplex");
    Algorithm duplex = Algorithms.find(collective, "pipelined-binary-tree");
    for (int size = 3; size <= LARGEST; size++) {
      for (int blocks : HALVES) {
        Problem problem = new Problem(collective, size, size / 2, blocks, false);
        assertEquals(duplex.rounds(problem) + blocks - 1, simplex.rounds(problem));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 8, 13})
  void aBinaryTreeKeepsRankOrderToTheFirstAndTheLastRank(int size) {
    Algorithm algorithm = Algorithms.find(Collective.REDUCE, "binary-tree-simplex");
    for (int root = 0; root < size; root++) {
      Problem problem = new Problem(Collective.REDUCE, size, root, 5, true);
      boolean outer = root == 0 || root == size - 1;
      assertEquals(outer, algorithm.refusal(problem) == null, problem.toString());
    }
  }

  /** A step of the duplex algorithm over ceil(p/2) ranks is imitated in two rounds. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE"})
  void twoTreesOf2kBlocksTakeAtMostTwice2hPlus2kRounds(Collective collective) {
    Algorithm algorithm = Algorithms.find(collective, "two-tree-simplex");
    for (int size = 2; size <= LARGEST; size++) {
      int h = Powers.ceilLog2((size + 1) / 2 + 1);
      for (int k : HALVES) {
        for (int blocks : new int[] {2 * k - 1, 2 * k}) {
          for (int root : new int[] {0, 1, size / 3, size / 2, size - 1}) {
            Problem problem = new Problem(collective, size, root, blocks, true);
            int rounds = algorithm.rounds(problem);
            assertTrue(rounds <= 2 * (2 * h + 2 * k), problem + ": " + rounds);
            assertTrue(rounds >= 2 * blocks - 1 || size == 2, problem + ": " + rounds);
          }
        }
      }
    }
  }

  /** The reduction, then the broadcast; so no rank is idle for long while blocks are on the way. */
  @Test
  void anAllReduceTakesTheRoundsOfAReductionAndABroadcast() {
    Algorithm both = Algorithms.find(Collective.ALLREDUCE, "two-tree-simplex");
    Algorithm up = Algorithms.find(Collective.REDUCE, "two-tree-simplex");
    Algorithm down = Algorithms.find(Collective.BROADCAST, "two-tree-simplex");
    for (int size = 2; size <= LARGEST; size++) {
      for (int k : HALVES) {
        int rounds = both.rounds(new Problem(Collective.ALLREDUCE, size, 0, 2 * k, true));
        assertEquals(
            up.rounds(new Problem(Collective.REDUCE, size, 0, 2 * k, true))
                + down.rounds(new Problem(Collective.BROADCAST, size, 0, 2 * k, true)),
            rounds);
      }
    }
    int blocks = 3000;
    int many = both.rounds(new Problem(Collective.ALLREDUCE, 64, 0, blocks, true));
    assertEquals(4.0, (double) many / blocks, 0.04);
  }

  /**
   * Twice the duplex bound 4h - 2 + 2(b - 2) for c = ceil(p/2) ranks, one round before the first
   * step and one step more for what only couples pass.
   */
  @ParameterizedTest
  @ValueSource(strings = {"scan", "exscan"})
  void twoTreeScansOfBBlocksTakeAtMostTwiceTheDuplexRoundsPlus3(String slug) {
    Collective collective = slug.equals("scan") ? Collective.SCAN : Collective.EXSCAN;
    Algorithm algorithm = Algorithms.find(collective, "two-tree-simplex");
    for (int size = 2; size <= LARGEST; size++) {
      int h = Powers.ceilLog2((size + 1) / 2 + 2);
      for (int k : HALVES) {
        for (int blocks : new int[] {2 * k - 1, 2 * k}) {
          Problem problem = new Problem(collective, size, 0, blocks, true);
          int rounds = algorithm.rounds(problem);
          int bound = 2 * (4 * h - 2 + 2 * (2 * k - 2)) + 3;
          assertTrue(rounds <= bound, problem + ": " + rounds + " > " + bound);
        }
      }
    }
  }

  /** For long vectors it is two blocks' time per block, a single tree needs three. */
  @Test
  void twoTreesNeedTwoThirdsOfATreesTime() {
    int blocks = 3000;
    Problem problem = new Problem(Collective.REDUCE, 64, 0, blocks, true);
    int rounds = Algorithms.find(Collective.REDUCE, "two-tree-simplex").rounds(problem);
    assertEquals(2.0, (double) rounds / blocks, 0.02);
  }
}
