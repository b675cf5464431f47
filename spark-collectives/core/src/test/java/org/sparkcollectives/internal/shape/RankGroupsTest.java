package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Powers of two, binary blocks, folded ranks and the ring. */
final class RankGroupsTest {

  @Test
  void logarithmsAreRoundedAsTheirNamesSay() {
    for (int n = 1; n <= 5000; n++) {
      int up = Powers.ceilLog2(n);
      int down = Powers.floorLog2(n);
      assertTrue(1 << up >= n && (up == 0 || 1 << (up - 1) < n), "ceil of " + n);
      assertTrue(1 << down <= n && 1 << (down + 1) > n, "floor of " + n);
      assertEquals(up == down, Powers.isPowerOfTwo(n));
    }
    assertEquals(31, Powers.ceilLog2(Integer.MAX_VALUE));
  }

  @Test
  void binaryBlocksCoverAllRanksFromTheLongestOn() {
    for (int size = 1; size <= 300; size++) {
      BinaryBlocks runs = new BinaryBlocks(size);
      int rank = 0;
      for (int run = 0; run < runs.count(); run++) {
        assertEquals(rank, runs.first(run));
        assertTrue(run == 0 || runs.exponent(run) < runs.exponent(run - 1));
        for (int i = 0; i < 1 << runs.exponent(run); i++) {
          assertEquals(run, runs.indexOf(rank++));
        }
      }
      assertEquals(size, rank);
    }
  }

  @Test
  void thirteenRanksAreEightFourAndOne() {
    BinaryBlocks runs = new BinaryBlocks(13);
    assertEquals(3, runs.count());
    assertEquals(8, runs.first(1));
    assertEquals(12, runs.first(2));
    assertEquals(2, runs.exponent(1));
  }

  @Test
  void runsGatherFromTheShortestToTheLongest() {
    BinaryBlocks runs = new BinaryBlocks(13);
    assertEquals(0, runs.gathered(2), "one rank has all");
    assertEquals(2 + 4, runs.gathered(1), "two halvings, then a piece in each of four rounds");
    assertEquals(6 + 2, runs.gathered(0), "the halvings are done; two pieces follow");
    for (int log = 1; log < 20; log++) {
      assertEquals(log, new BinaryBlocks(1 << log).gathered(0));
      assertEquals(log + (1 << log), new BinaryBlocks((1 << log) + 1).gathered(0));
    }
  }

  @Test
  void foldedRanksKeepAPowerOfTwoInOrder() {
    for (int size = 1; size <= 300; size++) {
      FoldedRanks folded = new FoldedRanks(size);
      int member = 0;
      for (int rank = 0; rank < size; rank++) {
        if (folded.isFoldedAway(rank)) {
          assertTrue(folded.hasPartner(rank - 1));
        } else {
          assertEquals(member, folded.member(rank));
          assertEquals(rank, folded.rank(member));
          member++;
        }
      }
      assertEquals(1 << folded.levels(), member);
      assertEquals(size - member, folded.extra());
    }
  }

  @Test
  void theRingCloses() {
    Ring ring = new Ring(5);
    assertEquals(0, ring.shift(4, 1));
    assertEquals(4, ring.shift(0, -1));
    assertEquals(3, ring.shift(3, -10));
    assertEquals(2, ring.shift(4, Integer.MAX_VALUE - 4));
  }
}
