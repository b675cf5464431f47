package org.sparkcollectives.internal.draw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;

/**
 * The trees in a schedule, found by following blocks. Distribution: a rank's parent is the rank
 * that it first has the block from. Reduction: the rank that it sends its operand to. A scan uses a
 * tree where the edges that a block crosses, in either direction, are one. What is scattered or
 * gathered goes along one tree, with all blocks taken together.
 */
final class Trees {
  private final Problem problem;
  private final Map<List<Integer>, SpanningTree> found = new LinkedHashMap<>();

  private Trees(Problem problem) {
    this.problem = problem;
  }

  /**
   * The distinct trees, in the sequence of their lowest blocks.
   *
   * @return the trees, none if some block does not travel along trees
   */
  static List<SpanningTree> of(Problem problem, List<Transfer> transfers) {
    Collective collective = problem.collective();
    boolean spreads = collective != Collective.ALLTOALL && collective != Collective.BARRIER;
    if (problem.size() == 1 || !spreads) {
      return List.of();
    }
    Trees trees = new Trees(problem);
    boolean all =
        (collective.rooted() && collective.divided())
            ? trees.add(0, transfers, trees.rootedTree(transfers))
            : trees.addEachBlocks(transfers);
    return all ? List.copyOf(trees.found.values()) : List.of();
  }

  /** The number of the tree along which a message goes; -1 if its blocks have several or none. */
  static int number(List<SpanningTree> trees, Transfer transfer) {
    if (trees.size() == 1) {
      return 0;
    }
    List<Integer> blocks = transfer.blocks().boxed().toList();
    for (int i = 0; i < trees.size(); i++) {
      if (trees.get(i).carries(transfer) && trees.get(i).blocks().containsAll(blocks)) {
        return i;
      }
    }
    return -1;
  }

  private boolean addEachBlocks(List<Transfer> transfers) {
    List<List<Transfer>> ofBlock =
        Stream.generate(() -> (List<Transfer>) new ArrayList<Transfer>())
            .limit(problem.blocks())
            .toList();
    transfers.forEach(t -> t.blocks().forEach(block -> ofBlock.get(block).add(t)));
    for (int block = 0; block < problem.blocks(); block++) {
      if (!addBlock(block, ofBlock.get(block))) {
        return false;
      }
    }
    return true;
  }

  private boolean addBlock(int block, List<Transfer> all) {
    Predicate<Transfer> operand = Transfer::operand;
    List<Transfer> operands = all.stream().filter(operand).toList();
    List<Transfer> results = all.stream().filter(operand.negate()).toList();
    Collective collective = problem.collective();
    if (collective.prefix()) {
      return add(block, all, anyTree(all));
    }
    if (!collective.reducing()) {
      return add(block, all, outTree(all));
    }
    if (collective.rooted() || collective.divided()) {
      return results.isEmpty() && add(block, all, inTree(operands));
    }
    return add(block, operands, inTree(operands)) && add(block, results, outTree(results));
  }

  /** Parents on the way from the root, or to it. */
  private int @Nullable [] rootedTree(List<Transfer> transfers) {
    return problem.collective().fromRoot() ? outTree(transfers) : inTree(transfers);
  }

  private boolean add(int block, List<Transfer> transfers, int @Nullable [] parents) {
    if (parents == null) {
      return false;
    }
    List<Integer> key = Arrays.stream(parents).boxed().toList();
    SpanningTree tree =
        found.computeIfAbsent(
            key,
            k -> new SpanningTree(k.indexOf(-1), k, noRounds(), noRounds(), new ArrayList<>()));
    if (!tree.blocks().contains(block)) {
      tree.blocks().add(block);
    }
    for (Transfer transfer : transfers) {
      if (parents[transfer.to()] == transfer.from()) {
        tree.down().get(transfer.to()).add(transfer.round());
      } else if (parents[transfer.from()] == transfer.to()) {
        tree.up().get(transfer.from()).add(transfer.round());
      }
    }
    return true;
  }

  private List<SortedSet<Integer>> noRounds() {
    return Stream.<SortedSet<Integer>>generate(TreeSet::new).limit(problem.size()).toList();
  }

  /** Parents by first receipt. */
  private int @Nullable [] outTree(List<Transfer> transfers) {
    int[] parents = new int[problem.size()];
    Arrays.fill(parents, -1);
    int source = transfers.isEmpty() ? 0 : transfers.get(0).from();
    for (Transfer transfer : transfers) {
      if (parents[transfer.to()] < 0 && transfer.to() != source) {
        parents[transfer.to()] = transfer.from();
      }
    }
    return isTree(parents) ? parents : null;
  }

