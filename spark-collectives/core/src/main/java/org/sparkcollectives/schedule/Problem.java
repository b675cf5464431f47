package org.sparkcollectives.schedule;

/**
 * What a schedule is asked for: a collective over {@code size} ranks and vectors of {@code blocks}
 * blocks.
 *
 * @param collective the operation
 * @param size p, the number of ranks, at least 1
 * @param root the root's rank, 0 to {@code size - 1}; 0 for a collective without root
 * @param blocks how many blocks a vector is split into, at least 1
 * @param ordered whether operands must be combined in rank order, as an operator that is
 *     associative but not commutative needs
 * @param topology which ranks share a host
 */
public record Problem(
    Collective collective, int size, int root, int blocks, boolean ordered, Topology topology) {

  /**
   * Checks the ranges of all numbers.
   *
   * @param collective the operation
   * @param size p, the number of ranks, at least 1
   * @param root the root's rank, 0 to {@code size - 1}; 0 for a collective without root
   * @param blocks how many blocks a vector is split into, at least 1
   * @param ordered whether operands must be combined in rank order, as an operator that is
   *     associative but not commutative needs
   * @param topology which ranks share a host
   */
  public Problem {
    if (size < 1) {
      throw new IllegalArgumentException("a collective needs at least 1 rank, not " + size);
    }
    if (root < 0 || root >= size) {
      throw new IllegalArgumentException(
          "root " + root + " is no rank of 0 to " + (size - 1) + " (" + size + " ranks)");
    }
    if (root != 0 && !collective.rooted()) {
      throw new IllegalArgumentException(
          collective + " has no root, but root " + root + " is given");
    }
    if (blocks < 1) {
      throw new IllegalArgumentException("a vector has at least 1 block, not " + blocks);
    }
    if (!topology.isFlat() && topology.size() != size) {
      throw new IllegalArgumentException(
          "the topology is one of " + topology.size() + " ranks, not of " + size);
    }
  }

  /**
   * A problem of ranks that have a host each.
   *
   * @param collective the operation
   * @param size p, the number of ranks, at least 1
   * @param root the root's rank, 0 to {@code size - 1}; 0 for a collective without root
   * @param blocks how many blocks a vector is split into, at least 1
   * @param ordered whether operands must be combined in rank order
   */
  public Problem(Collective collective, int size, int root, int blocks, boolean ordered) {
    this(collective, size, root, blocks, ordered, Topology.FLAT);
  }

  /**
   * The same problem in other blocks.
   *
   * @param value how many blocks a vector is split into, at least 1
   * @return the problem
   */
  public Problem withBlocks(int value) {
    return new Problem(collective, size, root, value, ordered, topology);
  }

  /**
   * The same problem on other hosts.
   *
   * @param value which ranks share a host
   * @return the problem
   */
  public Problem on(Topology value) {
    return new Problem(collective, size, root, blocks, ordered, value);
  }
}
