package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;

/**
 * The claims of rounds and volume of collectives that divide a vector among the ranks, against the
 * formulas of the papers; n is the vector's number of blocks, n/p that of a part.
 */
final class DividedClaimsTest {
  private static final int LARGEST = 300;
  private static final int PART = 3;

  private static void assertClaims(
      Collective collective, String slug, int size, boolean ordered, int rounds, long sent) {
    Algorithm algorithm = Algorithms.find(collective, slug);
    int blocks = collective == Collective.ALLTOALL ? size * size : size * PART;
    Problem problem = new Problem(collective, size, 0, blocks, ordered);
    assertEquals(rounds, algorithm.rounds(problem), algorithm + ", p = " + size);
    assertEquals(sent, algorithm.blocksSent(problem), algorithm + ", p = " + size);
  }

  @Test
  void directExchangesAndRingsTakePMinus1RoundsAndSendAllButOnePart() {
    for (int size = 1; size <= LARGEST; size++) {
      long others = (size - 1L) * PART;
      assertClaims(Collective.REDUCE_SCATTER, "pairwise", size, false, size - 1, others);
      assertClaims(Collective.REDUCE_SCATTER, "pairwise", size, true, size - 1, others);
      assertClaims(Collective.ALLGATHER, "ring", size, true, size - 1, others);
      assertClaims(Collective.ALLTOALL, "pairwise", size, true, size - 1, size - 1);
    }
  }

  @Test
  void binomialTreesTakeTheLogarithmOfTheRanks() {
    for (int size = 2; size <= LARGEST; size++) {
      int log = Powers.ceilLog2(size);
      assertClaims(Collective.SCATTER, "binomial", size, true, log, (size - 1L) * PART);
      int above = Integer.highestOneBit(size - 1);
      long subtree = Math.max(size - above, above / 2);
      assertClaims(Collective.GATHER, "binomial", size, true, log, subtree * PART);
    }
  }

  @Test
  void recursiveHalvingSendsLessThanAVectorAndOneVectorIfFolded() {
    for (int size = 2; size <= LARGEST; size++) {
      int log = Powers.floorLog2(size);
      boolean power = Powers.isPowerOfTwo(size);
      int rounds = power ? log : log + 2;
      long sent = (power ? size - 1L : size) * PART;
      assertClaims(Collective.REDUCE_SCATTER, "recursive-halving", size, false, rounds, sent);
      if (power) {
        int inOrder = size > 2 ? log + 1 : log;
        long moved = size > 2 ? sent + PART : sent;
        assertClaims(Collective.REDUCE_SCATTER, "binary-blocks", size, false, log, sent);
        assertClaims(Collective.REDUCE_SCATTER, "binary-blocks", size, true, inOrder, moved);
      }
    }
  }

  /** The paper's volume is n(lg p - (p - 1)/p); p - 1 - lg p parts of it have no use any more. */
  @Test
  void recursiveDoublingSendsWhatThePaperSaysLessWhatHasNoUse() {
    for (int log = 1; log <= 8; log++) {
      int size = 1 << log;
      long paper = (long) PART * (size * log - (size - 1));
      long unused = PART * (size - 1L - log);
      assertClaims(
          Collective.REDUCE_SCATTER, "recursive-doubling", size, true, log, paper - unused);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64})
  void binaryBlocksIsRecursiveHalvingForAPowerOfTwo(int size) {
    Problem problem = new Problem(Collective.REDUCE_SCATTER, size, 0, 3 * size + 1, false);
    Algorithm runs = Algorithms.find(Collective.REDUCE_SCATTER, "binary-blocks");
    Algorithm halves = Algorithms.find(Collective.REDUCE_SCATTER, "recursive-halving");
    for (int rank = 0; rank < size; rank++) {
      assertEquals(halves.schedule(problem, rank).rounds(), runs.schedule(problem, rank).rounds());
    }
  }

  @Test
  void doublingSendsAllButOnePartInTheLogarithmOfTheRanks() {
    for (int size = 2; size <= LARGEST; size++) {
      int log = Powers.floorLog2(size);
      long others = (size - 1L) * PART;
      assertClaims(Collective.ALLGATHER, "bruck", size, true, Powers.ceilLog2(size), others);
      if (Powers.isPowerOfTwo(size)) {
        assertClaims(Collective.ALLGATHER, "recursive-doubling", size, true, log, others);
      } else {
        Problem problem = new Problem(Collective.ALLGATHER, size, 0, size * PART, true);
        Algorithm doubling = Algorithms.find(Collective.ALLGATHER, "recursive-doubling");
        assertEquals(log + 2, doubling.rounds(problem));
        assertTrue(5 * doubling.blocksSent(problem) < 12L * problem.blocks(), "p = " + size);
      }
    }
  }

  /**
   * n/2 in each round for p a power of two; otherwise at most the paper's n/2 lg p + n/p (p -
   * 2^floor(lg p)), with lg p rounded down.
   */
  @Test
  void bruckAllToAllSendsHalfOfTheBlocksInEachRound() {
    for (int size = 2; size <= LARGEST; size++) {
      int log = Powers.floorLog2(size);
      long rest = size - (1L << log);
      Problem problem = new Problem(Collective.ALLTOALL, size, 0, size * size, true);
      Algorithm bruck = Algorithms.find(Collective.ALLTOALL, "bruck");
      assertEquals(Powers.ceilLog2(size), bruck.rounds(problem));
      if (rest == 0) {
        assertEquals((long) size * log / 2, bruck.blocksSent(problem));
      } else {
        assertTrue(2 * bruck.blocksSent(problem) <= (long) size * log + 2 * rest, "p = " + size);
      }
    }
  }

  @Test
  void linearOnesTakePMinus1Rounds() {
    for (int size = 2; size <= LARGEST; size++) {
      assertClaims(Collective.ALLTOALL, "linear", size, true, size - 1, size - 1);
      assertClaims(Collective.SCATTER, "linear", size, true, size - 1, (size - 1L) * PART);
      assertClaims(Collective.GATHER, "linear", size, true, size - 1, PART);
    }
  }

  /** Where p is no power of two, the rounds of the linear all-to-all are those of pairwise. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5, 6, 7, 12, 13})
  void linearAllToAllIsPairwiseByShifts(int size) {
    Problem problem = new Problem(Collective.ALLTOALL, size, 0, size * size, true);
    Algorithm linear = Algorithms.find(Collective.ALLTOALL, "linear");
    Algorithm pairwise = Algorithms.find(Collective.ALLTOALL, "pairwise");
    for (int rank = 0; rank < size; rank++) {
      assertEquals(
          pairwise.schedule(problem, rank).rounds(), linear.schedule(problem, rank).rounds());
    }
  }
}
