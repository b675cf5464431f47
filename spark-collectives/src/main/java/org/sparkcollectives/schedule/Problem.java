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
 */
public record Problem(Collective collective, int size, int root, int blocks, boolean ordered) {

  /**
   * Checks the ranges of all numbers.
   *
   * @param collective the operation
   * @param size p, the number of ranks, at least 1
   * @param root the root's rank, 0 to {@code size - 1}; 0 for a collective without root
   * @param blocks how many blocks a vector is split into, at least 1
   * @param ordered whether operands must be combined in rank order, as an operator that is
   *     associative but not commutative needs
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
  }
}
