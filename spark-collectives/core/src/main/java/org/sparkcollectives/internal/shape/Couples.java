package org.sparkcollectives.internal.shape;

import static org.sparkcollectives.internal.shape.TwoTrees.NONE;

/**
 * Two members, 0 and 1, for each node of {@link TwoTrees}: in every round of a pipeline along the
 * trees one member works on the edge to a parent and the other one on the edge to a child, so that
 * one sends while the other receives, or conversely. Member 0 works on the edge to the left child,
 * member 1 on the one to the right child; in order, the left subtree, member 0, member 1 and the
 * right subtree follow each other. Source: Sanders, Speck, Träff 2009, Section 5.2; the share of
 * work is not in the paper.
 *
 * @param trees trees of an even number of nodes
 */
public record Couples(TwoTrees trees) {

  /**
   * Couples of an even number.
   *
   * @param trees trees of an even number of nodes
   */
  public Couples {
    if (trees.size() % 2 != 0) {
      throw new IllegalArgumentException("couples are of an even number, not " + trees.size());
    }
  }

  /**
   * The member that works on the edge to the parent over which blocks come in rounds of a parity.
   * Takes O(log size).
   *
   * @param node a node
   * @param arrival any of those rounds, counted as by {@link TwoTrees#arrival}
   * @return 0 or 1
   */
  public int upper(int node, int arrival) {
    return (arrival - leftRound(node)) % 2 == 0 ? 1 : 0;
  }

  /**
   * The member that works on an edge to a child over which blocks go in rounds of a parity.
   *
   * @param node a node
   * @param arrival any of those rounds
   * @return 0 or 1
   */
  public int lower(int node, int arrival) {
    return 1 - upper(node, arrival);
  }

  /** A round in which member 0 works on the edge to the left child, or could. */
  private int leftRound(int node) {
    for (int tree = 0; tree <= 1; tree++) {
      int left = trees.left(tree, node);
      int right = trees.right(tree, node);
      if (left != NONE) {
        return trees.arrival(tree, left);
      }
      if (right != NONE) {
        return trees.arrival(tree, right) + 1;
      }
    }
    return 0;
  }
}
