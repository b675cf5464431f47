package org.sparkcollectives.benchmarks.chaos.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterFaultTest {
  private static final List<ClusterKind> ALL = Arrays.asList(ClusterKind.values());

  @Test
  void equalSeedsMakeEqualFaults() {
    List<ClusterFault> faults = ClusterFault.of(100, 7, ALL, 4);
    assertEquals(faults, ClusterFault.of(100, 7, ALL, 4));
    assertEquals(faults.subList(0, 30), ClusterFault.of(30, 7, ALL, 4));
    assertNotEquals(faults, ClusterFault.of(100, 8, ALL, 4));
  }

  @Test
  void everyKindComesOnceBeforeAnyComesAgainAndMeetsEveryCall() {
    List<ClusterFault> faults = ClusterFault.of(20 * ALL.size(), 1, ALL, 4);
    Set<ClusterKind> kinds = EnumSet.noneOf(ClusterKind.class);
    faults.subList(ALL.size(), 2 * ALL.size()).forEach(fault -> kinds.add(fault.kind()));
    assertEquals(ALL.size(), kinds.size());
    Set<ClusterCall> calls = EnumSet.noneOf(ClusterCall.class);
    faults.forEach(fault -> calls.add(fault.call()));
    assertEquals(ClusterCall.values().length, calls.size());
    assertEquals(4, faults.stream().map(ClusterFault::victim).distinct().count());
  }

  @Test
  void aLostHostMayCostResultsThatLayOnItAndNothingElse() {
    assertTrue(ClusterKind.HOST_LOST.mayFail(true));
    assertFalse(ClusterKind.HOST_LOST.mayFail(false));
    assertFalse(ClusterKind.EXECUTOR_KILLED.mayFail(true));
    assertTrue(ClusterKind.JOB_CANCELLED.mayFail(false));
  }
}
