package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.internal.shape.FractionalTree.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.shape.FractionalTree.Position;

final class FractionalTreeTest {
  private static final int LARGEST = 90;

  /** The recurrence of the paper, literally. */
  private static long reachable(int group, int rounds) {
    if (rounds < 0) {
      return 0;
    }
    return rounds <= group
        ? rounds + 1
        : group + reachable(group, rounds - group) + reachable(group, rounds - group - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7})
  void depthIsTheLeastThatReachesAllNodes(int group) {
    for (int size = 1; size <= LARGEST; size++) {
      int depth = new FractionalTree(size, group).depth();
      assertTrue(reachable(group, depth) >= size, "size " + size);
      assertTrue(depth == 0 || reachable(group, depth - 1) < size, "size " + size);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void everyPacketSpansAllNodesFromTheHead(int group) {
    for (int size = 2; size <= LARGEST; size++) {
      for (int leaf = NONE; leaf < size; leaf++) {
        FractionalTree tree = new FractionalTree(size, group, leaf);
        String label = "size " + size + ", leaf " + leaf;
        int latest = 0;
        for (int node = 0; node < size; node++) {
          Position place = tree.place(node);
          latest = Math.max(latest, place.arrival());
          assertEquals(node == tree.head(), place.feeder() == NONE, label);
          for (int packet = 0; packet < group && node != tree.head(); packet++) {
            int from = place.feeder() + place.step() * packet;
            Position above = tree.place(from);
            boolean right = above.right() == node;
            assertTrue(right ? above.index() == packet : above.down() == node, label);
            int expected = right ? above.rightArrival() : above.arrival() + 1;
            assertEquals(expected, place.arrival(), label);
          }
        }
        assertEquals(tree.depth(), latest, label);
      }
    }
  }

  /** What one packet's tree has below each node is a run, which is what keeps rank order. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void everySubtreeOfEveryPacketIsARun(int group) {
    for (int size = 2; size <= 40; size++) {
      for (int leaf = NONE; leaf < size; leaf++) {
        FractionalTree tree = new FractionalTree(size, group, leaf);
        for (int packet = 0; packet < group; packet++) {
          for (int node = 0; node < size; node++) {
            List<Integer> met = below(tree, node, packet);
            int first = met.stream().mapToInt(v -> v).min().orElseThrow();
            assertEquals(
                IntStream.range(first, first + met.size()).boxed().toList(),
                met.stream().sorted().toList(),
                "size " + size + ", leaf " + leaf + ", node " + node);
          }
        }
      }
    }
  }

  private static List<Integer> below(FractionalTree tree, int node, int packet) {
    List<Integer> met = new ArrayList<>(List.of(node));
    Position place = tree.place(node);
    if (place.down() != NONE) {
      met.addAll(below(tree, place.down(), packet));
    }
    if (place.right() != NONE && place.index() == packet) {
      met.addAll(below(tree, place.right(), packet));
    }
    return met;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 100})
  void theLeafHasNoSuccessorAndCostsLessThanAGroup(int group) {
    for (int size = 2; size <= LARGEST; size++) {
      int depth = new FractionalTree(size, group).depth();
      for (int leaf = 0; leaf < size; leaf++) {
        FractionalTree tree = new FractionalTree(size, group, leaf);
        assertEquals(NONE, tree.place(leaf).down());
        assertEquals(NONE, tree.place(leaf).right());
        assertTrue(tree.depth() <= depth + Math.max(0, group - 2), "size " + size);
      }
    }
  }

  @Test
  void branchesUnlessAllNodesStandInARow() {
    for (int size = 2; size <= LARGEST; size++) {
      for (int group = 1; group <= size; group++) {
        FractionalTree tree = new FractionalTree(size, group);
        int rights = 0;
        for (int node = 0; node < size; node++) {
          rights += tree.place(node).right() == NONE ? 0 : 1;
        }
        assertEquals(rights > 0, tree.branches(), "size " + size + ", group " + group);
        assertEquals(0, tree.head());
      }
    }
    assertFalse(new FractionalTree(5, 5).branches());
  }

  @Test
  void withinFiveRoundsTheTreesReachAsManyNodesAsTheRecurrenceSays() {
    int[] nodes = {20, 10, 8, 7};
    for (int group = 1; group <= nodes.length; group++) {
      assertEquals(5, new FractionalTree(nodes[group - 1], group).depth());
      assertEquals(6, new FractionalTree(nodes[group - 1] + 1, group).depth());
    }
  }
}
