package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** The claims of rounds and volume against the formulas of the papers. */
final class ClaimsTest {
  private static final int LARGEST = 300;
  private static final int[] HALVES = {1, 2, 3, 8, 64};

  private static Problem problem(Collective collective, int size, int blocks, boolean ordered) {
    return new Problem(collective, size, 0, blocks, ordered);
  }

  private static int rounds(
      Collective collective, String slug, int size, int blocks, boolean ordered) {
    return Algorithms.find(collective, slug).rounds(problem(collective, size, blocks, ordered));
  }

  @Test
  void twoTreeBroadcastOf2kBlocksTakesAtMost2hPlus2kRounds() {
    for (int size = 2; size <= LARGEST; size++) {
      int h = Powers.ceilLog2(size + 1);
      for (int k : HALVES) {
        int rounds = rounds(Collective.BROADCAST, "two-tree", size, 2 * k, true);
        assertTrue(rounds <= 2 * h + 2 * k, "p = " + size + ", k = " + k + ": " + rounds);
        assertTrue(rounds >= rounds(Collective.BROADCAST, "two-tree", size, 2 * k - 1, true));
        assertTrue(rounds >= 2 * k, "p = " + size + ", k = " + k + ": " + rounds);
      }
    }
  }

  @Test
  void twoTreeReduceTakesAsLongAsTheBroadcastOrOneMoreInOrder() {
    for (int size = 2; size <= LARGEST; size++) {
      int h = Powers.ceilLog2(size + 1);
      for (int k : HALVES) {
        assertEquals(
            rounds(Collective.BROADCAST, "two-tree", size, 2 * k, true),
            rounds(Collective.REDUCE, "two-tree", size, 2 * k, false));
        Algorithm reduce = Algorithms.find(Collective.REDUCE, "two-tree");
        for (int root : new int[] {0, size - 1}) {
          int rounds = reduce.rounds(new Problem(Collective.REDUCE, size, root, 2 * k, true));
          assertTrue(rounds <= 2 * h + 2 * k + 1, "p = " + size + ", k = " + k + ": " + rounds);
        }
      }
    }
  }

  @Test
  void twoTreeReduceInOrderToAnInnerRootAddsTheBlocksOfTheOtherSide() {
    Algorithm reduce = Algorithms.find(Collective.REDUCE, "two-tree");
    for (int size = 3; size <= 60; size++) {
      int h = Powers.ceilLog2(size + 1);
      for (int root = 1; root < size - 1; root++) {
        for (int k : HALVES) {
          for (int blocks : new int[] {2 * k - 1, 2 * k}) {
            int rounds = reduce.rounds(new Problem(Collective.REDUCE, size, root, blocks, true));
            int bound = 2 * h + 2 * k + 1 + blocks;
            assertTrue(rounds <= bound, "p = " + size + ", root " + root + ": " + rounds);
          }
        }
      }
    }
  }

  @Test
  void twoTreeAllReduceTakesAtMost4hPlus4kRoundsAndTwoMoreInOrder() {
    for (int size = 2; size <= LARGEST; size++) {
      int h = Powers.ceilLog2(size + 1);
      for (int k : HALVES) {
        int any = rounds(Collective.ALLREDUCE, "two-tree", size, 2 * k, false);
        int inOrder = rounds(Collective.ALLREDUCE, "two-tree", size, 2 * k, true);
        assertTrue(any <= 4 * h + 4 * k, "p = " + size + ", k = " + k + ": " + any);
        assertTrue(inOrder <= 4 * h + 4 * k + 2, "p = " + size + ", k = " + k + ": " + inOrder);
        assertTrue(inOrder >= rounds(Collective.ALLREDUCE, "two-tree", size, 2 * k - 1, true));
      }
    }
  }

  /** An odd number of ranks needs one round more than the even number below, for the added root. */
  @Test
  void twoTreeScanOfNBlocksTakesAtMost4hMinus2Plus2NMinus4Rounds() {
    for (int size = 2; size <= LARGEST; size++) {
      int odd = size % 2;
      int h = Powers.ceilLog2(size - odd + 2);
      for (int k : HALVES) {
        for (int blocks : new int[] {2 * k - 1, 2 * k}) {
          int bound = 4 * h - 2 + 2 * (2 * k - 2) + odd;
          int rounds = rounds(Collective.SCAN, "two-tree", size, blocks, true);
          assertTrue(rounds <= bound, "p = " + size + ", b = " + blocks + ": " + rounds);
          assertEquals(rounds, rounds(Collective.EXSCAN, "two-tree", size, blocks, true));
        }
      }
    }
  }

  @Test
  void twoTreesSendEachBlockOnceOnTheWayUpAndTwiceOnTheWayDownAtMost() {
    for (int size = 5; size <= LARGEST; size++) {
      Problem reduce = problem(Collective.REDUCE, size, 64, true);
      assertEquals(64, Algorithms.find(Collective.REDUCE, "two-tree").blocksSent(reduce));
      Problem all = problem(Collective.ALLREDUCE, size, 64, true);
      assertEquals(128, Algorithms.find(Collective.ALLREDUCE, "two-tree").blocksSent(all));
    }
  }

  @Test
  void wholeVectorsNeedTheLogarithmOfTheRanks() {
    for (int size = 1; size <= LARGEST; size++) {
      int log = Powers.ceilLog2(size);
      assertEquals(log, rounds(Collective.BROADCAST, "binomial", size, 1, true));
      assertEquals(log, rounds(Collective.REDUCE, "binomial", size, 1, true));
      assertEquals(log, rounds(Collective.SCAN, "simultaneous-binomial", size, 1, true));
      assertEquals(log, rounds(Collective.EXSCAN, "simultaneous-binomial", size, 1, true));
      assertEquals(log, rounds(Collective.BARRIER, "dissemination", size, 1, true));
      assertEquals(
          Powers.isPowerOfTwo(size) ? log : log + 1,
          rounds(Collective.ALLREDUCE, "recursive-doubling", size, 1, true));
    }
  }

