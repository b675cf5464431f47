package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The conditions of correctness of the schedules, one test for each, and the one for 17 nodes. */
final class CirculantTest {
  private static final int LARGEST = 2000;
  private static final int[] LARGE = {4095, 4096, 4097, 10_007, 65_535, 65_537, 99_999, 100_003};

  /** All nodes' blocks by node and round. */
  private static int[][] received(Circulant graph, int size) {
    return IntStream.range(0, size).mapToObj(graph::receives).toArray(int[][]::new);
  }

  /** The k with {@code skip(k) <= node < skip(k + 1)}. */
  private static int baseRound(Circulant graph, int node) {
    int k = 0;
    while (graph.skip(k + 1) <= node) {
      k++;
    }
    return k;
  }

  private static IntStream sizes() {
    return IntStream.concat(IntStream.rangeClosed(2, LARGEST), IntStream.of(LARGE));
  }

  @Test
  void skipsHalveRoundedUp() {
    sizes()
        .forEach(
            size -> {
              Circulant graph = new Circulant(size);
              assertEquals(Powers.ceilLog2(size), graph.period());
              assertEquals(1, graph.skip(0));
              assertEquals(size, graph.skip(graph.period()));
              for (int k = 0; k < graph.period(); k++) {
                assertEquals((graph.skip(k + 1) + 1) / 2, graph.skip(k));
              }
            });
  }

  @Test
  void depthIsTheMostSkipsOfANode() {
    for (int size = 1; size <= LARGEST; size++) {
      Circulant graph = new Circulant(size);
      int most = 0;
      for (int node = 0; node < size; node++) {
        int skips = 0;
        int rest = node;
        for (int k = graph.period() - 1; k >= 0; k--) {
          skips += graph.skip(k) <= rest ? 1 : 0;
          rest -= graph.skip(k) <= rest ? graph.skip(k) : 0;
        }
        most = Math.max(most, skips);
      }
      assertEquals(most, graph.depth(), "p = " + size);
    }
  }

  @Test
  void sendsAndReceivesAgree() {
    for (int size = 2; size <= LARGEST; size += 1 + size / 100) {
      Circulant graph = new Circulant(size);
      int[][] received = received(graph, size);
      for (int node = 0; node < size; node++) {
        int[] sent = graph.sends(node);
        for (int k = 0; k < graph.period(); k++) {
          assertEquals(received[(node + graph.skip(k)) % size][k], sent[k], "p = " + size);
        }
      }
    }
  }

  @Test
  void aPeriodBringsAsManyDifferentBlocks() {
    sizes().forEach(CirculantTest::checkDifferentBlocks);
  }

  private static void checkDifferentBlocks(int size) {
    Circulant graph = new Circulant(size);
    int period = graph.period();
    for (int node = 1; node < size; node++) {
      int base = graph.baseBlock(node);
      int[] wanted =
          IntStream.concat(
                  IntStream.range(-period, 0).filter(block -> block != base - period),
                  IntStream.of(base))
              .toArray();
      int[] received = graph.receives(node);
      Arrays.sort(received);
      assertArrayEquals(wanted, received, "p = " + size + ", node " + node);
    }
  }

  @Test
  void onlyBlocksFromEarlierRoundsAreSent() {
    sizes().forEach(CirculantTest::checkSentBlocks);
  }

  private static void checkSentBlocks(int size) {
    Circulant graph = new Circulant(size);
    int period = graph.period();
    int[][] received = received(graph, size);
    for (int node = 1; node < size; node++) {
      for (int k = 0; k < period; k++) {
        int to = (node + graph.skip(k)) % size;
        int block = received[to][k];
        boolean held = to == 0 || block == graph.baseBlock(node) - period;
        for (int earlier = 0; earlier < k; earlier++) {
          held |= received[node][earlier] == block;
        }
        assertTrue(held, "p = " + size + ", node " + node + " in round " + k);
      }
    }
  }

