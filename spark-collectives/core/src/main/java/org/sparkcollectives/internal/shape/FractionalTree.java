package org.sparkcollectives.internal.shape;

import java.util.Arrays;

/**
 * A tree between a chain and a binary tree: a binary tree whose nodes are groups of r nodes, each a
 * chain. The first member of a group, its head, takes packets from above and passes them along the
 * chain; the last member passes them on to the head of the <i>down</i> group; the members take
 * turns in feeding the head of the <i>right</i> group, member i with the packets i, r + i, 2r + i …
 * So every member passes on r + 1 packets for r that it takes, and runs of r packets follow each
 * other every r + 1 rounds. Groups of one make a binary tree, one group of all nodes a chain.
 * Source: Sanders, Sibeyn 2000, Sections 2 and 3.
 *
 * <p>A packet that reaches a head in round 0 reaches member i in round i, the head of the down
 * group in round r and that of the right group in round r + 1. The tree holds as many nodes as
 * possible for its depth: within t rounds {@code P(t) = r + P(t-r) + P(t-r-1)} nodes, and {@code t
 * + 1} for t at most r.
 *
 * <p>Every subtree is a run of consecutive nodes. A group stands in sequence before its down and
 * right subtrees, which follow in this sequence (for r = 1 the other way round). If one node is to
 * be a leaf, the groups above it stand after their subtrees where it would be one of them
 * otherwise, everything mirrored, and in the last group each node extends the run that begins with
 * the leaf.
 *
 * <pre>
 *   size 12, group 2       0 - 1        head 0, down 2, right 9
 *                         /     \
 *                    2 - 3       9 - 10
 *                   /    \        \
 *               4 - 5     7 - 8    11
 *                  \
 *                   6
 * </pre>
 */
public final class FractionalTree {

  /** No node. */
  public static final int NONE = -1;

  private final int group;
  private final int leaf;
  private final int depth;

  /** reach[t]: how many nodes packets from the head can reach within t rounds. */
  private final long[] reach;

  private final Subtree whole;

  /**
   * Where a node stands.
   *
   * @param arrival how many rounds after the first packet reached the tree's head it reaches the
   *     node
   * @param index which member of its group the node is, from 0
   * @param down the node that is passed all packets, the next member or the head of the down group,
   *     or {@link #NONE}
   * @param right the head of the right group, or {@link #NONE}
   * @param rightArrival the arrival of the right group's head
   * @param feeder the node that the packets 0, r, 2r … come from, or {@link #NONE} for the tree's
   *     head
   * @param step the difference between the nodes that successive packets of a run come from: 0
   *     unless the node is the head of a right group
   */
  public record Position(
      int arrival, int index, int down, int right, int rightArrival, int feeder, int step) {}

  /**
   * A tree rooted in its first node.
   *
   * @param size the number of nodes, at least 1
   * @param group r, the number of nodes in a group, at least 1
   */
  public FractionalTree(int size, int group) {
    this(size, group, NONE);
  }

  /**
   * A tree in which a given node is a leaf.
   *
   * @param size the number of nodes, at least 1, at least 2 if there is a leaf
   * @param group r, the number of nodes in a group, at least 1
   * @param leaf the node that is to have no successor, or {@link #NONE}
   */
  public FractionalTree(int size, int group, int leaf) {
    this.group = group;
    this.leaf = leaf;
    // Of a chain there is nothing to count.
    this.reach = group >= size ? new long[0] : reach(size, group);
    this.depth = group >= size ? size - 1 : reach.length - 1;
    this.whole = new Subtree(0, size, depth);
  }

  private static long[] reach(int size, int group) {
    long[] reach = new long[2 * group];
    int t = -1;
    do {
      t++;
      if (t == reach.length) {
        reach = Arrays.copyOf(reach, 2 * t);
      }
      reach[t] =
          t < group ? t + 1 : group + reach[t - group] + (t == group ? 0 : reach[t - group - 1]);
    } while (reach[t] < size);
    return Arrays.copyOf(reach, t + 1);
  }

