package org.sparkcollectives.transport;

import java.util.Arrays;
import java.util.List;

/**
 * Who takes part in a communicator: what the rendezvous answers to every rank.
 *
 * @param communicator the communicator's identity, unique in the application
 * @param epoch counts attempts of the same work; ranks of different epochs never talk
 * @param token the application's 256-bit secret
 * @param peers all ranks in rank order
 */
@SuppressWarnings("ArrayRecordComponent") // equality is defined below; the array is the secret
public record Roster(long communicator, int epoch, byte[] token, List<Peer> peers) {

  /**
   * Copies the list.
   *
   * @param communicator the communicator's identity, unique in the application
   * @param epoch counts attempts of the same work; ranks of different epochs never talk
   * @param token the application's 256-bit secret
   * @param peers all ranks in rank order
   */
  public Roster {
    peers = List.copyOf(peers);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Roster that
        && communicator == that.communicator
        && epoch == that.epoch
        && Arrays.equals(token, that.token)
        && peers.equals(that.peers);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(communicator) * 31 + epoch;
  }

  /** Names the communicator without its secret. */
  @Override
  public String toString() {
    return "communicator " + communicator + ", epoch " + epoch + ", " + peers.size() + " ranks";
  }
}
