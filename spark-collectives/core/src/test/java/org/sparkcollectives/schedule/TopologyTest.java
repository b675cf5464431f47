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
  void hostsShareRacks() {
    Topology racks =
        Topology.of(List.of(1, 2, 3, 1), List.of(1, 2, 3, 1), List.of("x", "y", "x", "x"));
    assertTrue(racks.hasRacks());
    assertEquals(2, racks.racks());
    assertEquals(List.of(0, 1, 0), List.of(racks.rack(0), racks.rack(1), racks.rack(2)));
    assertArrayEquals(new int[] {0, 2}, racks.hostsOf(0, 4));
    assertArrayEquals(new int[] {1}, racks.hostsOf(1, 4));
    assertEquals(2, racks.mostHostsPerRack(4));
    assertEquals("3 hosts [0, 1, 2, 0] in 2 racks [0, 1, 0]", racks.toString());
    assertEquals(Topology.ofHosts(List.of(0, 1, 0, 0)).hosts(4), racks.racksAsHosts().hosts(4));
    assertArrayEquals(new int[] {0, 2, 3}, racks.racksAsHosts().ranksOf(0));
    assertFalse(racks.equals(Topology.of(List.of(1, 2, 3, 1), List.of(1, 2, 3, 1))));
    assertEquals(racks, racks.among(List.of(0, 1, 2, 3)));
    assertFalse(racks.among(List.of(2, 1)).hasRacks());
  }

  @Test
  void ranksInRacksAreNotFlatEvenIfEachHasAHost() {
    List<Integer> ranks = List.of(0, 1, 2, 3);
    Topology racks = Topology.of(ranks, ranks, List.of("a", "b", "a", "b"));
    assertFalse(racks.isFlat());
    assertEquals(4, racks.hosts(4));
    assertEquals(Level.NETWORK, racks.level(0, 2));
  }

  @Test
  void racksThatSayNothingAreLeftOut() {
    List<Integer> ranks = List.of(0, 1, 2);
    assertSame(Topology.FLAT, Topology.of(ranks, ranks, List.of("a", "a", "a")));
    assertSame(Topology.FLAT, Topology.of(ranks, ranks, List.of("a", "b", "c")));
    assertEquals(0, Topology.FLAT.rack(7));
    assertEquals(1, Topology.FLAT.racks());
    assertArrayEquals(new int[] {0, 1, 2}, Topology.FLAT.hostsOf(0, 3));
    assertEquals(3, Topology.FLAT.mostHostsPerRack(3));
    assertSame(Topology.FLAT, Topology.FLAT.racksAsHosts());
  }

  @Test
  void contradictionsAreRefused() {
    List<Integer> one = List.of(1, 1);
    assertThrows(IllegalArgumentException.class, () -> Topology.of(one, one, List.of("a", "b")));
    assertThrows(IllegalArgumentException.class, () -> Topology.of(one, one, List.of("a")));
    List<String> two = List.of("a", "b");
    assertThrows(IllegalArgumentException.class, () -> Topology.of(two, List.of(1)));
    assertThrows(IllegalArgumentException.class, () -> Topology.of(two, List.of(1, 1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Problem(Collective.BARRIER, 4, 0, 1, false).on(FIVE));
  }
}
