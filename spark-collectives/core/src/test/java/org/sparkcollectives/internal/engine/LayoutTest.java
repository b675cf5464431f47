package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sparkcollectives.schedule.BlockRange;

class LayoutTest {

  /** Index of a block's first element in the array that holds it. */
  private static int index(Layout layout, int block) {
    return layout.start(block) + layout.shift(block);
  }

  @Test
  void evenBlocksAreOfWholeTuplesAndHoldEveryElementOnce() {
    for (int width : new int[] {1, 3}) {
      for (int tuples = 0; tuples < 20; tuples++) {
        for (int blocks = 1; blocks < 9; blocks++) {
          Layout layout = Layout.even(tuples * width, width, blocks);
          int at = 0;
          for (int b = 0; b < blocks; b++) {
            assertEquals(at, index(layout, b));
            assertEquals(0, layout.length(b) % width);
            assertTrue(layout.length(b) <= layout.cellElements(b));
            at = layout.end(b);
          }
          assertEquals(tuples * width, at);
        }
      }
    }
  }

  @Test
  void partsHaveTheLengthsGivenAlsoInAnArrayOfSomeOfThem() {
    Layout layout = Layout.of(new int[] {2, 0, 5, 1});
    assertEquals(8, layout.elements());
    assertEquals(0, layout.length(1));
    assertEquals(2, index(layout, 2));
    Layout some = layout.within(new BlockRange(2, 4));
    assertEquals(0, index(some, 2));
    assertEquals(5, index(some, 3));
    assertEquals(1, some.length(3));
    assertEquals(8, some.elements());
    assertEquals(layout.fingerprint(), some.fingerprint());
    assertNotEquals(layout.fingerprint(), Layout.of(new int[] {2, 5, 0, 1}).fingerprint());
  }

  @Test
  void aPairsBlockLiesWhereItsSenderAndReceiverStand() {
    int[][] counts = {{1, 2, 3}, {0, 4, 5}, {6, 0, 7}};
    int rank = 1;
    int[] received = {2, 4, 0};
    for (Layout layout :
        new Layout[] {Layout.pairs(rank, counts), Layout.pairs(rank, counts[rank], received)}) {
      assertEquals(9, layout.elements());
      int sentAt = 0;
      int receivedAt = 0;
      for (int other = 0; other < 3; other++) {
        int out = rank * 3 + other;
        assertEquals(counts[rank][other], layout.length(out));
        assertEquals(sentAt, index(layout, out));
        assertFalse(layout.incoming(out));
        sentAt += counts[rank][other];
        if (other != rank) {
          int in = other * 3 + rank;
          assertEquals(received[other], layout.length(in));
          assertEquals(receivedAt, index(layout, in));
          assertTrue(layout.incoming(in));
        }
        receivedAt += received[other];
      }
      assertThrows(IllegalArgumentException.class, () -> layout.within(new BlockRange(0, 1)));
    }
    Layout all = Layout.pairs(rank, counts);
    assertEquals(5, all.length(1 * 3 + 2));
    assertEquals(7, all.length(2 * 3 + 2));
    assertEquals(6, all.start(2 * 3 + 1));
  }

  @Test
  void equalPairsOfTheLongestVectorsStayWithinAnInt() {
    int size = 1024;
    int count = Integer.MAX_VALUE / size;
    Layout layout = Layout.pairs(1023, size, count);
    int last = size * size - 1;
    assertEquals(count * size, layout.end(last));
    assertEquals(count * 1022, index(layout, 1022 * size + 1023));
    assertEquals(count, layout.cellElements(5));
  }
}
