package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class BinomialTreeTest {

  @Test
  void everyRankButTheRootHasOneParentThatKnowsIt() {
    for (int size = 1; size <= 70; size++) {
      for (int root = 0; root < size; root++) {
        BinomialTree tree = new BinomialTree(size, root);
        assertEquals(tree.levels(), tree.parentLevel(root));
        for (int rank = 0; rank < size; rank++) {
          int level = tree.parentLevel(rank);
          if (rank != root) {
            int parent = tree.partner(rank, level);
            assertEquals(rank, tree.partner(parent, level), tree + " rank " + rank);
            assertTrue(tree.parentLevel(parent) > level, tree + " rank " + rank);
          }
        }
      }
    }
  }

  @Test
  void itsDepthIsTheLongestWayToTheRoot() {
    for (int size = 1; size <= 70; size++) {
      for (int root = 0; root < size; root++) {
        BinomialTree tree = new BinomialTree(size, root);
        int longest = 0;
        for (int rank = 0; rank < size; rank++) {
          int edges = 0;
          for (int at = rank; at != root; at = tree.partner(at, tree.parentLevel(at))) {
            edges++;
          }
          longest = Math.max(longest, edges);
        }
        assertEquals(longest, tree.depth(), tree.toString());
      }
    }
  }

  @Test
  void subtreesAreRunsOfRanks() {
    BinomialTree tree = new BinomialTree(5, 3);
    assertEquals(0, tree.partner(1, 0));
    assertEquals(3, tree.partner(2, 0));
    assertEquals(3, tree.partner(0, 1));
    assertEquals(3, tree.partner(4, 2));
    assertEquals(BinomialTree.NONE, tree.partner(4, 0));
  }
}
