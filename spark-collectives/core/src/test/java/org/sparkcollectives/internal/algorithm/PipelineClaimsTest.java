package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.algorithm.pattern.FractionalTreePipeline;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;

/** The rounds of pipelines along one tree, and of the hypercube, against the papers' formulas. */
final class PipelineClaimsTest {
  private static final int LARGEST = 300;
  private static final int[] BLOCKS = {1, 2, 3, 8, 64, 1000};

  private static int rounds(Collective collective, String slug, int size, int blocks) {
    Problem problem = new Problem(collective, size, 0, blocks, true);
    return Algorithms.find(collective, slug).rounds(problem);
  }

  /** d of the paper: the step just before the last rank has its first packet. */
  private static int depth(int size, int group) {
    int d = 0;
    while (reachable(group, d + 1) < size) {
      d++;
    }
    return d;
  }

  private static long reachable(int group, int steps) {
    long[] reachable = new long[steps + 1];
    for (int i = 0; i <= steps; i++) {
      reachable[i] = i <= group ? i + 1 : group + reachable[i - group] + reachable[i - group - 1];
    }
    return reachable[steps];
  }

  @Test
  void linearPipelineTakesPMinus2PlusKRounds() {
    for (int size = 2; size <= LARGEST; size++) {
      for (int k : BLOCKS) {
        int expected = size - 2 + k;
        assertEquals(expected, rounds(Collective.BROADCAST, "linear-pipeline", size, k));
        assertEquals(expected, rounds(Collective.REDUCE, "linear-pipeline", size, k));
        assertEquals(expected, rounds(Collective.SCAN, "linear-pipeline", size, k));
        assertEquals(expected, rounds(Collective.EXSCAN, "linear-pipeline", size, k));
      }
    }
  }

  @Test
  void linearPipelineToAnInnerRootInOrderTakesOneRoundMore() {
    Algorithm reduce = Algorithms.find(Collective.REDUCE, "linear-pipeline");
    for (int size = 3; size <= 60; size++) {
      for (int root = 0; root < size; root++) {
        boolean inner = root > 0 && root < size - 1;
        for (int k : BLOCKS) {
          Problem ordered = new Problem(Collective.REDUCE, size, root, k, true);
          assertEquals(size - 2 + k + (inner ? 1 : 0), reduce.rounds(ordered));
          Problem any = new Problem(Collective.REDUCE, size, root, k, false);
          assertEquals(size - 2 + k, reduce.rounds(any));
        }
      }
    }
  }

  @Test
  void linearPipelineAllReduceIsOneRoundTripForFewBlocksAndTwoRoundsPerBlockForMany() {
    for (int size = 3; size <= LARGEST; size++) {
      assertEquals(2 * (size - 1), rounds(Collective.ALLREDUCE, "linear-pipeline", size, 1));
      assertEquals(3 * size - 3, rounds(Collective.ALLREDUCE, "linear-pipeline", size, size));
      for (int runs = 1; runs <= 20; runs++) {
        int k = runs * size;
        int rounds = rounds(Collective.ALLREDUCE, "linear-pipeline", size, k);
        assertEquals(2 * k + size - 3, rounds);
      }
      for (int k : BLOCKS) {
        int rounds = rounds(Collective.ALLREDUCE, "linear-pipeline", size, k);
        assertTrue(rounds <= 2 * (size - 2 + k), "reduction and broadcast one after the other");
      }
    }
  }

  /** The papers count d + 2k and 2(log p + k) steps, a pause at the end included. */
  @Test
  void pipelinedBinaryTreeTakesDPlus2KRounds() {
    for (int size = 2; size <= LARGEST; size++) {
      int h = Powers.ceilLog2(size);
      int d = depth(size, 1);
      for (int k : BLOCKS) {
        int rounds = rounds(Collective.BROADCAST, "pipelined-binary-tree", size, k);
        assertEquals(d + 2 * k - 1, rounds);
        assertEquals(rounds, rounds(Collective.REDUCE, "pipelined-binary-tree", size, k));
        assertTrue(rounds <= 2 * (h + k), "p = " + size + ", k = " + k);
      }
    }
  }

  @Test
  void pipelinedBinaryTreeToAnInnerRootInOrderTakesOneRoundMore() {
    Algorithm reduce = Algorithms.find(Collective.REDUCE, "pipelined-binary-tree");
    for (int size = 3; size <= 100; size++) {
      for (int root = 1; root < size - 1; root++) {
        Problem problem = new Problem(Collective.REDUCE, size, root, 10, true);
        assertEquals(depth(size, 1) + 20, reduce.rounds(problem));
      }
    }
  }

