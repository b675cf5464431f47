package org.sparkcollectives.internal.algorithm.pattern;

import org.sparkcollectives.internal.shape.Powers;

/**
 * A binomial tree over 0 to {@code length - 1} with root 0 in which every subtree is a run: the
 * child of a node at level k is {@code 2^k} further on.
 *
 * @param length the number of nodes, at least 1
 */
record RunTree(int length) {

  int levels() {
    return Powers.ceilLog2(length);
  }

  /** The level of the edge to the parent, of a node that has one. */
  int level(int node) {
    return Integer.numberOfTrailingZeros(node);
  }

  /** The parent, or 0 for the root. */
  int parent(int node) {
    return node - Integer.lowestOneBit(node);
  }

  /** How many children a node has, one on each of the lowest levels. */
  int children(int node) {
    return Math.min(node == 0 ? levels() : level(node), Powers.ceilLog2(length - node));
  }

  int child(int node, int level) {
    return node + (1 << level);
  }

  /** The node after the last one of a node's subtree. */
  int end(int node) {
    return node == 0 ? length : Math.min(length, node + Integer.lowestOneBit(node));
  }
}
