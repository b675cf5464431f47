package org.sparkcollectives.schedule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TopologyTest {
  private static final Topology FIVE =
      Topology.of(List.of("b", "b", "a", "a", "a"), List.of(7, 7, 3, 4, 3));

  @Test
  void ranksKnowWhatTheyShare() {
    assertEquals(Level.PROCESS, FIVE.level(0, 1));
    assertEquals(Level.HOST, FIVE.level(2, 3));
    assertEquals(Level.PROCESS, FIVE.level(2, 4));
    assertEquals(Level.NETWORK, FIVE.level(1, 2));
    assertEquals(2, FIVE.hosts(5));
    assertArrayEquals(new int[] {2, 3, 4}, FIVE.ranksOf(FIVE.host(3)));
    assertEquals(3, FIVE.mostRanksPerHost());
    assertEquals(2, FIVE.fewestRanksPerHost());
    assertTrue(FIVE.isConsecutive());
    assertFalse(Topology.ofHosts(List.of("x", "y", "x")).isConsecutive());
  }

  @Test
  void namesDoNotMatter() {
    assertEquals(FIVE, Topology.of(List.of(9, 9, 1, 1, 1), List.of("p", "p", "q", "r", "q")));
    assertFalse(FIVE.equals(Topology.ofHosts(List.of(9, 9, 1, 1, 1))));
  }

  @Test
  void ranksWithAHostEachAreFlat() {
    assertSame(Topology.FLAT, Topology.ofHosts(List.of("a", "b", "c")));
    assertEquals(Level.NETWORK, Topology.FLAT.level(0, 1));
    assertEquals(Level.PROCESS, Topology.FLAT.level(4, 4));
    assertEquals(12, Topology.FLAT.hosts(12));
    assertArrayEquals(new int[] {3}, Topology.FLAT.ranksOf(3));
    assertEquals(1, Topology.FLAT.mostRanksPerHost());
    assertEquals(1, Topology.FLAT.fewestRanksPerHost());
    assertTrue(Topology.FLAT.isConsecutive());
  }

  @Test
  void contradictionsAreRefused() {
    List<String> two = List.of("a", "b");
    assertThrows(IllegalArgumentException.class, () -> Topology.of(two, List.of(1)));
    assertThrows(IllegalArgumentException.class, () -> Topology.of(two, List.of(1, 1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Problem(Collective.BARRIER, 4, 0, 1, false).on(FIVE));
  }
}
