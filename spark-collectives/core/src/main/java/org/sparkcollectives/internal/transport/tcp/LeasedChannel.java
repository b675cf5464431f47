package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.sparkcollectives.internal.transport.Carrier;
import org.sparkcollectives.internal.transport.Doorbell;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;
import org.sparkcollectives.internal.transport.tcp.handshake.FrameReader;
import org.sparkcollectives.internal.transport.tcp.lease.Connection;

/**
 * A connection while two ranks lease it, registered with the selector of the one at this end. Where
 * a carrier has the bytes, it carries doorbells, zero bytes that wake a rank that sleeps, and
 * behind them the frame that ends the lease.
 */
final class LeasedChannel implements Doorbell {
  private final Connection connection;
  private final Channel channel;
  private final SelectionKey key;
  private final ByteBuffer bell = ByteBuffer.allocateDirect(1);
  private int watched;

  /**
   * Makes the connection's part in a lease.
   *
   * @param connection the connection
   * @param key its key in the rank's selector, without interest
   */
  LeasedChannel(Connection connection, SelectionKey key) {
    this.connection = connection;
    this.channel = connection.channel();
    this.key = key;
  }

  /** The link of the lease. */
  WaitableLink link(int peer, String peerName) {
    Carrier carrier = connection.carrier();
    if (carrier == null) {
      return new TcpLink(peer, peerName, this);
    }
    WaitableLink link = carrier.link(peer, peerName, this);
    if (channel.hasInput()) { // taken from the socket together with the frame before
      link.resume(true);
    }
    return link;
  }

  Connection connection() {
    return connection;
  }

  Channel channel() {
    return channel;
  }

  /** Sets what of the socket ends a wait in the rank's selector. */
  void watch(boolean forInput, boolean forRoom) {
    int operations = channel.operations(forInput, forRoom);
    if (operations != watched) {
      key.interestOps(operations);
      watched = operations;
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void ring() throws IOException {
    channel.write(bell.clear());
    channel.flush(); // what is held back all the same stands behind others that the peer hears
  }

  @Override
  public boolean heard() throws IOException {
    ByteBuffer returned = connection.returned();
    int count = channel.read(returned);
    int bells = 0;
    while (FrameReader.dropDoorbells(returned)) {
      if (++bells == FrameReader.MOST_BELL_READS) {
        return true; // the next wait ends at once, and hears the others
      }
      count = channel.read(returned);
    }
    return count >= 0 && returned.position() == 0;
  }

  @Override
  public void watch(boolean bells) {
    watch(bells, false);
  }
}
