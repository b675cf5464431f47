package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.scan.Crossing.NEVER;
import static org.sparkcollectives.internal.shape.TwoTrees.NONE;

import org.sparkcollectives.internal.algorithm.pattern.Interleaving;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.Problem;

/**
 * When partial results cross the edges of two in-order trees over all ranks. Up go the sums of
 * subtrees, except from a subtree that holds the last rank; down go the sums of all ranks before a
 * subtree, except into one that holds rank 0. A block goes down no edge before it has gone up all
 * of its tree's.
 */
final class ScanTiming {
  private final TwoTreePipeline pipeline;
  private final int upRounds;
  private final int firstDown;
  private final Interleaving turns;

  ScanTiming(Problem problem, int slack) {
    TwoTrees trees = TwoTrees.inOrder(problem.size()).withSlack(slack);
    pipeline = new TwoTreePipeline(trees, problem.blocks(), node -> node);
    int offLeft = trees.latestArrivalOffSpine(true);
    int offRight = trees.latestArrivalOffSpine(false);
    // An added root, the last rank of an odd number, has all others to its left: all of them send
    // up.
    boolean even = problem.size() % 2 == 0;
    int latestUp0 = even ? offRight : trees.latestArrival();
    int latestUp1 = next(even ? offLeft : trees.latestArrival());
    upRounds = Math.max(pipeline.end(0, latestUp0), pipeline.end(1, latestUp1));
    int downRounds = Math.max(pipeline.end(0, offLeft), pipeline.end(1, next(offRight)));
    int lastUp = Integer.MAX_VALUE;
    int down = Integer.MAX_VALUE;
    for (int tree = 0; tree <= 1; tree++) {
      if (pipeline.count(tree) > 0) {
        lastUp = Math.min(lastUp, earliest(tree, true));
        down = Math.min(down, earliest(tree, false));
      }
    }
    firstDown = down;
    int ups = Math.max(0, upRounds - lastUp);
    int downs = Math.max(0, downRounds - firstDown);
    turns = new Interleaving(ups, downs, Math.min(ups, lead()));
  }

  private static int next(int arrival) {
    return arrival == NONE ? NONE : arrival + 1;
  }

  /**
   * How many rounds up are done before the first one down, so that no block goes down too early.
   */
  private int lead() {
    int lead = 0;
    for (int tree = 0; tree <= 1; tree++) {
      int up = earliest(tree, true);
      int down = earliest(tree, false);
      if (pipeline.count(tree) > 0 && up != Integer.MAX_VALUE && down != Integer.MAX_VALUE) {
        int delivered = pipeline.departure(tree, up, upRounds);
        lead = Math.max(lead, delivered - (down - firstDown) + 1);
      }
    }
    return lead;
  }

  /** The least arrival over the edges used up, or down; it is at the first child off the spine. */
  private int earliest(int tree, boolean up) {
    TwoTrees trees = pipeline.trees();
    int node = trees.root(tree);
    while (node != NONE) {
      int left = trees.left(tree, node);
      int right = trees.right(tree, node);
      int off = up ? left : right;
      if (off != NONE) {
        return trees.arrival(tree, off);
      }
      node = up ? right : left;
    }
    return Integer.MAX_VALUE;
  }

  int rounds() {
    return turns.rounds();
  }

  int count(int tree) {
    return pipeline.count(tree);
  }

  /** What crosses a node's edges for one block of its tree. */
  Crossing crossing(NodeEdges edges, int index) {
    int tree = edges.tree();
    boolean hearsRight = edges.hasRight() && edges.sendsUp();
    return new Crossing(
        pipeline.block(tree, index),
        edges.parent(),
        edges.left(),
        edges.right(),
        edges.sendsUp() ? up(tree, edges.arrival(), index) : NEVER,
        edges.hasLeft() ? up(tree, edges.leftArrival(), index) : NEVER,
        hearsRight ? up(tree, edges.rightArrival(), index) : NEVER,
        edges.receivesDown() ? down(edges.arrival(), index) : NEVER,
        edges.sendsLeft() ? down(edges.leftArrival(), index) : NEVER,
        edges.hasRight() ? down(edges.rightArrival(), index) : NEVER);
  }

  TwoTrees trees() {
    return pipeline.trees();
  }

  /**
   * The round in which a subtree's sum goes up an edge.
   *
   * @param arrival the edge's arrival
   */
  private int up(int tree, int arrival, int index) {
    return turns.ofFirst(pipeline.departure(tree, arrival, upRounds) + 2 * index);
  }

  /**
   * The round in which the sum of all before a subtree goes down an edge.
   *
   * @param arrival the edge's arrival
   */
  private int down(int arrival, int index) {
    return turns.ofSecond(arrival - firstDown + 2 * index);
  }

  /**
   * The most blocks that one rank sends. From eight nodes on some rank sends all blocks up and
   * those of tree 0 down to two children.
   */
  long blocksSent() {
    int size = trees().size();
    if (size >= 8) {
      return pipeline.blocks() + 2L * count(0);
    }
    long most = 0;
    for (int node = 0; node < size; node++) {
      long sum = 0;
      for (int tree = 0; tree <= 1; tree++) {
        NodeEdges edges = NodeEdges.of(trees(), tree, node);
        int sends =
            (edges.sendsUp() ? 1 : 0) + (edges.sendsLeft() ? 1 : 0) + (edges.hasRight() ? 1 : 0);
        sum += (long) sends * count(tree);
      }
      most = Math.max(most, sum);
    }
    return most;
  }

  /** A node of one tree, with the arrivals of its edges and what crosses them. */
  record NodeEdges(
      int tree,
      int parent,
      int left,
      int right,
      int arrival,
      int leftArrival,
      int rightArrival,
      boolean sendsUp,
      boolean receivesDown) {

    static NodeEdges of(TwoTrees trees, int tree, int node) {
      int left = trees.left(tree, node);
      int right = trees.right(tree, node);
      return new NodeEdges(
          tree,
          trees.parent(tree, node),
          left,
          right,
          trees.arrival(tree, node),
          left == NONE ? NONE : trees.arrival(tree, left),
          right == NONE ? NONE : trees.arrival(tree, right),
          !trees.onRightSpine(tree, node),
          !trees.onLeftSpine(tree, node));
    }

    boolean hasLeft() {
      return left != NONE;
    }

    boolean hasRight() {
      return right != NONE;
    }

    /**
     * Whether the left child gets the sum of all before this subtree: there is something before.
     */
    boolean sendsLeft() {
      return hasLeft() && receivesDown;
    }
  }
}
