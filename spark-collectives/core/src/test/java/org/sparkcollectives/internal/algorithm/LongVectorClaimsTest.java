package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/** Broadcasts and reductions that divide long vectors, against Sections 4.2, 4.5 and 5. */
final class LongVectorClaimsTest {
  private static final int LARGEST = 300;

  private static Problem natural(Algorithm algorithm, int size, int root) {
    return new Problem(algorithm.collective(), size, root, algorithm.naturalBlocks(size), false);
  }

  /** The blocks of the largest messages of all rounds, one after the other. */
  private static long transferred(Algorithm algorithm, Problem problem) {
    return algorithm.phases(problem).stream()
        .mapToLong(phase -> (long) phase.rounds() * phase.blocks())
        .sum();
  }

  private static long combined(Algorithm algorithm, Problem problem) {
    return algorithm.phases(problem).stream()
        .mapToLong(phase -> (long) phase.rounds() * phase.combined())
        .sum();
  }

  @Test
  void scatterAndRingTakeALogarithmAndARoundForEachRankButOne() {
    Algorithm ring = Algorithms.find(Collective.BROADCAST, "scatter-allgather-ring");
    for (int size = 2; size <= LARGEST; size++) {
      Problem problem = natural(ring, size, size / 3);
      assertEquals(Powers.ceilLog2(size) + size - 1, ring.rounds(problem));
      assertEquals(2L * (size - 1), transferred(ring, problem), "p = " + size);
      assertEquals(2L * (size - 1), ring.blocksSent(problem));
    }
  }

  @Test
  void scatterAndDoublingTakeTwoLogarithmsAndOneMoreRoundIfFolded() {
    Algorithm doubling =
        Algorithms.find(Collective.BROADCAST, "scatter-allgather-recursive-doubling");
    for (int size = 2; size <= LARGEST; size++) {
      Problem problem = natural(doubling, size, size / 3);
      int natural = problem.blocks();
      int fold = Powers.isPowerOfTwo(size) ? 0 : 1;
      assertEquals(2 * Powers.floorLog2(size) + fold, doubling.rounds(problem));
      assertEquals(2L * (natural - 1) + (long) fold * natural, transferred(doubling, problem));
      assertEquals(2L * (natural - 1) + (long) fold * natural, doubling.blocksSent(problem));
    }
  }

  @Test
  void rabenseifnersReductionTakesTwoLogarithmsAndTwoMoreRoundsIfFolded() {
    Algorithm reduce = Algorithms.find(Collective.REDUCE, "rabenseifner");
    for (int size = 2; size <= LARGEST; size++) {
      for (int root : new int[] {0, 1, size / 2, size - 1}) {
        Problem problem = natural(reduce, size, root);
        int natural = problem.blocks();
        int fold = Powers.isPowerOfTwo(size) ? 0 : 1;
        int half = (natural + 1) / 2;
        assertEquals(2 * Powers.floorLog2(size) + 2 * fold, reduce.rounds(problem));
        assertEquals(2L * (natural - 1) + 2L * fold * half, transferred(reduce, problem));
        assertEquals(natural - 1 + fold * half, combined(reduce, problem));
      }
    }
  }

  /** Rabenseifner, Träff 2004: at most ceil(log2 p) + 1 rounds each way, 3mβ and 1.5mγ. */
  @Test
  void theImprovedButterflyIsARoundOffForAnyNumberOfRanks() {
    Algorithm all = Algorithms.find(Collective.ALLREDUCE, "improved-butterfly");
    Algorithm reduce = Algorithms.find(Collective.REDUCE, "improved-butterfly");
    for (int size = 2; size <= LARGEST; size++) {
      Problem problem = natural(all, size, 0);
      int most = Powers.ceilLog2(size) + (Powers.isPowerOfTwo(size) ? 0 : 1);
      assertTrue(all.rounds(problem) <= 2 * most, "p = " + size);
      assertTrue(transferred(all, problem) <= 3L * problem.blocks(), "p = " + size);
      assertTrue(2 * combined(all, problem) <= 3L * problem.blocks(), "p = " + size);
      Problem rooted = natural(reduce, size, size / 3);
      assertEquals(all.rounds(problem) / 2 + Powers.floorLog2(size), reduce.rounds(rooted));
      assertEquals(combined(all, problem), combined(reduce, rooted));
      assertTrue(2 * transferred(reduce, rooted) <= 5L * problem.blocks(), "p = " + size);
    }
  }

