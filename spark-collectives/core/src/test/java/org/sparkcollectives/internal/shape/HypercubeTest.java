package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HypercubeTest {

  /**
   * Follows each tree from node 0, one dimension in each round: it reaches every node once, and no
   * edge serves two trees.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 9})
  void treesSpanTheCubeAndShareNoEdge(int dimensions) {
    Hypercube cube = new Hypercube(dimensions);
    int size = 1 << dimensions;
    Set<Integer> used = new HashSet<>();
    for (int tree = 0; tree < dimensions; tree++) {
      Set<Integer> reached = new HashSet<>(Set.of(0, cube.neighbour(0, tree)));
      for (int delay = 1; delay <= dimensions; delay++) {
        int dimension = (tree + delay) % dimensions;
        for (int node : Set.copyOf(reached)) {
          int next = cube.neighbour(node, dimension);
          boolean uses = node != 0 && next != 0 && cube.tree(node, dimension) == tree;
          if (uses) {
            assertEquals(delay, cube.delay(node, dimension));
            assertTrue(reached.add(next), "node " + next + " is reached twice by tree " + tree);
            assertTrue(used.add(node * dimensions + dimension));
          }
        }
      }
      assertEquals(size, reached.size(), "tree " + tree);
    }
    // All edges but those to node 0 and, in this count, those from it.
    assertEquals(dimensions * (size - 2), used.size());
  }
}