  @Test
  void theRootSendsItsBlocksInSequence() {
    sizes()
        .forEach(
            size -> {
              Circulant graph = new Circulant(size);
              int[] wanted = IntStream.range(0, graph.period()).toArray();
              assertArrayEquals(wanted, graph.sends(0), "p = " + size);
            });
  }

  @Test
  void aNodeReceivesItsBaseblockInTheRoundOfItsLargestSkip() {
    sizes().forEach(CirculantTest::checkBaseRounds);
  }

  private static void checkBaseRounds(int size) {
    Circulant graph = new Circulant(size);
    for (int node = 1; node < size; node++) {
      int round = baseRound(graph, node);
      assertTrue(graph.skip(round) <= node && node < graph.skip(round + 1));
      assertEquals(graph.baseBlock(node), graph.receives(node)[round], "p = " + size);
    }
  }

  @Test
  void aBaseblockIsSentOnAtOnceWhereTheReceiverLacksIt() {
    for (int size = 2; size <= LARGEST; size++) {
      Circulant graph = new Circulant(size);
      int[][] received = received(graph, size);
      for (int node = 1; node < size; node++) {
        for (int k = baseRound(graph, node) + 1; k < graph.period(); k++) {
          if (node + graph.skip(k) < graph.skip(k + 1)) {
            int block = received[node + graph.skip(k)][k];
            assertEquals(graph.baseBlock(node), block, "p = " + size + ", node " + node);
          }
        }
      }
    }
  }

  @Test
  void theFirstRoundPassesOnTheBaseblockOfThePeriodBefore() {
    sizes()
        .forEach(
            size -> {
              Circulant graph = new Circulant(size);
              for (int node = 1; node < size - 1; node++) {
                int block = graph.receives(node + 1)[0];
                assertEquals(graph.baseBlock(node) - graph.period(), block, "p = " + size);
              }
            });
  }

  /** The example in the source of MPICH. */
  @Test
  void seventeenNodesReceiveAsInTheWorkedExample() {
    int[][] byRound = {
      {-4, 0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5},
      {-5, -4, 1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2},
      {-2, -2, -2, 2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3},
      {-1, -3, -3, -2, -2, 3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1},
      {-3, -1, -1, -1, -1, -1, -1, -1, -1, 4, 0, 1, 2, 0, 3, 0, 1}
    };
    Circulant graph = new Circulant(17);
    assertArrayEquals(
        new int[] {1, 2, 3, 5, 9, 17}, IntStream.rangeClosed(0, 5).map(graph::skip).toArray());
    for (int k = 0; k < byRound.length; k++) {
      int round = k;
      assertArrayEquals(
          byRound[k],
          IntStream.range(0, 17).map(node -> graph.receives(node)[round]).toArray(),
          "round " + k);
    }
  }

  @Test
  void seventeenNodesSendAsInTheWorkedExample() {
    int[][] byRound = {
      {0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5, -4},
      {1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2, -5, -4},
      {2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3, -2, -2, -2},
      {3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1, -1, -3, -3, -2, -2},
      {4, 0, 1, 2, 0, 3, 0, 1, -3, -1, -1, -1, -1, -1, -1, -1, -1}
    };
    Circulant graph = new Circulant(17);
    for (int k = 0; k < byRound.length; k++) {
      int round = k;
      assertArrayEquals(
          byRound[k],
          IntStream.range(0, 17).map(node -> graph.sends(node)[round]).toArray(),
          "round " + k);
    }
  }

  @Test
  void powersOfTwoHaveNoExceptions() {
    for (int log = 1; log <= 10; log++) {
      Circulant graph = new Circulant(1 << log);
      for (int node = 1; node < 1 << log; node++) {
        assertEquals(Integer.numberOfTrailingZeros(node), graph.baseBlock(node));
        assertEquals(Powers.floorLog2(node), baseRound(graph, node));
      }
    }
  }
}