  /** 3 · 2^e ranks: nearly what a power of two would transfer. */
  @Test
  void threeTimesAPowerOfTwoCostsTheButterflyOnePartMoreEachWay() {
    Algorithm all = Algorithms.find(Collective.ALLREDUCE, "improved-butterfly");
    for (int size = 3; size <= 3 << 8; size *= 2) {
      Problem problem = natural(all, size, 0);
      assertEquals(2L * problem.blocks(), transferred(all, problem), "p = " + size);
      assertEquals(2 * Powers.ceilLog2(size), all.rounds(problem));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16, 32})
  void theButterflyOfAPowerOfTwoIsRabenseifners(int size) {
    for (Collective collective : new Collective[] {Collective.REDUCE, Collective.ALLREDUCE}) {
      Algorithm butterfly = Algorithms.find(collective, "improved-butterfly");
      Algorithm rabenseifner = Algorithms.find(collective, "rabenseifner");
      Problem problem = new Problem(collective, size, 0, 3 * size + 1, true);
      for (int rank = 0; rank < size; rank++) {
        assertEquals(
            rabenseifner.schedule(problem, rank).rounds(),
            butterfly.schedule(problem, rank).rounds());
      }
    }
  }

  @Test
  void pairwiseReductionTakesTheRoundsOfTheRingAndWaitsTwice() {
    Algorithm pairwise = Algorithms.find(Collective.REDUCE, "pairwise");
    Algorithm ring = Algorithms.find(Collective.REDUCE, "ring");
    for (int size = 2; size <= LARGEST; size++) {
      Problem problem = natural(pairwise, size, size / 3);
      assertEquals(ring.phases(problem), pairwise.phases(problem));
      assertEquals(2 * (size - 1), pairwise.rounds(problem));
      assertEquals(2L * (size - 1), transferred(pairwise, problem));
      assertEquals(2, Phase.rounds(pairwise.path(problem, true)));
    }
  }

  @Test
  void theGatherSendsOneWayAtATime() {
    for (String slug : new String[] {"rabenseifner", "ring", "pairwise"}) {
      Algorithm reduce = Algorithms.find(Collective.REDUCE, slug);
      Problem problem = natural(reduce, 16, 5);
      long bothWays =
          reduce.phases(problem).stream().filter(Phase::bothWays).mapToInt(Phase::rounds).sum();
      assertEquals(reduce.rounds(problem), 2 * bothWays, slug);
    }
  }

  @Test
  void theRingsReductionTakesTwoRoundsForEachRankButOne() {
    Algorithm reduce = Algorithms.find(Collective.REDUCE, "ring");
    for (int size = 2; size <= LARGEST; size++) {
      Problem problem = natural(reduce, size, size - 1);
      assertEquals(2 * (size - 1), reduce.rounds(problem));
      assertEquals(2L * (size - 1), transferred(reduce, problem));
      assertEquals(size - 1L, combined(reduce, problem));
      assertEquals(size, reduce.blocksSent(problem));
    }
  }

  @Test
  void binaryBlocksAreRabenseifnersReductionForAPowerOfTwo() {
    Algorithm runs = Algorithms.find(Collective.REDUCE, "binary-blocks");
    Algorithm halves = Algorithms.find(Collective.REDUCE, "rabenseifner");
    for (int size : new int[] {1, 2, 4, 8, 16, 32}) {
      for (int root = 0; root < size; root++) {
        Problem problem = new Problem(Collective.REDUCE, size, root, 3 * size + 1, true);
        for (int rank = 0; rank < size; rank++) {
          assertEquals(
              halves.schedule(problem, rank).rounds(), runs.schedule(problem, rank).rounds());
        }
      }
    }
  }

  /** For 100 = 64 + 32 + 4: two pieces from 32 to 64 ranks, eight from 4 to 32 ranks. */
  @Test
  void binaryBlocksOfOneHundredRanks() {
    Algorithm reduce = Algorithms.find(Collective.REDUCE, "binary-blocks");
    Problem inside = natural(reduce, 100, 63);
    assertEquals(5 + 8 + 2 + 6, reduce.rounds(inside));
    Problem outside = natural(reduce, 100, 64);
    assertEquals(reduce.rounds(inside) + 1, reduce.rounds(outside));
  }
}
