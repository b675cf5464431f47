package org.sparkcollectives.internal.shape;

/**
 * The {@link BinomialTree} over nodes 0 to {@code length - 1} with root 0, in which every answer is
 * a formula: the child of a node at level k is {@code 2^k} further on, and its children are on the
 * lowest levels.
 *
 * @param length the number of nodes, at least 1
 */
public record RunTree(int length) {

  /**
   * The number of levels.
   *
   * @return ceil(log2 length)
   */
  public int levels() {
    return Powers.ceilLog2(length);
  }

  /**
   * The level of the edge to the parent.
   *
   * @param node a node that has one
   * @return a level below {@link #levels()}
   */
  public int level(int node) {
    return Integer.numberOfTrailingZeros(node);
  }

  /**
   * The parent.
   *
   * @param node a node
   * @return a node, 0 for the root
   */
  public int parent(int node) {
    return node - Integer.lowestOneBit(node);
  }

  /**
   * How many children a node has.
   *
   * @param node a node
   * @return a number, of one child on each of so many lowest levels
   */
  public int children(int node) {
    return Math.min(node == 0 ? levels() : level(node), Powers.ceilLog2(length - node));
  }

  /**
   * A child.
   *
   * @param node a node
   * @param level a level below the number of its {@link #children}
   * @return a node
   */
  public int child(int node, int level) {
    return node + (1 << level);
  }

  /**
   * Where a node's subtree, which begins with it, ends.
   *
   * @param node a node
   * @return the node after the subtree's last one
   */
  public int end(int node) {
    return node == 0 ? length : Math.min(length, node + Integer.lowestOneBit(node));
  }
}
