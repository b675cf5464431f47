package org.sparkcollectives.internal.transport.tcp.handshake;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.CommunicatorEpoch;

/**
 * The exclusive use of a connection by two ranks of a communicator. Where they have several at
 * once, their bytes go over these in stripes.
 *
 * @param communicator the communicator
 * @param epoch its epoch
 * @param from the dialing rank, the lower one
 * @param to the accepting rank
 * @param stripe which of their connections it is; 0 for the first
 */
public record Lease(long communicator, int epoch, int from, int to, int stripe) {

  /**
   * The first or only connection of two ranks.
   *
   * @param communicator the communicator
   * @param epoch its epoch
   * @param from the dialing rank, the lower one
   * @param to the accepting rank
   */
  public Lease(long communicator, int epoch, int from, int to) {
    this(communicator, epoch, from, to, 0);
  }

  /**
   * What its ranks belong to.
   *
   * @return the communicator in the lease's epoch
   */
  public CommunicatorEpoch communicatorEpoch() {
    return new CommunicatorEpoch(communicator, epoch);
  }

  /** By hand, as {@link #hashCode}: a process's first connection is found by it. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Lease that
        && communicator == that.communicator
        && epoch == that.epoch
        && from == that.from
        && to == that.to
        && stripe == that.stripe;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * (31 * Long.hashCode(communicator) + epoch) + from) + to) + stripe;
  }

  @Override
  public String toString() {
    return "communicator "
        + communicator
        + ", epoch "
        + epoch
        + ", rank "
        + from
        + " to rank "
        + to
        + (stripe == 0 ? "" : ", stripe " + stripe);
  }
}
