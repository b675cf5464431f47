package org.sparkcollectives.benchmarks.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultTest {
  private static final List<Kind> ALL = Kind.of(false);

  @Test
  void equalSeedsMakeEqualFaults() {
    List<Fault> faults = Fault.of(200, 7, ALL, 5);
    assertEquals(faults, Fault.of(200, 7, ALL, 5));
    assertEquals(faults.subList(0, 50), Fault.of(50, 7, ALL, 5));
    assertNotEquals(faults, Fault.of(200, 8, ALL, 5));
  }

  @Test
  void everyKindComesOnceBeforeAnyComesAgain() {
    List<Fault> faults = Fault.of(3 * ALL.size(), 1, ALL, 5);
    for (int round = 0; round < 3; round++) {
      Set<Kind> kinds = EnumSet.noneOf(Kind.class);
      faults
          .subList(round * ALL.size(), (round + 1) * ALL.size())
          .forEach(f -> kinds.add(f.kind()));
      assertEquals(ALL.size(), kinds.size());
    }
  }

  @Test
  void everyRankAndLayoutIsMet() {
    List<Fault> faults = Fault.of(200, 3, ALL, 5);
    assertEquals(5, faults.stream().map(Fault::victim).distinct().count());
    assertEquals(3, faults.stream().map(Fault::layout).distinct().count());
    assertTrue(faults.stream().allMatch(f -> f.offset() >= 1));
    assertTrue(faults.stream().anyMatch(f -> f.offset() > 10_000));
  }

  @Test
  void hostsHaveCablesAndMoments() {
    List<Fault> faults = Fault.of(100, 3, Kind.of(true), 5, true);
    assertTrue(faults.stream().allMatch(f -> f.layout() == Fault.Layout.CARDS));
    assertTrue(faults.stream().allMatch(f -> f.offset() >= 1 && f.offset() <= 300));
    assertTrue(faults.stream().anyMatch(f -> f.kind() == Kind.CABLE_LONG && f.share() > 1.5));
    assertTrue(faults.get(0).particulars().containsKey("millisecond"));
    assertTrue(ALL.stream().noneMatch(kind -> kind.name().startsWith("CABLE")));
  }
}
