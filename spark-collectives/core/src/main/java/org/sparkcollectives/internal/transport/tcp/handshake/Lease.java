package org.sparkcollectives.internal.transport.tcp.handshake;

/**
 * The exclusive use of a connection by two ranks of a communicator.
 *
 * @param communicator the communicator
 * @param epoch its epoch
 * @param from the dialing rank, the lower one
 * @param to the accepting rank
 */
public record Lease(long communicator, int epoch, int from, int to) {
  @Override
  public String toString() {
    return "communicator "
        + communicator
        + ", epoch "
        + epoch
        + ", rank "
        + from
        + " to rank "
        + to;
  }
}
