package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.internal.shape.TwoTrees.NONE;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TwoTreesTest {
  private static final int LARGEST = 520;
  private static final int LARGEST_COLOURED = 2000;

  private static void forAll(int largest, Consumer<TwoTrees> property) {
    forAll(largest, 0, property);
  }

  private static void forAll(int largest, int slack, Consumer<TwoTrees> property) {
    List<IntFunction<TwoTrees>> kinds = List.of(TwoTrees::inOrder, TwoTrees::anyOrder);
    for (int size = 1; size <= largest; size++) {
      for (IntFunction<TwoTrees> kind : kinds) {
        property.accept(kind.apply(size).withSlack(slack));
      }
    }
  }

  private static int[] children(TwoTrees trees, int tree, int node) {
    return Arrays.stream(new int[] {trees.left(tree, node), trees.right(tree, node)})
        .filter(child -> child != NONE)
        .toArray();
  }

  @Test
  void bothTreesSpanAllNodes() {
    forAll(
        LARGEST,
        trees -> {
          for (int tree = 0; tree <= 1; tree++) {
            boolean[] met = new boolean[trees.size()];
            Deque<Integer> open = new ArrayDeque<>(List.of(trees.root(tree)));
            int count = 0;
            while (!open.isEmpty()) {
              int node = open.pop();
              assertFalse(met[node], () -> "met twice");
              met[node] = true;
              count++;
              for (int child : children(trees, tree, node)) {
                assertEquals(node, trees.parent(tree, child), () -> "of " + trees.size());
                open.push(child);
              }
            }
            assertEquals(trees.size(), count);
            assertEquals(NONE, trees.parent(tree, trees.root(tree)));
          }
        });
  }

  @Test
  void noNodeButAnAddedRootIsInnerInBothTrees() {
    forAll(
        LARGEST,
        trees -> {
          for (int node = 0; node < trees.size(); node++) {
            boolean addedRoot = trees.parent(0, node) == NONE && trees.parent(1, node) == NONE;
            assertTrue(
                addedRoot
                    || children(trees, 0, node).length == 0
                    || children(trees, 1, node).length == 0);
          }
        });
  }

  @Test
  void noNodeReceivesOrSendsTwiceInARound() {
    forAll(
        LARGEST,
        trees -> {
          for (int node = 0; node < trees.size(); node++) {
            assertEquals(1, (trees.arrival(0, node) + trees.arrival(1, node)) & 1);
            List<Integer> parities = new ArrayList<>();
            for (int tree = 0; tree <= 1; tree++) {
              for (int child : children(trees, tree, node)) {
                int delay = trees.arrival(tree, child) - trees.arrival(tree, node);
                assertTrue(delay == 1 || delay == 2);
                parities.add(trees.arrival(tree, child) & 1);
              }
            }
            assertTrue(parities.size() <= 2);
            assertTrue(parities.size() < 2 || !parities.get(0).equals(parities.get(1)));
          }
        });
  }

  @Test
  void rootsReceiveInRoundsZeroAndOne() {
    forAll(
        LARGEST,
        trees -> {
          assertEquals(0, trees.arrival(0, trees.root(0)));
          assertEquals(1, trees.arrival(1, trees.root(1)));
        });
  }

  @Test
  void slackIsAddedOnEveryEdgeOfAsManyLevels() {
    forAll(
        LARGEST,
        trees -> {
          TwoTrees slack = trees.withSlack(4);
          for (int tree = 0; tree <= 1; tree++) {
            int most = 0;
            for (int node = 0; node < trees.size(); node++) {
              int edges = 0;
              for (int up = node; trees.parent(tree, up) != NONE; up = trees.parent(tree, up)) {
                edges++;
              }
              assertEquals(trees.arrival(tree, node) + 4 * edges, slack.arrival(tree, node));
              most = Math.max(most, edges);
            }
            assertEquals(most + 1, trees.levels(), "of " + trees.size());
          }
        });
    assertThrows(IllegalArgumentException.class, () -> TwoTrees.inOrder(5).withSlack(1));
    assertThrows(IllegalArgumentException.class, () -> TwoTrees.inOrder(5).withSlack(-2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 6})
  void latestArrivalIsTheGreatestOfAll(int slack) {
    forAll(
        LARGEST,
        slack,
        trees -> {
          int[] latest = new int[2];
          for (int node = 0; node < trees.size(); node++) {
            latest[0] = Math.max(latest[0], trees.arrival(0, node));
            latest[1] = Math.max(latest[1], trees.arrival(1, node));
          }
          assertEquals(latest[0], trees.latestArrival(), () -> "of " + trees.size());
          assertEquals(latest[1], trees.latestArrival() + 1, () -> "of " + trees.size());
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 6})
  void latestArrivalOffSpineIsTheGreatestOffTheSpine(int slack) {
    for (int size = 1; size <= LARGEST; size++) {
      TwoTrees trees = TwoTrees.inOrder(size).withSlack(slack);
      int added = size % 2;
      int[] offLeft = {NONE, NONE};
      int[] offRight = {NONE, NONE};
      for (int node = 0; node < size - added; node++) {
        for (int tree = 0; tree <= 1; tree++) {
          InOrderTree former = new InOrderTree(size - added, tree == 1);
          if (former.first(node) != 0) {
            offLeft[tree] = Math.max(offLeft[tree], trees.arrival(tree, node));
            assertFalse(trees.onLeftSpine(tree, node));
          }
          if (former.last(node) != size - added - 1) {
            offRight[tree] = Math.max(offRight[tree], trees.arrival(tree, node));
            assertFalse(trees.onRightSpine(tree, node));
          }
        }
      }
      assertEquals(offLeft[0], trees.latestArrivalOffSpine(true), "size " + size);
      assertEquals(offRight[0], trees.latestArrivalOffSpine(false), "size " + size);
      assertEquals(later(offLeft[0]), offRight[1], "size " + size);
      assertEquals(later(offRight[0]), offLeft[1], "size " + size);
    }
  }

  private static int later(int arrival) {
    return arrival == NONE ? NONE : arrival + 1;
  }

  @Test
  void spinesHoldTheOutermostNodes() {
    for (int size = 1; size <= LARGEST; size++) {
      TwoTrees trees = TwoTrees.inOrder(size);
      for (int tree = 0; tree <= 1; tree++) {
        int node = trees.root(tree);
        while (trees.left(tree, node) != NONE) {
          assertTrue(trees.onLeftSpine(tree, node));
          node = trees.left(tree, node);
        }
        assertEquals(0, node);
        node = trees.root(tree);
        while (trees.right(tree, node) != NONE) {
          assertTrue(trees.onRightSpine(tree, node));
          node = trees.right(tree, node);
        }
        assertEquals(size - 1, node);
      }
    }
  }

  @Test
  void spinesAreDefinedForTreesInOrderOnly() {
    TwoTrees trees = TwoTrees.anyOrder(5);
    assertThrows(IllegalStateException.class, () -> trees.onLeftSpine(0, 0));
    assertThrows(IllegalArgumentException.class, () -> TwoTrees.inOrder(0));
  }

  /**
   * The colours of Section 5.1 against those found by walking the paths of Lemma 1's bipartite
   * graph: equal on each path up to an exchange of the two colours.
   */
  @Test
  void fastColoursAgreeWithThoseFoundByTraversal() {
    for (int size = 2; size <= LARGEST_COLOURED; size += 2) {
      checkColours(size);
    }
  }

  private static void checkColours(int size) {
    InOrderTree[] trees = {new InOrderTree(size, false), new InOrderTree(size, true)};
    // Edge 2v + t goes into node v in tree t. It has a neighbour at the receiver, the other edge
    // into
    // v, and at most one at the sender, the other edge out of the parent in both trees.
    int[] bySender = new int[2 * size];
    Arrays.fill(bySender, NONE);
    int[] out = new int[size + 1];
    Arrays.fill(out, NONE);
    for (int edge = 0; edge < 2 * size; edge++) {
      int parent = trees[edge & 1].parent(edge >> 1);
      int sender = parent == NONE ? size : parent;
      if (out[sender] != NONE) {
        assertEquals(NONE, bySender[out[sender]], "three edges out of " + sender);
        bySender[edge] = out[sender];
        bySender[out[sender]] = edge;
      }
      out[sender] = edge;
    }
    int[] traversed = new int[2 * size];
    Arrays.fill(traversed, NONE);
    for (int start = 0; start < 2 * size; start++) {
      if (traversed[start] == NONE) {
        Deque<Integer> open = new ArrayDeque<>(List.of(start));
        traversed[start] = EdgeColours.incoming(size, (start >> 1) + 1) ^ (start & 1);
        while (!open.isEmpty()) {
          int edge = open.pop();
          for (int next : new int[] {edge ^ 1, bySender[edge]}) {
            if (next != NONE && traversed[next] == NONE) {
              traversed[next] = 1 - traversed[edge];
              open.push(next);
            }
          }
        }
      }
    }
    for (int edge = 0; edge < 2 * size; edge++) {
      int fast = EdgeColours.incoming(size, (edge >> 1) + 1) ^ (edge & 1);
      assertEquals(traversed[edge], fast, "edge into " + (edge >> 1) + " of " + size);
    }
  }

  @Test
  void arrivalsFollowTheColours() {
    for (int size = 2; size <= LARGEST; size += 2) {
      TwoTrees trees = TwoTrees.inOrder(size);
      for (int node = 0; node < size; node++) {
        int colour = EdgeColours.incoming(size, node + 1);
        assertEquals(1 - colour, trees.arrival(0, node) & 1);
        assertEquals(colour, trees.arrival(1, node) & 1);
      }
    }
  }

  @Test
  void depthIsBoundedAsInThePaper() {
    forAll(
        LARGEST,
        trees -> {
          int levels = Powers.ceilLog2(trees.size() + 2);
          assertTrue(trees.latestArrival() <= 2 * levels, () -> "of " + trees.size());
        });
  }

  /**
   * In a round of one parity a couple's member has one edge, and members are on the side of their
   * subtrees.
   */
  @Test
  void membersOfCouplesShareTheEdges() {
    for (int size = 2; size <= LARGEST; size += 2) {
      TwoTrees trees = TwoTrees.inOrder(size);
      Couples couples = new Couples(trees);
      for (int node = 0; node < size; node++) {
        for (int tree = 0; tree <= 1; tree++) {
          int left = trees.left(tree, node);
          int right = trees.right(tree, node);
          if (left != NONE) {
            assertEquals(0, couples.lower(node, trees.arrival(tree, left)), "of " + size);
          }
          if (right != NONE) {
            assertEquals(1, couples.lower(node, trees.arrival(tree, right)), "of " + size);
          }
          assertEquals(1, couples.lower(node, tree) + couples.upper(node, tree));
          assertEquals(couples.lower(node, tree), couples.upper(node, tree + 1));
        }
        assertEquals(
            1,
            couples.upper(node, trees.arrival(0, node))
                + couples.upper(node, trees.arrival(1, node)));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> new Couples(TwoTrees.inOrder(3)));
  }
}
