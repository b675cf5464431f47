package org.sparkcollectives.internal.transport;

import java.util.Arrays;
import java.util.List;

/**
 * Who takes part in a communicator: what the rendezvous answers to every rank.
 *
 * @param communicator the communicator's identity, unique in the application
 * @param epoch counts attempts of the same work; ranks of different epochs never talk
 * @param token the application's 256-bit secret
 * @param peers all ranks in rank order
 * @param connections how many connections two ranks have to each other where they share no memory,
 *     1 to {@link #MOST_CONNECTIONS}; of two ranks, the lower one's roster counts
 */
@SuppressWarnings("ArrayRecordComponent") // equality is defined below; the array is the secret
public record Roster(
    long communicator, int epoch, byte[] token, List<Peer> peers, int connections) {

  /** The most connections that two ranks may have to each other. */
  public static final int MOST_CONNECTIONS = 64;

  /**
   * Copies the list.
   *
   * @param communicator the communicator's identity, unique in the application
   * @param epoch counts attempts of the same work; ranks of different epochs never talk
   * @param token the application's 256-bit secret
   * @param peers all ranks in rank order
   * @param connections how many connections two ranks have to each other where they share no
   *     memory, 1 to {@link #MOST_CONNECTIONS}; of two ranks, the lower one's roster counts
   * @throws IllegalArgumentException if the number of connections is out of range
   */
  public Roster {
    if (connections < 1 || connections > MOST_CONNECTIONS) {
      throw new IllegalArgumentException(
          "two ranks have 1 to " + MOST_CONNECTIONS + " connections, not " + connections);
    }
    peers = List.copyOf(peers);
  }

  /**
   * Who takes part, two ranks with one connection to each other.
   *
   * @param communicator the communicator's identity, unique in the application
   * @param epoch counts attempts of the same work; ranks of different epochs never talk
   * @param token the application's 256-bit secret
   * @param peers all ranks in rank order
   */
  public Roster(long communicator, int epoch, byte[] token, List<Peer> peers) {
    this(communicator, epoch, token, peers, 1);
  }

  /**
   * What the ranks belong to.
   *
   * @return the communicator in this epoch
   */
  public CommunicatorEpoch communicatorEpoch() {
    return new CommunicatorEpoch(communicator, epoch);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Roster that
        && communicator == that.communicator
        && epoch == that.epoch
        && Arrays.equals(token, that.token)
        && peers.equals(that.peers)
        && connections == that.connections;
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
