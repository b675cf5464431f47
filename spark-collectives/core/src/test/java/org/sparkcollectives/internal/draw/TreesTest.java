package org.sparkcollectives.internal.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

final class TreesTest {

  private static List<SpanningTree> trees(String name, int size, int root, int blocks) {
    Collective collective = Collective.ofSlug(name.replaceFirst("/.*", ""));
    Problem problem = new Problem(collective, size, root, blocks, false);
    List<Schedule> schedules =
        Conformance.schedules(Algorithms.find(collective, name.replaceFirst(".*/", "")), problem);
    return Trees.of(problem, Transfer.of(schedules));
  }

  /** Node n of the trees is rank n + 1; rank 0 feeds both. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5, 7, 8, 9, 10, 16, 33})
  void aBroadcastsTreesAreTheTwoTrees(int size) {
    TwoTrees shape = TwoTrees.anyOrder(size - 1);
    List<SpanningTree> trees = trees("broadcast/two-tree", size, 0, 6);
    assertEquals(2, trees.size());
    for (int tree = 0; tree <= 1; tree++) {
      List<Integer> parents = new ArrayList<>(List.of(-1));
      for (int node = 0; node < size - 1; node++) {
        int parent = shape.parent(tree, node);
        parents.add(parent == TwoTrees.NONE ? 0 : parent + 1);
      }
      assertEquals(parents, trees.get(tree).parents());
      assertEquals(tree == 0 ? List.of(0, 1, 2) : List.of(3, 4, 5), trees.get(tree).blocks());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 8, 10, 16, 32})
  void aScansTreesAreTheTwoTrees(int size) {
    TwoTrees shape = TwoTrees.inOrder(size);
    List<SpanningTree> trees = trees("scan/two-tree", size, 0, 4);
    for (SpanningTree tree : trees) {
      int number = tree.blocks().get(0) == 0 ? 0 : 1;
      for (int rank = 0; size > 2 && rank < size; rank++) {
        int parent = shape.parent(number, rank);
        assertEquals(parent == TwoTrees.NONE ? -1 : parent, tree.parents().get(rank), "" + tree);
      }
    }
  }

  /**
   * With an edge's colour the round's parity: no rank has two edges of one colour and direction.
   */
  @ParameterizedTest
  @ValueSource(ints = {5, 6, 9, 10, 23})
  void theColoursOfTwoTreesDoNotMeet(int size) {
    List<SpanningTree> trees = trees("broadcast/two-tree", size, 0, 8);
    List<String> sends = new ArrayList<>();
    List<String> receives = new ArrayList<>();
    for (SpanningTree tree : trees) {
      assertTrue(tree.isColoured());
      for (int rank = 0; rank < size; rank++) {
        if (rank != tree.root()) {
          int colour = tree.down().get(rank).first() % 2;
          sends.add(tree.parents().get(rank) + " " + colour);
          receives.add(rank + " " + colour);
        }
      }
    }
    assertEquals(sends.size(), sends.stream().distinct().count(), sends::toString);
    assertEquals(receives.size(), receives.stream().distinct().count(), receives::toString);
  }

  @Test
  void aBinomialTreeIsFoundUpAndDown() {
    List<Integer> parents = List.of(-1, 0, 0, 2, 0, 4, 4, 6, 0);
    for (String name : List.of("reduce/binomial", "gather/binomial", "scatter/binomial")) {
      List<SpanningTree> trees = trees(name, 9, 0, 9);
      assertEquals(1, trees.size(), name);
      assertEquals(parents, trees.get(0).parents(), name);
      boolean down = name.startsWith("scatter");
      for (int child = 1; child < 9; child++) {
        assertEquals(down, trees.get(0).up().get(child).isEmpty());
        assertEquals(!down, trees.get(0).down().get(child).isEmpty());
      }
    }
  }

  @Test
  void anAllReduceGoesUpAndDownTheSameTrees() {
    List<SpanningTree> trees = trees("allreduce/two-tree", 9, 0, 4);
    assertEquals(2, trees.size());
    for (SpanningTree tree : trees) {
      for (int child = 1; child < 9; child++) {
        assertEquals(2, tree.up().get(child).size());
        assertEquals(2, tree.down().get(child).size());
      }
    }
  }

  /** Halving and doubling move each part along a binomial tree of its own. */
  @Test
  void eachPartHasItsTree() {
    List<SpanningTree> trees = trees("allreduce/rabenseifner", 8, 0, 8);
    assertEquals(8, trees.size());
    assertEquals(List.of(0, 4, 2, 6, 1, 5, 3, 7), trees.stream().map(SpanningTree::root).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allreduce/recursive-doubling",
        "scan/simultaneous-binomial",
        "alltoall/pairwise",
        "barrier/dissemination"
      })
  void whatIsNoTreeIsNotShownAsOne(String name) {
    assertEquals(List.of(), trees(name, 8, 0, name.startsWith("alltoall") ? 64 : 1));
  }

  @Test
  void rankOrderIsUsedWhereNoEdgesCross() {
    SpanningTree inOrder = trees("broadcast/two-tree", 9, 0, 4).get(0);
    TreeLayout layout = new TreeLayout(inOrder);
    assertTrue(layout.isInRankOrder());
    assertTrue(IntStream.range(0, 9).allMatch(rank -> layout.x(rank) == rank));
    SpanningTree turned = trees("reduce/two-tree", 9, 4, 4).get(0);
    TreeLayout other = new TreeLayout(turned);
    assertFalse(other.isInRankOrder());
    for (int rank = 0; rank < 9; rank++) {
      for (int next = 0; next < rank; next++) {
        assertTrue(other.x(rank) != other.x(next) || other.y(rank) != other.y(next));
      }
    }
  }
}
