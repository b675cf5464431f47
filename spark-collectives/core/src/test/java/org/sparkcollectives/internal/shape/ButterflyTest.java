package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.shape.Butterfly.Group;

/** The butterfly of any number of ranks, for every root of up to 40 and without one. */
final class ButterflyTest {
  private static final int ALL_ROOTS = 40;
  private static final int LARGEST = 600;

  private static List<Butterfly> butterflies() {
    List<Butterfly> all = new ArrayList<>();
    for (int size = 1; size <= LARGEST; size++) {
      all.add(new Butterfly(size, Butterfly.NONE));
      for (int root = 0; root < (size <= ALL_ROOTS ? size : 0); root++) {
        all.add(new Butterfly(size, root));
      }
    }
    return all;
  }

  @Test
  void eachLevelJoinsNeighboursInPairsAndTriples() {
    for (Butterfly butterfly : butterflies()) {
      assertEquals(butterfly.size(), butterfly.members(0));
      assertEquals(1, butterfly.members(butterfly.levels()));
      for (int level = 0; level < butterfly.levels(); level++) {
        int next = 0;
        for (int index = 0; index < butterfly.members(level + 1); index++) {
          Group group = butterfly.group(level, index);
          int[] members =
              IntStream.of(group.low(), group.high(), group.out())
                  .filter(member -> member != Butterfly.NONE)
                  .sorted()
                  .toArray();
          assertTrue(group.low() < group.high());
          for (int member : members) {
            assertEquals(next++, member, butterfly::toString);
            assertEquals(index, butterfly.joined(level, member));
          }
        }
        assertEquals(butterfly.members(level), next, butterfly::toString);
      }
    }
  }

  @Test
  void aPowerOfTwoOfRanksStaysWithEveryPathOnce() {
    for (Butterfly butterfly : butterflies()) {
      BitSet paths = new BitSet();
      for (int rank = 0; rank < butterfly.size(); rank++) {
        if (butterfly.eliminated(rank) == butterfly.levels()) {
          assertEquals(rank, butterfly.rank(butterfly.levels(), 0, butterfly.path(rank)));
          paths.set(butterfly.path(rank));
        }
      }
      assertEquals(Integer.highestOneBit(butterfly.size()), paths.cardinality());
      assertEquals(paths.cardinality(), paths.length());
    }
  }

  @Test
  void theRootIsNotEliminated() {
    for (Butterfly butterfly : butterflies()) {
      if (butterfly.root() != Butterfly.NONE) {
        assertEquals(butterfly.levels(), butterfly.eliminated(butterfly.root()));
      } else {
        int last = butterfly.size() - 1;
        assertEquals((1 << butterfly.levels()) - 1, butterfly.path(last), "the last rank stays");
      }
    }
  }

  /** The rounds of the paper: one more than the logarithm rounded up, at most. */
  @Test
  void ranksAreEliminatedAtTwoLevelsAtMost() {
    for (int size = 2; size <= LARGEST; size++) {
      Butterfly butterfly = new Butterfly(size, Butterfly.NONE);
      int power = Integer.highestOneBit(size);
      int[] levels = IntStream.range(0, butterfly.levels()).filter(butterfly::eliminates).toArray();
      assertEquals(size == power ? 0 : 2 * size <= 3 * power ? 1 : 2, levels.length, "p = " + size);
      assertTrue(butterfly.levels() + levels.length <= Powers.ceilLog2(size) + 1);
      if (levels.length > 0) {
        assertEquals(Integer.numberOfTrailingZeros(size), levels[0], "where the first odd one is");
      }
      if (levels.length > 1) {
        assertEquals(butterfly.levels() - 1, levels[1], "where parts are smallest");
      }
    }
  }

  @Test
  void twelveRanksBecomeTwoOfThreeAtTheLastLevel() {
    Butterfly butterfly = new Butterfly(12, Butterfly.NONE);
    assertEquals(List.of(12, 6, 3, 1), IntStream.range(0, 4).mapToObj(butterfly::members).toList());
    assertEquals(new Group(1, 2, 0), butterfly.group(2, 0));
    assertEquals(new Group(0, 1, 2), new Butterfly(12, 3).group(2, 0), "0 stands for the root");
    for (int rank = 0; rank < 12; rank++) {
      assertEquals(rank < 4 ? 2 : 3, butterfly.eliminated(rank));
      assertEquals(rank % 4, butterfly.path(rank) % 4);
    }
    assertNotEquals(butterfly.path(4), butterfly.path(8));
  }
}