  /**
   * The node that all packets enter by.
   *
   * @return a node
   */
  public int head() {
    return whole.member(0);
  }

  /**
   * The latest {@link Position#arrival()} of any node.
   *
   * @return a number of rounds
   */
  public int depth() {
    return leaf == NONE ? depth : Math.max(depth, place(leaf).arrival());
  }

  /**
   * Whether there is a right group at all.
   *
   * @return false if all nodes are passed all packets by the same node
   */
  public boolean branches() {
    Subtree subtree = whole;
    while (!subtree.isChain() && subtree.rightSize() == 0) {
      subtree = subtree.down();
    }
    return !subtree.isChain();
  }

  /**
   * Finds a node, in as many steps as it has groups above it.
   *
   * @param node a node
   * @return its place
   */
  public Position place(int node) {
    Subtree subtree = whole;
    int arrival = 0;
    int feeder = NONE;
    int step = 0;
    while (true) {
      int index = subtree.indexOf(node);
      if (index != NONE) {
        return new Position(
            arrival + index,
            index,
            subtree.after(index),
            subtree.rightHead(),
            arrival + group + 1,
            index == 0 ? feeder : subtree.member(index - 1),
            index == 0 ? step : 0);
      }
      Subtree down = subtree.down();
      if (down.holds(node)) {
        feeder = subtree.member(group - 1);
        step = 0;
        arrival += group;
        subtree = down;
      } else {
        feeder = subtree.member(0);
        step = group == 1 ? 0 : subtree.member(1) - feeder;
        arrival += group + 1;
        subtree = subtree.right();
      }
    }
  }

  /** A group and all below it: a run of nodes, to be reached within a number of rounds. */
  private final class Subtree {
    private final int from;
    private final int to;
    private final int budget;

    Subtree(int from, int to, int budget) {
      this.from = from;
      this.to = to;
      this.budget = budget;
    }

    int size() {
      return to - from;
    }

    boolean holds(int node) {
      return node >= from && node < to;
    }

    /** Whether there is no group below; with the leaf in reach of both ends there can be none. */
    boolean isChain() {
      return size() <= group || (holds(leaf) && leaf - from < group && to - 1 - leaf < group);
    }

    private boolean isFirst() {
      return !holds(leaf) || leaf - from >= group;
    }

    int member(int index) {
      if (isChain() && holds(leaf)) {
        int place = size() - 1 - index;
        return leaf + place < to ? leaf + place : to - 1 - place;
      }
      return isFirst() ? from + index : to - 1 - index;
    }

    int indexOf(int node) {
      if (isChain() && holds(leaf)) {
        return size() - 1 - (node >= leaf ? node - leaf : to - 1 - node);
      }
      int index = isFirst() ? node - from : to - 1 - node;
      return isChain() || index < group ? index : NONE;
    }

    int after(int index) {
      if (isChain()) {
        return index + 1 < size() ? member(index + 1) : NONE;
      }
      return index + 1 < group ? member(index + 1) : down().member(0);
    }

    int rightHead() {
      return isChain() || rightSize() == 0 ? NONE : right().member(0);
    }

    private int downSize() {
      return (int) Math.min(size() - group, reach[budget - group]);
    }

    int rightSize() {
      return size() - group - downSize();
    }

    Subtree down() {
      return part(downSize(), group > 1, budget - group);
    }

    Subtree right() {
      return part(rightSize(), group == 1, budget - group - 1);
    }

    /** The part of so many nodes next to the group, or the one at the far end of the run. */
    private Subtree part(int nodes, boolean near, int rounds) {
      int start = isFirst() ? (near ? from + group : to - nodes) : near ? to - group - nodes : from;
      return new Subtree(start, start + nodes, rounds);
    }
  }
}
