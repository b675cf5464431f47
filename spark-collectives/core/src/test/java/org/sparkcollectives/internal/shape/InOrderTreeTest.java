package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.internal.shape.InOrderTree.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InOrderTreeTest {
  private static final int LARGEST = 260;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void traversalInOrderMeetsTheNodesInSequence(boolean mirrored) {
    for (int size = 1; size <= LARGEST; size++) {
      InOrderTree tree = new InOrderTree(size, mirrored);
      List<Integer> met = new ArrayList<>();
      traverse(tree, tree.root(), met);
      assertEquals(IntStream.range(0, size).boxed().toList(), met, () -> tree.toString());
    }
  }

  private static void traverse(InOrderTree tree, int node, List<Integer> met) {
    if (node != NONE) {
      traverse(tree, tree.left(node), met);
      met.add(node);
      traverse(tree, tree.right(node), met);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void parentIsTheInverseOfChild(boolean mirrored) {
    for (int size = 1; size <= LARGEST; size++) {
      InOrderTree tree = new InOrderTree(size, mirrored);
      assertEquals(NONE, tree.parent(tree.root()), tree.toString());
      for (int node = 0; node < size; node++) {
        for (int child : new int[] {tree.left(node), tree.right(node)}) {
          if (child != NONE) {
            assertEquals(node, tree.parent(child), tree + " child " + child);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void firstAndLastBoundTheSubtree(boolean mirrored) {
    for (int size = 1; size <= LARGEST; size++) {
      InOrderTree tree = new InOrderTree(size, mirrored);
      for (int node = 0; node < size; node++) {
        List<Integer> met = new ArrayList<>();
        traverse(tree, node, met);
        assertEquals(met.get(0), tree.first(node), tree + " node " + node);
        assertEquals(met.get(met.size() - 1), tree.last(node), tree + " node " + node);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void heightIsTheLongestPath(boolean mirrored) {
    for (int size = 1; size <= LARGEST; size++) {
      InOrderTree tree = new InOrderTree(size, mirrored);
      int deepest = 0;
      for (int node = 0; node < size; node++) {
        int depth = 0;
        for (int up = tree.parent(node); up != NONE; up = tree.parent(up)) {
          depth++;
        }
        deepest = Math.max(deepest, depth);
      }
      assertEquals(deepest, tree.height(), tree.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 6, 7, 12, 13, 100})
  void mirroredExchangesLeftAndRight(int size) {
    InOrderTree tree = new InOrderTree(size, false);
    InOrderTree mirror = new InOrderTree(size, true);
    for (int node = 0; node < size; node++) {
      int right = tree.right(node);
      int expected = right == NONE ? NONE : size - 1 - right;
      assertEquals(expected, mirror.left(size - 1 - node));
    }
    assertTrue(tree.root() >= mirror.root());
  }
}
