package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class RunTreeTest {
  private static final int LARGEST = 140;

  @Test
  void itIsTheBinomialTreeWithRootZero() {
    for (int length = 1; length <= LARGEST; length++) {
      RunTree runs = new RunTree(length);
      BinomialTree tree = new BinomialTree(length, 0);
      assertEquals(tree.levels(), runs.levels());
      assertEquals(0, runs.parent(0));
      for (int node = 0; node < length; node++) {
        int level = tree.parentLevel(node);
        String what = tree + " node " + node;
        if (node > 0) {
          assertEquals(level, runs.level(node), what);
          assertEquals(tree.partner(node, level), runs.parent(node), what);
        }
        for (int below = 0; below < level; below++) {
          int child = below < runs.children(node) ? runs.child(node, below) : BinomialTree.NONE;
          assertEquals(tree.partner(node, below), child, what);
        }
      }
    }
  }

  @Test
  void subtreesAreRuns() {
    for (int length = 1; length <= LARGEST; length++) {
      RunTree runs = new RunTree(length);
      for (int node = 0; node < length; node++) {
        int end = node + 1;
        for (int level = 0; level < runs.children(node); level++) {
          assertEquals(end, runs.child(node, level), runs + " node " + node);
          end = runs.end(end);
        }
        assertEquals(end, runs.end(node), runs + " node " + node);
      }
    }
  }
}