  /** Of two ranks one, and of three two: no more than there are edges. */
  @Test
  void pipelinedBinaryTreeAllReduceTakesThreeRoundsPerBlock() {
    for (int size = 2; size <= LARGEST; size++) {
      int h = Powers.floorLog2(size);
      int each = Math.min(3, size - 1);
      for (int k : BLOCKS) {
        int rounds = rounds(Collective.ALLREDUCE, "pipelined-binary-tree", size, k);
        int bound = 4 * h + 1 + each * (k - 1);
        assertTrue(rounds <= bound, "p = " + size + ", k = " + k + ": " + rounds);
        assertTrue(rounds > 3 * h + each * (k - 1), "p = " + size + ", k = " + k + ": " + rounds);
        if (Powers.isPowerOfTwo(size + 1)) {
          assertEquals(bound, rounds);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 20})
  void fractionalTreeOfAGroupSizeTakesDPlusKTimesOnePlusOneRthRounds(int group) {
    for (int size = 2; size <= LARGEST; size++) {
      int d = depth(size, group);
      for (int runs : new int[] {1, 2, 5, 40}) {
        int k = runs * group;
        Problem problem = new Problem(Collective.BROADCAST, size, 0, k, true);
        int rounds = FractionalTreePipeline.anyOrder(problem, group).rounds();
        // (7) counts the pause after the last run.
        assertEquals(d + k + runs - 1, rounds, "p = " + size + ", k = " + k);
      }
    }
  }

  /** P = 1024, k/t = 4096: d = 57 and 1.389 k for r = 8, 1.387 k for the r with the least time. */
  @Test
  void fractionalTreeForTheExampleOfThePaper() {
    assertEquals(57, depth(1024, 8));
    double message = 4096;
    int eight = 456;
    Problem problem = new Problem(Collective.BROADCAST, 1024, 0, eight, true);
    int rounds = FractionalTreePipeline.anyOrder(problem, 8).rounds() + 1;
    assertEquals(1.389, rounds * (1 + message / eight) / message, 0.002);
    double best = Double.MAX_VALUE;
    for (int k = 300; k <= 700; k++) {
      int taken = rounds(Collective.BROADCAST, "fractional-tree", 1024, k);
      best = Math.min(best, taken * (1 + message / k) / message);
    }
    assertTrue(best <= 1.387, "k times " + best);
    assertTrue(best >= 1.38, "k times " + best);
  }

  @Test
  void fractionalTreeNeedsNoMoreRoundsThanAChainOrABinaryTree() {
    for (int size = 2; size <= LARGEST; size++) {
      for (int k : BLOCKS) {
        int rounds = rounds(Collective.BROADCAST, "fractional-tree", size, k);
        assertTrue(rounds <= rounds(Collective.BROADCAST, "linear-pipeline", size, k));
        assertTrue(rounds <= rounds(Collective.BROADCAST, "pipelined-binary-tree", size, k));
        assertEquals(rounds, rounds(Collective.REDUCE, "fractional-tree", size, k));
        assertTrue(rounds >= k - 1 + Powers.ceilLog2(size), "the lower bound");
      }
    }
  }

  /** The speedup over the better of the simple pipelines can approach two. */
  @Test
  void fractionalTreeIsMuchFasterInBetween() {
    int size = 16_384;
    int k = 16_384;
    int rounds = rounds(Collective.BROADCAST, "fractional-tree", size, k);
    int binary = rounds(Collective.BROADCAST, "pipelined-binary-tree", size, k);
    int chain = rounds(Collective.BROADCAST, "linear-pipeline", size, k);
    assertTrue(Math.min(binary, chain) > 1.8 * rounds, rounds + ", " + binary + ", " + chain);
  }

  @Test
  void hypercubeTakesKPlusLogPRoundsAndRefusesOtherSizes() {
    Algorithm hypercube = Algorithms.find(Collective.BROADCAST, "hypercube");
    for (int size = 2; size <= LARGEST; size++) {
      for (int k : BLOCKS) {
        Problem problem = new Problem(Collective.BROADCAST, size, size - 1, k, true);
        if (Powers.isPowerOfTwo(size)) {
          assertNull(hypercube.refusal(problem));
          assertEquals(size == 2 ? k : k + Powers.floorLog2(size), hypercube.rounds(problem));
        } else {
          assertNotNull(hypercube.refusal(problem));
          assertThrows(IllegalArgumentException.class, () -> hypercube.schedule(problem, 0));
        }
      }
    }
  }

  @Test
  void reduceAndBroadcastTakeTheLogarithmTwice() {
    for (int size = 2; size <= LARGEST; size++) {
      int expected = 2 * Powers.ceilLog2(size);
      assertEquals(expected, rounds(Collective.ALLREDUCE, "reduce-broadcast", size, 1));
    }
  }
}
