package org.sparkcollectives.select;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * An operation for which an algorithm is to be chosen.
 *
 * @param collective the operation
 * @param size p, the number of ranks
 * @param root the root, 0 where there is none
 * @param ordered whether operands must stay in rank order; false for a collective without any
 * @param units how many parts a vector can be split into at most
 * @param bytes the vector's size; in an alltoall of what all ranks send to all
 * @param operator the operator's name for messages, or null
 * @param topology which ranks share a host, and which hosts a rack
 * @param counts for each rank how many of the units are its part, where that differs in an
 *     allgather or reduce_scatter; else empty
 */
public record Request(
    Collective collective,
    int size,
    int root,
    boolean ordered,
    int units,
    long bytes,
    @Nullable String operator,
    Topology topology,
    List<Integer> counts) {

  /**
   * Checks the numbers and copies the list, which it leaves out if all counts are the same. There
   * is no order where nothing is combined.
   *
   * @param collective the operation
   * @param size p, the number of ranks, at least 1
   * @param root the root, 0 where there is none
   * @param ordered whether operands must stay in rank order
   * @param units how many parts a vector can be split into at most
   * @param bytes the vector's size; in an alltoall of what all ranks send to all
   * @param operator the operator's name for messages, or null
   * @param topology which ranks share a host, and which hosts a rack
   * @param counts for each rank how many of the units are its part, or empty
   * @throws InvalidInputException if there are no ranks, or units or bytes are negative
   * @throws IllegalArgumentException if there are counts, but not one for each rank, or they are
   *     not the units, or the collective is another one
   */
  public Request {
    InvalidInputException.requireAtLeast("the number of ranks", size, 1);
    InvalidInputException.requireAtLeast("the number of units", units, 0);
    requireBytes(bytes);
    ordered &= collective.reducing();
    if (!counts.isEmpty()) {
      checkCounts(collective, size, units, counts);
      counts = counts.stream().distinct().count() == 1 ? List.of() : List.copyOf(counts);
    }
  }

  private static void requireBytes(long bytes) {
    InvalidInputException.requireAtLeast("the number of bytes", bytes, 0);
  }

  private static void checkCounts(
      Collective collective, int size, int units, List<Integer> counts) {
    boolean divided = collective.divided() && !collective.rooted();
    long sum = counts.stream().mapToLong(Integer::longValue).sum();
    if (!divided || counts.size() != size || sum != units) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d counts of %d units are given for %s of %d ranks and %d units",
              counts.size(),
              sum,
              collective,
              size,
              units));
    }
  }

  /**
   * An operation whose parts, if ranks have such, are equal.
   *
   * @param collective the operation
   * @param size p, the number of ranks
   * @param root the root, 0 where there is none
   * @param ordered whether operands must stay in rank order
   * @param units how many parts a vector can be split into at most
   * @param bytes the vector's size; in an alltoall of what all ranks send to all
   * @param operator the operator's name for messages, or null
   * @param topology which ranks share a host, and which hosts a rack
   * @throws InvalidInputException if there are no ranks, or units or bytes are negative
   */
  public Request(
      Collective collective,
      int size,
      int root,
      boolean ordered,
      int units,
      long bytes,
      @Nullable String operator,
      Topology topology) {
    this(collective, size, root, ordered, units, bytes, operator, topology, List.of());
  }

  /**
   * An operation over any vector of bytes.
   *
   * @param collective the operation
   * @param size p, the number of ranks
   * @param bytes the vector's size; in an alltoall of what a rank sends to all
   * @param ordered whether operands must stay in rank order
   * @param topology which ranks share a host, and which hosts a rack
   * @return the request, with root 0
   * @throws InvalidInputException if there are no ranks, or the bytes are negative, or those of all
   *     ranks too many to be counted
   */
  public static Request of(
      Collective collective, int size, long bytes, boolean ordered, Topology topology) {
    requireBytes(bytes);
    int units = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / Double.BYTES));
    int senders = collective == Collective.ALLTOALL ? size : 1;
    if (bytes > Long.MAX_VALUE / Math.max(1, senders)) {
      throw InvalidInputException.of(
          "an alltoall of " + bytes + " bytes from each of " + size + " ranks has no price",
          "all of them send more than 2^63 bytes",
          "ask for fewer");
    }
    long all = senders * bytes;
    return new Request(collective, size, 0, ordered, units, all, null, topology);
  }

  /**
   * The same with parts of different lengths.
   *
   * @param value for each rank how many of the units are its part, or empty for equal parts
   * @return the request
   */
  public Request withCounts(List<Integer> value) {
    return new Request(collective, size, root, ordered, units, bytes, operator, topology, value);
  }

  /**
   * The problem that schedules solve, of parts with as many blocks each.
   *
   * @param blocks how many blocks a vector is split into
   * @return the problem
   */
  public Problem problem(int blocks) {
    return new Problem(collective, size, root, blocks, ordered, topology);
  }

  /**
   * The size that people name: of the vector, in an alltoall of what one rank sends to all.
   *
   * @return bytes; the mean where ranks send different amounts
   */
  public long vectorBytes() {
    return collective == Collective.ALLTOALL ? bytes / size : bytes;
  }

  /** By hand, as {@link #hashCode}: both are asked for in the first operation. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Request that
        && collective == that.collective
        && size == that.size
        && root == that.root
        && ordered == that.ordered
        && units == that.units
        && bytes == that.bytes
        && Objects.equals(operator, that.operator)
        && topology.equals(that.topology)
        && counts.equals(that.counts);
  }

  /** Of what differs most. */
  @Override
  public int hashCode() {
    int hash = 31 * (31 * collective.code() + size) + root;
    return 31 * (31 * (31 * hash + units) + Long.hashCode(bytes)) + topology.hashCode();
  }
}
