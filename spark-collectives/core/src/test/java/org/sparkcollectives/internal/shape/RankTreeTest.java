package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.internal.shape.InOrderTree.NONE;

import java.util.ArrayList;
import java.util.Arrays;
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

  /** Hosts of one to five ranks in every mixture that a base-5 number spells, and long ones. */
  private static List<int[]> mixtures() {
    List<int[]> mixtures = new ArrayList<>();
    for (int hosts = 1; hosts <= 5; hosts++) {
      for (int code = 0; code < Math.pow(5, hosts); code++) {
        int rest = code;
        int[] lengths = new int[hosts];
        for (int i = 0; i < hosts; i++, rest /= 5) {
          lengths[i] = 1 + rest % 5;
        }
        mixtures.add(lengths);
      }
    }
    for (int hosts = 6; hosts <= 40; hosts++) {
      for (int most : new int[] {1, 4, 17}) {
        int[] lengths = new int[hosts];
        for (int i = 0; i < hosts; i++) {
          lengths[i] = 1 + i * i % most;
        }
        mixtures.add(lengths);
      }
    }
    return mixtures;
  }

  private static HostRuns runs(int[] lengths) {
    List<Integer> hosts = new ArrayList<>();
    List<Integer> firsts = new ArrayList<>();
    for (int host = 0; host < lengths.length; host++) {
      firsts.add(hosts.size());
      for (int i = 0; i < lengths[host]; i++) {
        hosts.add(host);
      }
    }
    return new HostRuns(hosts.size(), lengths.length, firsts::get, hosts::get);
  }

  private static int edgesBetweenHosts(RankTree tree, HostRuns runs) {
    return (int)
        IntStream.range(0, runs.size())
            .filter(rank -> tree.place(rank).parent() != NONE)
            .filter(rank -> runs.host(rank) != runs.host(tree.place(rank).parent()))
            .count();
  }

  private static long mostRanksWithOtherHosts(RankTree tree, HostRuns runs) {
    long most = 0;
    for (int host = 0; host < runs.hosts(); host++) {
      int own = host;
      most =
          Math.max(
              most,
              IntStream.rangeClosed(runs.first(host), runs.last(host))
                  .mapToObj(tree::place)
                  .filter(
                      place ->
                          IntStream.of(place.parent(), place.left(), place.right())
                              .anyMatch(peer -> peer != NONE && runs.host(peer) != own))
                  .count());
    }
    return most;
  }

  private static int height(RankTree tree, int size) {
    return IntStream.range(0, size)
        .mapToObj(tree::place)
        .mapToInt(place -> place.lefts() + place.rights())
        .max()
        .orElse(0);
  }

  @Test
  void treesOfHostTreesAreInOrderWithFewestEdgesBetweenHosts() {
    for (int[] lengths : mixtures()) {
      HostRuns runs = runs(lengths);
      TreeOfHostTrees tree = new TreeOfHostTrees(runs);
      String label = Arrays.toString(lengths);
      check(label, tree, runs.size());
      assertEquals(runs.hosts() - 1, edgesBetweenHosts(tree, runs), label);
      assertTrue(mostRanksWithOtherHosts(tree, runs) <= 3, label);
      int most = Arrays.stream(lengths).max().orElse(1);
      int levels = Powers.floorLog2(runs.hosts()) + 1;
      int bound = levels * (Powers.floorLog2(most) + 1) - 1;
      assertTrue(height(tree, runs.size()) <= bound, label);
    }
  }

  /** Edges between hosts: at most 1.5 per host, so at most 3mP bytes both ways. */
  @Test
  void treesOfFirstRanksAreInOrderAndFlat() {
    for (int[] lengths : mixtures()) {
      HostRuns runs = runs(lengths);
      TreeOfFirstRanks tree = new TreeOfFirstRanks(runs);
      String label = Arrays.toString(lengths);
      check(label, tree, runs.size());
      assertTrue(2 * edgesBetweenHosts(tree, runs) <= 3 * runs.hosts(), label);
      assertTrue(mostRanksWithOtherHosts(tree, runs) <= 2, label);
      int most = Arrays.stream(lengths).max().orElse(1);
      int bound = Powers.ceilLog2(runs.hosts() + 1) + Powers.ceilLog2(most) - 1;
      int height = height(tree, runs.size());
      assertTrue(height <= bound, label + ": " + height + " > " + bound);
    }
  }
}