  /** Parents by the one operand that a rank sends. */
  private int @Nullable [] inTree(List<Transfer> transfers) {
    int[] parents = new int[problem.size()];
    Arrays.fill(parents, -1);
    for (Transfer transfer : transfers) {
      int known = parents[transfer.from()];
      if (known >= 0 && (known != transfer.to() || problem.collective().reducing())) {
        return null;
      }
      parents[transfer.from()] = transfer.to();
    }
    return isTree(parents) ? parents : null;
  }

  /**
   * A tree of edges used in either direction. Towards the root goes the first message of an edge
   * that is used both ways. Of the ranks for which that holds, the root is one that makes an
   * in-order binary tree, and of several the one with the lowest tree; it is the first sender if
   * all messages come from it.
   */
  private int @Nullable [] anyTree(List<Transfer> transfers) {
    if (!transfers.isEmpty()) {
      int[] out = outTree(transfers);
      long edges = transfers.stream().map(Trees::edge).distinct().count();
      if (out != null && edges == transfers.size() && edges == problem.size() - 1) {
        return out;
      }
    }
    Map<List<Integer>, Transfer> first = new LinkedHashMap<>();
    Map<List<Integer>, Boolean> twoWay = new LinkedHashMap<>();
    for (Transfer transfer : transfers) {
      Transfer earlier = first.putIfAbsent(edge(transfer), transfer);
      twoWay.merge(
          edge(transfer), false, (o, n) -> o || (earlier != null && earlier.to() != transfer.to()));
    }
    if (first.size() != problem.size() - 1) {
      return null;
    }
    int[] best = null;
    for (int root = 0; root < problem.size(); root++) {
      int[] parents = hang(root, first.keySet().stream().toList());
      if (!isTree(parents)) {
        return null;
      }
      boolean towards =
          first.values().stream()
              .allMatch(t -> !twoWay.getOrDefault(edge(t), false) || parents[t.from()] == t.to());
      if (towards && (best == null || disorder(parents) < disorder(best))) {
        best = parents;
      }
    }
    return best;
  }

  /** The tree's height, more than any height where it is no in-order binary tree. */
  private static int disorder(int[] parents) {
    int size = parents.length;
    int[] low = IntStream.range(0, size).toArray();
    int[] high = low.clone();
    for (int rank = 0; rank < size; rank++) {
      for (int at = rank; at >= 0; at = parents[at]) {
        low[at] = Math.min(low[at], rank);
        high[at] = Math.max(high[at], rank);
      }
    }
    int[] before = new int[size];
    int[] after = new int[size];
    boolean inOrder = true;
    for (int rank = 0; rank < size; rank++) {
      int parent = parents[rank];
      if (parent >= 0) {
        inOrder &= high[rank] < parent ? before[parent]++ == 0 : after[parent]++ == 0;
        inOrder &= high[rank] < parent || low[rank] > parent;
      }
    }
    return height(parents) + (inOrder ? 0 : size);
  }

  private static List<Integer> edge(Transfer transfer) {
    return List.of(
        Math.min(transfer.from(), transfer.to()), Math.max(transfer.from(), transfer.to()));
  }

  private int[] hang(int root, List<List<Integer>> edges) {
    int[] parents = new int[problem.size()];
    Arrays.fill(parents, -1);
    List<Integer> reached = new ArrayList<>(List.of(root));
    for (int i = 0; i < reached.size(); i++) {
      int rank = reached.get(i);
      for (List<Integer> edge : edges) {
        int other = edge.get(0) == rank ? edge.get(1) : edge.get(1) == rank ? edge.get(0) : -1;
        if (other >= 0 && other != root && parents[other] < 0) {
          parents[other] = rank;
          reached.add(other);
        }
      }
    }
    return parents;
  }

  private static boolean isTree(int[] parents) {
    return Arrays.stream(parents).filter(parent -> parent < 0).count() == 1
        && height(parents) < parents.length;
  }

  /** The longest way to a root; the number of ranks if some way does not end. */
  private static int height(int[] parents) {
    int height = 0;
    for (int rank = 0; rank < parents.length; rank++) {
      int length = 0;
      for (int at = rank; parents[at] >= 0 && length < parents.length; at = parents[at]) {
        length++;
      }
      height = Math.max(height, length);
    }
    return height;
  }
}
