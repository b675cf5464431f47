package org.sparkcollectives.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.shape.InOrderTree.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Properties of all in-order trees over ranks. */
final class RankTreeTest {
  private static final int LARGEST = 300;

  /** Walks the tree from its root and compares what every place says with the walk. */
  static void check(String label, RankTree tree, int size) {
    int root =
        IntStream.range(0, size).filter(r -> tree.place(r).parent() == NONE).findFirst().orElse(-1);
    List<Integer> inOrder = new ArrayList<>();
    walk(label, tree, root, 0, 0, inOrder);
    assertEquals(IntStream.range(0, size).boxed().toList(), inOrder, label);
    List<TreePlace> places = IntStream.range(0, size).mapToObj(tree::place).toList();
    assertEquals(
        places.stream()
            .filter(TreePlace::isOffRightSpine)
            .mapToInt(TreePlace::upDistance)
            .max()
            .orElse(0),
        tree.farthestUp(),
        label);
    assertEquals(
        places.stream()
            .filter(TreePlace::isOffLeftSpine)
            .mapToInt(TreePlace::downDistance)
            .max()
            .orElse(0),
        tree.farthestDown(),
        label);
  }

  private static void walk(
      String label, RankTree tree, int rank, int lefts, int rights, List<Integer> inOrder) {
    TreePlace place = tree.place(rank);
    assertEquals(lefts, place.lefts(), label);
    assertEquals(rights, place.rights(), label);
    if (place.left() != NONE) {
      assertEquals(rank, tree.place(place.left()).parent(), label);
      walk(label, tree, place.left(), lefts + 1, rights, inOrder);
    }
    inOrder.add(rank);
    if (place.right() != NONE) {
      assertEquals(rank, tree.place(place.right()).parent(), label);
      walk(label, tree, place.right(), lefts, rights + 1, inOrder);
    }
  }

  @Test
  void balancedTreesAreInOrder() {
    for (int size = 1; size <= LARGEST; size++) {
      check("size " + size, new BalancedTree(size), size);
    }
  }

  @Test
  void balancedTreesAreOfLeastHeight() {
    for (int size = 1; size <= LARGEST; size++) {
      BalancedTree tree = new BalancedTree(size);
      int deepest = 0;
      int nearest = Integer.MAX_VALUE;
      for (int rank = 0; rank < size; rank++) {
        TreePlace place = tree.place(rank);
        deepest = Math.max(deepest, place.lefts() + place.rights());
        if (place.isOffLeftSpine()) {
          nearest = Math.min(nearest, place.downDistance());
        }
      }
      assertEquals(tree.height(), deepest);
      assertEquals(Powers.ceilLog2(size + 1) - 1, deepest);
      assertEquals(nearest == Integer.MAX_VALUE ? 0 : nearest, tree.nearestDown());
      assertEquals(tree.rightSpine(), tree.place(size - 1).rights());
      assertTrue(tree.place(tree.root()).parent() == NONE);
    }
  }
}
