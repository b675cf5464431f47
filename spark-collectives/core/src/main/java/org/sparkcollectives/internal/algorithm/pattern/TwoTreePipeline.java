package org.sparkcollectives.internal.algorithm.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.BlockRange;

/**
 * When each block crosses each edge of two trees. Tree 0 carries the first half of the blocks, tree
 * 1 the second half; of an odd number tree 0, whose blocks start one round earlier, carries one
 * more. Rounds of the broadcast direction (down) count from the entry of the first block into tree
 * 0's root; the reduction (up) is the same in reverse, first block first. Source: Sanders, Speck,
 * Träff 2009 (doi:10.1016/j.parco.2009.09.001), Sections 4.1 and 4.2.
 *
 * @param trees the two trees
 * @param blocks the number of blocks, at least 1
 * @param rankOf the rank of a node; that of {@link TwoTrees#NONE} is the one rank outside the trees
 *     that feeds, or drains, both
 */
public record TwoTreePipeline(TwoTrees trees, int blocks, IntUnaryOperator rankOf) {
  /**
   * The {@linkplain TwoTrees#withSlack slack} with which ranks execute pipelines: with more they
   * are hardly faster, whatever the network.
   */
  public static final int SLACK = 2;

  /**
   * An edge of one tree.
   *
   * @param tree 0 or 1
   * @param parent the upper node, {@link TwoTrees#NONE} for the rank outside
   * @param child the lower node
   * @param arrival when the broadcast's first block crosses the edge
   */
  public record Edge(int tree, int parent, int child, int arrival) {}

  /**
   * The edges to a node's parents.
   *
   * @param node a node, or {@link TwoTrees#NONE} for the rank outside, which has none
   * @return an edge of each tree, with the rank outside as the parent of a root
   */
  public List<Edge> above(int node) {
    List<Edge> edges = new ArrayList<>(2);
    if (node != TwoTrees.NONE) {
      for (int tree = 0; tree <= 1; tree++) {
        edges.add(new Edge(tree, trees.parent(tree, node), node, trees.arrival(tree, node)));
      }
    }
    return edges;
  }

  /**
   * The edges to a node's children.
   *
   * @param node a node, or {@link TwoTrees#NONE} for the rank outside
   * @return the edges in both trees, left before right; the roots' for the rank outside
   */
  public List<Edge> below(int node) {
    List<Edge> edges = new ArrayList<>(2);
    for (int tree = 0; tree <= 1; tree++) {
      if (node == TwoTrees.NONE) {
        addBelow(edges, tree, node, trees.root(tree));
      } else {
        addBelow(edges, tree, node, trees.left(tree, node));
        addBelow(edges, tree, node, trees.right(tree, node));
      }
    }
    return edges;
  }

  private void addBelow(List<Edge> edges, int tree, int node, int child) {
    if (child != TwoTrees.NONE) {
      edges.add(new Edge(tree, node, child, trees.arrival(tree, child)));
    }
  }

  /**
   * How many blocks a tree carries.
   *
   * @param tree 0 or 1
   * @return half of the blocks, rounded up for tree 0 and down for tree 1
   */
  public int count(int tree) {
    return (blocks + 1 - tree) / 2;
  }

  /**
   * A block that a tree carries.
   *
   * @param tree 0 or 1
   * @param index 0 to {@code count(tree) - 1}
   * @return the range of that block
   */
  public BlockRange block(int tree, int index) {
    return BlockRange.of(tree == 0 ? index : count(0) + index);
  }

  /**
   * The number of rounds of one direction, from or to the rank outside the trees.
   *
   * @return the number of rounds
   */
  public int rounds() {
    int latest = trees.latestArrival();
    return Math.max(end(0, latest), end(1, latest + 1));
  }

  /**
   * The round after the last block's arrival at a node.
   *
   * @param tree 0 or 1
   * @param arrival the first block's arrival, or {@link TwoTrees#NONE} if there is no such node
   * @return the number of rounds from round 0 on, 0 if nothing arrives
   */
  public int end(int tree, int arrival) {
    int count = count(tree);
    return count == 0 || arrival == TwoTrees.NONE ? 0 : arrival + 2 * count - 1;
  }

  /**
   * The round in which the reduction's first block of a tree crosses an edge.
   *
   * @param tree 0 or 1
   * @param arrival the edge's arrival in the broadcast
   * @param rounds the number of rounds of the reduction
   * @return a round; block number i crosses 2i rounds later
   */
  public int departure(int tree, int arrival, int rounds) {
    return rounds - end(tree, arrival);
  }

