package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.BinomialTree;
import org.sparkcollectives.schedule.BlockRange;

/**
 * A broadcast and a reduction of whole vectors along a binomial tree, in as many rounds as it has
 * levels. Source: Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Sections 4.2 and
 * 4.5.
 *
 * @param tree the tree
 * @param blocks all blocks of the vector
 */
public record BinomialRounds(BinomialTree tree, BlockRange blocks) {

  /**
   * Enters one node's part of the broadcast from the tree's root: the top level comes first.
   *
   * @param builder takes the rounds
   * @param node the node
   * @param rankOf the rank of a node
   * @param first the number of the first round
   */
  public void broadcast(ScheduleBuilder builder, int node, IntUnaryOperator rankOf, int first) {
    int last = first + tree.levels() - 1;
    int top = tree.parentLevel(node);
    if (top < tree.levels()) {
      int parent = rankOf.applyAsInt(tree.partner(node, top));
      builder.receive(last - top, parent, VECTOR, blocks);
    }
    for (int level = top - 1; level >= 0; level--) {
      int child = tree.partner(node, level);
      if (child != BinomialTree.NONE) {
        builder.send(last - level, rankOf.applyAsInt(child), VECTOR, blocks);
      }
    }
  }

  /**
   * Enters one node's part of the reduction to the tree's root: level 0 comes first. Rank order is
   * kept where nodes are ranks.
   *
   * @param builder takes the rounds, from round 0
   * @param node the node
   * @param rankOf the rank of a node
   */
  public void reduce(ScheduleBuilder builder, int node, IntUnaryOperator rankOf) {
    int top = tree.parentLevel(node);
    for (int level = 0; level < top; level++) {
      int child = tree.partner(node, level);
      if (child != BinomialTree.NONE) {
        builder.receiveInOrder(level, rankOf.applyAsInt(child), blocks);
      }
    }
    if (top < tree.levels()) {
      builder.send(top, rankOf.applyAsInt(tree.partner(node, top)), VECTOR, blocks);
    }
  }
}
