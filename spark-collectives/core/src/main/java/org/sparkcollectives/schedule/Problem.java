package org.sparkcollectives.schedule;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule is asked for: a collective over {@code size} ranks and vectors of {@code blocks}
 * blocks.
 *
 * @param collective the operation
 * @param size p, the number of ranks, at least 1
 * @param root the root's rank, 0 to {@code size - 1}; 0 for a collective without root
 * @param blocks how many blocks a vector is split into, at least 1
 * @param ordered whether operands must be combined in rank order, as an operator that is
 *     associative but not commutative needs; false for a collective that combines none
 * @param topology which ranks share a host, and which hosts a rack
 * @param parts for each rank the number of blocks of its part, where parts differ in length and the
 *     collective divides the vector; empty where parts have nearly as many blocks each
 */
public record Problem(
    Collective collective,
    int size,
    int root,
    int blocks,
    boolean ordered,
    Topology topology,
    List<Integer> parts) {

  /**
   * Checks the ranges of all numbers. There is no order where nothing is combined.
   *
   * @param collective the operation
   * @param size p, the number of ranks, at least 1
   * @param root the root's rank, 0 to {@code size - 1}; 0 for a collective without root
   * @param blocks how many blocks a vector is split into, at least 1
   * @param ordered whether operands must be combined in rank order, as an operator that is
   *     associative but not commutative needs
   * @param topology which ranks share a host, and which hosts a rack
   * @param parts for each rank the number of blocks of its part, or empty
   */
  public Problem {
    ordered &= collective.reducing();
    parts = List.copyOf(parts);
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
    if (!parts.isEmpty()) {
      checkParts(size, blocks, parts);
    }
  }

  private static void checkParts(int size, int blocks, List<Integer> parts) {
    long sum = 0;
    for (int part : parts) {
      if (part < 0) {
        throw new IllegalArgumentException("a part has 0 blocks or more, not " + part);
      }
      sum += part;
    }
    if (parts.size() != size || sum != blocks) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d parts of %d blocks are given for %d ranks and %d blocks",
              parts.size(),
              sum,
              size,
              blocks));
    }
  }

  /**
   * A problem whose parts, if its collective divides the vector, have nearly as many blocks each.
   *
   * @param collective the operation
   * @param size p, the number of ranks, at least 1
   * @param root the root's rank, 0 to {@code size - 1}; 0 for a collective without root
   * @param blocks how many blocks a vector is split into, at least 1
   * @param ordered whether operands must be combined in rank order
   * @param topology which ranks share a host, and which hosts a rack
   */
  public Problem(
      Collective collective, int size, int root, int blocks, boolean ordered, Topology topology) {
    this(collective, size, root, blocks, ordered, topology, List.of());
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
   * The same problem in other blocks, of which parts have nearly as many each.
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
   * @param value which ranks share a host, and which hosts a rack
   * @return the problem
   */
  public Problem on(Topology value) {
    return new Problem(collective, size, root, blocks, ordered, value, parts);
  }

  /**
   * The same problem with parts of different lengths.
   *
   * @param value for each rank the number of blocks of its part; their sum is the number of blocks
   * @return the problem
   */
  public Problem withParts(List<Integer> value) {
    int sum = value.stream().mapToInt(Integer::intValue).sum();
    return new Problem(collective, size, root, sum, ordered, topology, value);
  }

  @Override
  public String toString() {
    String text =
        String.format(
            Locale.ROOT,
            "Problem[collective=%s, size=%d, root=%d, blocks=%d, ordered=%s, topology=%s",
            collective,
            size,
            root,
            blocks,
            ordered,
            topology);
    return text + (parts.isEmpty() ? "]" : ", parts=" + parts + "]");
  }

  /** By hand, as {@link #hashCode}: both are asked for in the first operation. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Problem that
        && collective == that.collective
        && size == that.size
        && root == that.root
        && blocks == that.blocks
        && ordered == that.ordered
        && topology.equals(that.topology)
        && parts.equals(that.parts);
  }

  /** Of what differs most. */
  @Override
  public int hashCode() {
    int hash = 31 * (31 * collective.code() + size) + root;
    return 31 * (31 * hash + blocks) + topology.hashCode();
  }
}