  /**
   * The first round of the reduction in which the rank outside receives: all later rounds bring it
   * a block, but at most one of them.
   *
   * @return a round
   */
  public int firstDelivery() {
    int rounds = rounds();
    int first = departure(0, trees.arrival(0, trees.root(0)), rounds);
    return count(1) == 0
        ? first
        : Math.min(first, departure(1, trees.arrival(1, trees.root(1)), rounds));
  }

  /**
   * Enters one rank's part of the broadcast of the outside rank's vector, first blocks first.
   *
   * @param builder takes the rounds
   * @param node the rank's node, or {@link TwoTrees#NONE} for the rank outside
   * @param at the place of each of the {@link #rounds()} rounds in the schedule, growing
   */
  public void broadcast(ScheduleBuilder builder, int node, IntUnaryOperator at) {
    broadcast(builder, above(node), below(node), at);
  }

  /**
   * Enters one rank's part of the broadcast of what a {@link #reduce} before it has brought to the
   * outside rank: each tree's last blocks, which come last, go first. So nobody sends down while
   * others still send up.
   *
   * @param builder takes the rounds
   * @param node the rank's node, or {@link TwoTrees#NONE} for the rank outside
   * @param at the place of each of the {@link #rounds()} rounds in the schedule, growing
   */
  public void broadcastReduced(ScheduleBuilder builder, int node, IntUnaryOperator at) {
    broadcastReduced(builder, above(node), below(node), at);
  }

  /** The broadcast along edges of one rank, which may have been put in between others. */
  void broadcast(ScheduleBuilder builder, List<Edge> above, List<Edge> below, IntUnaryOperator at) {
    broadcast(builder, above, below, at, this::block);
  }

  /** The broadcast of what a reduction has brought, along edges of one rank. */
  void broadcastReduced(
      ScheduleBuilder builder, List<Edge> above, List<Edge> below, IntUnaryOperator at) {
    broadcast(builder, above, below, at, (tree, index) -> block(tree, count(tree) - 1 - index));
  }

  private void broadcast(
      ScheduleBuilder builder,
      List<Edge> above,
      List<Edge> below,
      IntUnaryOperator at,
      Blocks blocksOf) {
    for (Edge edge : above) {
      int peer = rankOf.applyAsInt(edge.parent());
      for (int i = 0; i < count(edge.tree()); i++) {
        int round = at.applyAsInt(edge.arrival() + 2 * i);
        builder.receive(round, peer, ScheduleBuilder.VECTOR, blocksOf.of(edge.tree(), i));
      }
    }
    for (Edge edge : below) {
      int peer = rankOf.applyAsInt(edge.child());
      for (int i = 0; i < count(edge.tree()); i++) {
        int round = at.applyAsInt(edge.arrival() + 2 * i);
        builder.send(round, peer, ScheduleBuilder.VECTOR, blocksOf.of(edge.tree(), i));
      }
    }
  }

  /** Which block of a tree crosses an edge as which. */
  private interface Blocks {
    BlockRange of(int tree, int index);
  }

  /**
   * Enters one rank's part of the reduction of all vectors into the outside rank's. In rank order
   * if the trees are in order, ranks grow with nodes and the outside rank is below or above all.
   *
   * @param builder takes the rounds
   * @param node the rank's node, or {@link TwoTrees#NONE} for the rank outside
   * @param at the place of each of the {@link #rounds()} rounds in the schedule, growing
   */
  public void reduce(ScheduleBuilder builder, int node, IntUnaryOperator at) {
    reduce(builder, above(node), below(node), rounds(), at);
  }

  /** The reduction along edges of one rank in so many rounds. */
  void reduce(
      ScheduleBuilder builder,
      List<Edge> above,
      List<Edge> below,
      int rounds,
      IntUnaryOperator at) {
    for (Edge edge : below) {
      int peer = rankOf.applyAsInt(edge.child());
      int first = departure(edge.tree(), edge.arrival(), rounds);
      for (int i = 0; i < count(edge.tree()); i++) {
        builder.receiveInOrder(at.applyAsInt(first + 2 * i), peer, block(edge.tree(), i));
      }
    }
    for (Edge edge : above) {
      int peer = rankOf.applyAsInt(edge.parent());
      int first = departure(edge.tree(), edge.arrival(), rounds);
      for (int i = 0; i < count(edge.tree()); i++) {
        int round = at.applyAsInt(first + 2 * i);
        builder.send(round, peer, ScheduleBuilder.VECTOR, block(edge.tree(), i));
      }
    }
  }
}
