package org.sparkcollectives.internal.transport.tcp.handshake;

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
