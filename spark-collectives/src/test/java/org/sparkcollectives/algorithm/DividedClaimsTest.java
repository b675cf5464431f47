package org.sparkcollectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.shape.Powers;

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
}
