package org.sparkcollectives.internal.transport.tcp;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.sparkcollectives.transport.Link;

/** A leased connection as a link. */
abstract class SocketLink implements Link {
  /** The peer's name, for messages. */
  final String peerName;

  /** The socket, which never blocks. */
  final SocketChannel channel;

  private final int peer;
  private final Connection connection;
  private final SelectionKey key;

  SocketLink(int peer, String peerName, Connection connection, SelectionKey key) {
    this.peer = peer;
    this.peerName = peerName;
    this.connection = connection;
    this.channel = connection.channel();
    this.key = key;
  }

  @Override
  public final int peer() {
    return peer;
  }

  final Connection connection() {
    return connection;
  }

  /** Sets what the transport's selector waits for on this link. */
  final void interest(int operations) {
    key.interestOps(operations);
  }

  /** What the selector waits for when there is no room. */
  abstract int roomInterest();

  /**
   * Prepares for a wait.
   *
   * @param forBytes whether it is for bytes to read
   * @param forRoom whether it is for room to write
   * @return whether there is reason to wait
   */
  abstract boolean beforeWait(boolean forBytes, boolean forRoom);

  /**
   * Takes note of what ended a wait on this link.
   *
   * @param slept whether there was a wait at all
   */
  abstract void afterWait(boolean slept);
}
