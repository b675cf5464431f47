package org.sparkcollectives.ml.internal.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.minimizer.Division;
import org.sparkcollectives.schedule.Topology;

/** Who keeps which part, and what is left after a loss. */
class KeptPartsTest {

  @Test
  void theNewestCompleteStateIsFound() {
    // Rank 0 has part 0 of iterations 4 and 5, rank 1 part 1 of 4 and, for another, part 0 of 5.
    int[] names = {4, 2, 0, 5, 2, 0, /* rank 1 */ 4, 2, 1, 5, 2, 0};
    assertArrayEquals(new int[] {0, 1, 4}, KeptParts.newest(names, new int[] {6, 6}));
    int[] more = {4, 2, 0, 5, 2, 0, /* rank 1 */ 4, 2, 1, 5, 2, 1};
    assertArrayEquals(new int[] {0, 1, 5}, KeptParts.newest(more, new int[] {6, 6}));
    assertArrayEquals(new int[] {0, 0, 5}, KeptParts.newest(more, new int[] {12, 0}));
  }

  @Test
  void statesOfDifferentNumbersOfRanksAreNotMixed() {
    int[] names = {7, 3, 0, 7, 3, 1, 7, 2, 1, 6, 1, 0};
    assertArrayEquals(new int[] {2, 6}, KeptParts.newest(names, new int[] {3, 6, 3}));
    assertArrayEquals(
        new int[] {}, KeptParts.newest(new int[] {7, 3, 0, 7, 3, 1}, new int[] {6, 0, 0}));
    assertArrayEquals(new int[] {}, KeptParts.newest(new int[0], new int[3]));
  }

  @Test
  void copiesLieInAnotherJvm() {
    assertEquals(1, KeptParts.shift(Topology.FLAT, 3));
    assertEquals(0, KeptParts.shift(Topology.FLAT, 1));
    assertEquals(0, KeptParts.shift(processes("a", "a"), 2));
    assertEquals(2, KeptParts.shift(processes("a", "a", "b", "b"), 4));
    assertEquals(2, KeptParts.shift(processes("a", "a", "b", "c"), 4));
    assertEquals(1, KeptParts.shift(processes("a", "b", "a", "b"), 4));
    assertEquals(3, KeptParts.shift(processes("a", "a", "a", "b", "b", "b"), 6));
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "3, 1", "3, 2", "4, 2", "5, 3"})
  void aRankHasTheVectorsOfTheOneSoManyPlacesBack(int size, int shift) {
    int[] counts = Division.counts(2 * size + 1, size);
    List<List<double[]>> copies =
        Group.threads(
            size,
            CommunicatorOptions.DEFAULT,
            communicator -> {
              int rank = communicator.rank();
              double[] position = new double[counts[rank]];
              double[] gradient = new double[counts[rank]];
              Arrays.setAll(position, i -> 10 * rank + i);
              Arrays.setAll(gradient, i -> -rank);
              return KeptParts.copies(communicator, counts, shift, List.of(position, gradient));
            });
    for (int rank = 0; rank < size; rank++) {
      int sender = (rank + size - shift) % size;
      double[] position = new double[counts[sender]];
      double[] gradient = new double[counts[sender]];
      Arrays.setAll(position, i -> 10 * sender + i);
      Arrays.setAll(gradient, i -> -sender);
      assertArrayEquals(position, copies.get(rank).get(0));
      assertArrayEquals(gradient, copies.get(rank).get(1));
    }
  }

  @Test
  void partsOfOneDivisionBecomePartsOfAnother() {
    int length = 7;
    assertArrayEquals(new int[] {2, 2, 3}, Division.counts(length, 3));
    assertArrayEquals(new int[] {0, 0, 1, 0, 1}, Division.counts(2, 5));
    double[] whole = {0, 1, 2, 3, 4, 5, 6};
    for (int before = 1; before < 9; before++) {
      for (int after = 1; after < 9; after++) {
        double[] back = new double[length];
        for (int to = 0; to < after; to++) {
          double[] part = new double[Division.counts(length, after)[to]];
          for (int from = 0; from < before; from++) {
            double[] old = new double[Division.counts(length, before)[from]];
            Division.copy(whole, 0, 1, old, from, before, length);
            Division.copy(old, from, before, part, to, after, length);
          }
          Division.copy(part, to, after, back, 0, 1, length);
        }
        assertArrayEquals(whole, back);
      }
    }
  }

  private static Topology processes(String... names) {
    return Topology.of(List.of(names).stream().map(name -> "host").toList(), List.of(names));
  }
}