  @Test
  void whereOrderIsFreeAReductionByBinomialCountsRanksFromTheRoot() {
    Algorithm binomial = Algorithms.find(Collective.REDUCE, "binomial");
    for (int size = 2; size <= 33; size++) {
      Problem first = new Problem(Collective.REDUCE, size, 0, 1, false);
      for (int root = 0; root < size; root++) {
        Problem problem = new Problem(Collective.REDUCE, size, root, 1, false);
        assertEquals(Powers.floorLog2(size), Phase.rounds(binomial.path(problem, true)));
        for (int node = 0; node < size; node++) {
          Schedule expected = binomial.schedule(first, node);
          Schedule schedule = binomial.schedule(problem, (node + root) % size);
          assertEquals(expected.rounds().size(), schedule.rounds().size());
          for (int round = 0; round < schedule.rounds().size(); round++) {
            Send send = schedule.rounds().get(round).send();
            Send from0 = expected.rounds().get(round).send();
            assertEquals(
                from0 == null ? -1 : (from0.peer() + root) % size, send == null ? -1 : send.peer());
          }
        }
      }
    }
  }

  @Test
  void halvingAndDoublingTakeTwoLogarithmsAndThreeMoreRoundsIfFolded() {
    Algorithm rabenseifner = Algorithms.find(Collective.ALLREDUCE, "rabenseifner");
    for (int size = 1; size <= LARGEST; size++) {
      int natural = rabenseifner.naturalBlocks(size);
      Problem problem = problem(Collective.ALLREDUCE, size, natural, true);
      int log = Powers.floorLog2(size);
      boolean power = Powers.isPowerOfTwo(size);
      assertEquals(2 * log + (power ? 0 : 3), rabenseifner.rounds(problem));
      if (power) {
        assertEquals(2L * (natural - 1), rabenseifner.blocksSent(problem));
      } else {
        assertEquals(2L * (natural - 1) + natural / 2 + natural, rabenseifner.blocksSent(problem));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64})
  void binaryBlocksIsHalvingAndDoublingForAPowerOfTwo(int size) {
    Problem problem = problem(Collective.ALLREDUCE, size, 3 * size + 1, true);
    Algorithm runs = Algorithms.find(Collective.ALLREDUCE, "binary-blocks");
    Algorithm halves = Algorithms.find(Collective.ALLREDUCE, "rabenseifner");
    for (int rank = 0; rank < size; rank++) {
      assertEquals(halves.schedule(problem, rank).rounds(), runs.schedule(problem, rank).rounds());
    }
  }

  @Test
  void ringSendsAllButTwoPartsTwiceAround() {
    for (int size = 2; size <= LARGEST; size++) {
      Algorithm ring = Algorithms.find(Collective.ALLREDUCE, "ring");
      Problem problem = problem(Collective.ALLREDUCE, size, size, false);
      assertEquals(2 * (size - 1), ring.rounds(problem));
      assertEquals(2L * (size - 1), ring.blocksSent(problem));
    }
  }

  /**
   * In the middle of a long pipeline, inner nodes send and receive in every round of a broadcast.
   */
  @Test
  void twoTreeBroadcastKeepsLinksBusyBothWays() {
    int size = 15;
    int blocks = 100;
    Algorithm algorithm = Algorithms.find(Collective.BROADCAST, "two-tree");
    Problem problem = problem(Collective.BROADCAST, size, blocks, true);
    long busy =
        Conformance.schedules(algorithm, problem).stream()
            .mapToLong(ClaimsTest::roundsWithSendAndReceive)
            .max()
            .orElse(0);
    assertTrue(busy >= blocks - 4, "busy both ways in " + busy + " rounds");
  }

  private static long roundsWithSendAndReceive(Schedule schedule) {
    return schedule.rounds().stream()
        .filter(round -> round.send() != null && round.receive() != null)
        .count();
  }

  @Test
  void oneRankAloneHasNothingToDo() {
    for (Algorithm algorithm : Algorithms.all()) {
      int blocks = algorithm.collective() == Collective.ALLTOALL ? 1 : 4;
      Problem problem = problem(algorithm.collective(), 1, blocks, algorithm.traits().keepsOrder());
      assertEquals(0, algorithm.rounds(problem), algorithm.toString());
      assertEquals(0, algorithm.blocksSent(problem), algorithm.toString());
      assertTrue(algorithm.schedule(problem, 0).rounds().isEmpty(), algorithm.toString());
    }
  }

  /** One rank's schedule does not need the others': a large p costs no more than its rounds. */
  @Test
  void schedulesOfSingleRanksExistForManyRanks() {
    for (Algorithm algorithm : Algorithms.all()) {
      if (algorithm.collective() == Collective.ALLTOALL) {
        continue; // has a block for each pair of ranks
      }
      Problem example = Sweep.example(algorithm, 100_003);
      int size = example.size();
      Problem few = example.withBlocks(16);
      Problem problem = algorithm.refusal(few) == null ? few : example;
      int rounds =
          IntStream.of(0, 1, 2, 65_535, 65_536, size - 2, size - 1)
              .map(rank -> algorithm.schedule(problem, rank).rounds().size())
              .max()
              .orElse(0);
      assertTrue(rounds <= algorithm.rounds(problem), algorithm.toString());
      assertTrue(
          algorithm.schedule(problem, size - 1).rounds().stream()
              .anyMatch(r -> !r.equals(Round.IDLE)));
    }
  }
}
