package org.sparkcollectives.internal.shape;

import java.util.function.IntUnaryOperator;

/**
 * Ranks 0 to p - 1 on hosts, every host with a run of consecutive ranks.
 *
 * @param size p, the number of ranks
 * @param hosts the number of hosts, 1 to p
 * @param firstRank the first rank of a host; grows with hosts
 * @param hostOf the host of a rank
 */
public record HostRuns(int size, int hosts, IntUnaryOperator firstRank, IntUnaryOperator hostOf) {

  /**
   * The first rank of a host.
   *
   * @param host a host, 0 to {@code hosts - 1}
   * @return a rank
   */
  public int first(int host) {
    return firstRank.applyAsInt(host);
  }

  /**
   * The last rank of a host.
   *
   * @param host a host, 0 to {@code hosts - 1}
   * @return a rank
   */
  public int last(int host) {
    return (host + 1 < hosts ? first(host + 1) : size) - 1;
  }

  /**
   * The number of a host's ranks.
   *
   * @param host a host, 0 to {@code hosts - 1}
   * @return 1 or more
   */
  public int length(int host) {
    return last(host) - first(host) + 1;
  }

  /**
   * The host of a rank.
   *
   * @param rank a rank
   * @return a host, 0 to {@code hosts - 1}
   */
  public int host(int rank) {
    return hostOf.applyAsInt(rank);
  }

  /**
   * Whether every rank has a host of its own.
   *
   * @return true for as many hosts as ranks
   */
  public boolean isFlat() {
    return hosts == size;
  }
}
