package org.sparkcollectives.internal.shape;

/**
 * A hypercube of {@code 2^dimensions} nodes and the edge-disjoint spanning binomial trees in it,
 * one for each dimension, all for messages from node 0. Tree c begins with the edge from node 0
 * along dimension c and goes on along the dimensions c + 1, c + 2 … in a circle, from all nodes but
 * 0 that it has reached; last come the edges along dimension c to the nodes that do not differ from
 * 0 in it. Source: Johnsson, Ho 1989; Sanders, Speck, Träff 2009, Section 2.
 *
 * <p>For dimension q and a node v other than 0, exactly one tree has an edge from v along q to
 * another node than 0: {@link #tree}.
 *
 * @param dimensions the number of dimensions, at least 1
 */
public record Hypercube(int dimensions) {

  /**
   * The neighbour in a dimension.
   *
   * @param node a node
   * @param dimension 0 to {@code dimensions - 1}
   * @return the node that differs in this bit
   */
  public int neighbour(int node, int dimension) {
    return node ^ (1 << dimension);
  }

  /**
   * The tree that uses the edge from a node along a dimension.
   *
   * @param node a node other than 0
   * @param dimension 0 to {@code dimensions - 1}
   * @return the first dimension from this one on, in a circle, in which the node differs from 0
   */
  public int tree(int node, int dimension) {
    int rotated = node >>> dimension | (node & ((1 << dimension) - 1)) << (dimensions - dimension);
    return (dimension + Integer.numberOfTrailingZeros(rotated)) % dimensions;
  }

  /**
   * How many rounds after its first edge a tree uses the edges from a node along a dimension, if
   * each round belongs to the next dimension.
   *
   * @param node a node other than 0
   * @param dimension 0 to {@code dimensions - 1}
   * @return 1 to the number of dimensions
   */
  public int delay(int node, int dimension) {
    int tree = tree(node, dimension);
    return tree < dimension ? dimension - tree : dimension - tree + dimensions;
  }
}
