package org.sparkcollectives.internal.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class TurnsTest {

  @Test
  void oddCyclesTakeLonger() {
    assertEquals(2, Turns.at(8, 3));
    assertEquals(3, Turns.at(3, 1));
    assertEquals(2.25, Turns.at(9, 2));
    assertEquals(3, Turns.at(9, 6), "three cycles of three");
    assertEquals(3, Turns.at(6, 2), "two of three");
    assertEquals(2, Turns.at(6, 3), "three pairs");
    assertEquals(2, Turns.at(1, 1), "nothing is sent");
  }

  @Test
  void distancesCountByTheirBlocks() {
    assertEquals((2 + 3 + 2 + 3 + 2) / 5.0, Turns.toAll(6), 1e-9);
    assertEquals((6 * 2.25 + 2 * 3) / 8, Turns.toAll(9), 1e-9);
    assertEquals(
        (2 + 2 * 3 + 2 * 3) / 5.0, Turns.doubled(6), 1e-9, "1, 2 and 2 blocks; 4 is 2 back");
    assertEquals((3 * 2 + 3 + 2) / 5.0, Turns.halved(6), 1e-9, "3 places, then 2, then 1");
    assertEquals((3 * 2 + 2 * 3 + 2 * 3) / 7.0, Turns.bitwise(6), 1e-9, "1, 3, 5; 2, 3; 4, 5");
    for (int size : new int[] {1, 2, 4, 64}) {
      assertEquals(2, Turns.toAll(size));
      assertEquals(2, Turns.doubled(size));
      assertEquals(2, Turns.halved(size));
      assertEquals(2, Turns.bitwise(size));
    }
  }

  @Test
  void manyRanksAreCounted() {
    assertEquals(2 * 65537 / 65536.0, Turns.bitwise(65537), 1e-9, "a prime");
    assertEquals(2 * 65537 / 65536.0, Turns.doubled(65537), 1e-9);
    assertEquals(2 * 65537 / 65536.0, Turns.halved(65537), 1e-9);
  }
}
