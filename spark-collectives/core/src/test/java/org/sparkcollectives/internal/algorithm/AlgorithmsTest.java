package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;

final class AlgorithmsTest {

  @Test
  void namesAreUniqueWordsWithinTheirCollective() {
    Set<String> names = new HashSet<>();
    for (Algorithm algorithm : Algorithms.all()) {
      assertTrue(names.add(algorithm.toString()), algorithm + " is registered twice");
      assertTrue(algorithm.slug().matches("[a-z]+(-[a-z]+)*"), algorithm.slug());
      assertFalse(algorithm.traits().source().isBlank(), algorithm.toString());
      assertFalse(algorithm.traits().summary().isBlank(), algorithm.toString());
    }
  }

  @Test
  void findsWhatIsRegistered() {
    for (Algorithm algorithm : Algorithms.all()) {
      assertSame(algorithm, Algorithms.find(algorithm.collective(), algorithm.slug()));
      assertTrue(Algorithms.of(algorithm.collective()).contains(algorithm));
    }
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class, () -> Algorithms.find(Collective.BARRIER, "dissemnation"));
    assertEquals(
        "unknown algorithm 'dissemnation' for barrier: the algorithms for barrier are dissemination,"
            + " hierarchical. Name one of them, or leave the choice to the library.",
        e.getMessage());
  }

  @Test
  void everyReducingCollectiveHasAnAlgorithmInOrder() {
    for (Collective collective :
        List.of(Collective.REDUCE, Collective.ALLREDUCE, Collective.SCAN, Collective.EXSCAN)) {
      assertTrue(Algorithms.inOrder(collective).contains("two-tree"), collective.slug());
    }
    assertFalse(Algorithms.inOrder(Collective.ALLREDUCE).contains("ring"));
  }

  /** Ranks that meet in pairs have cards to themselves; in shifts they contend. */
  @Test
  void whoMeetsInPairsPaysNoContention() {
    for (Collective collective : List.of(Collective.REDUCE_SCATTER, Collective.ALLGATHER)) {
      Traits traits = Algorithms.find(collective, "pairwise").traits();
      assertEquals(0, traits.contention(16, false));
      assertEquals(1, traits.contention(16, true));
      assertEquals(1, traits.contention(13, false));
    }
    assertEquals(1, Algorithms.find(Collective.ALLGATHER, "bruck").traits().contention(16, false));
    assertEquals(0, Algorithms.find(Collective.ALLGATHER, "ring").traits().contention(13, false));
  }

  @Test
  void anAlgorithmThatReordersRefusesOrder() {
    Algorithm ring = Algorithms.find(Collective.ALLREDUCE, "ring");
    Algorithms.requireOrder(ring, true, "sum");
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class, () -> Algorithms.requireOrder(ring, false, "product"));
    assertTrue(e.toString().contains("cannot use the operator 'product'"), e.toString());
    assertTrue(e.toString().contains("'two-tree'"), e.toString());
    InvalidInputException none =
        assertThrows(InvalidInputException.class, () -> Algorithms.requireOrder(ring, false, null));
    assertTrue(
        none.toString().contains("allreduce by 'ring' has no schedule that keeps rank order"),
        none.toString());
    assertFalse(none.toString().contains("operator"), none.toString());
    Problem ordered = new Problem(Collective.ALLREDUCE, 4, 0, 4, true);
    assertThrows(IllegalArgumentException.class, () -> ring.schedule(ordered, 0));
  }

  @Test
  void anAlgorithmRefusesAnotherCollective() {
    Algorithm scan = Algorithms.find(Collective.SCAN, "two-tree");
    Problem exscan = new Problem(Collective.EXSCAN, 4, 0, 4, true);
    assertThrows(IllegalArgumentException.class, () -> scan.schedule(exscan, 0));
  }
}
