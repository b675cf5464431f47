package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.memory.SharedRings;

/** A socket of an endpoint, counted from its opening to its close; never in blocking mode. */
final class Connection {
  private final SocketChannel channel;
  private final Counters counters;
  private final String remote;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /** The token that an inbound connection was authenticated with. */
  private volatile byte @Nullable [] token;

  /** The lease that runs, or ran last. */
  private volatile @Nullable Lease lease;

  /** What has come of the frame that ends the lease, where this side dialed. */
  private final ByteBuffer returned = ByteBuffer.allocate(WireFormat.RETURNED_BYTES);

  /** The memory that carries its bytes, or null where the socket does. */
  private volatile @Nullable SharedRings rings;

  /**
   * Takes a channel over; closes it if that fails.
   *
   * @param channel the channel
   * @param remote the other side's address, for messages
   * @param options buffer sizes
   * @param counters where it is counted
   * @throws IOException if the socket refuses an option
   */
  Connection(SocketChannel channel, String remote, EndpointOptions options, Counters counters)
      throws IOException {
    this.channel = channel;
    this.counters = counters;
    this.remote = remote;
    counters.opened();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      if (options.sendBufferBytes() > 0) {
        channel.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBufferBytes());
      }
      if (options.receiveBufferBytes() > 0) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBufferBytes());
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  SocketChannel channel() {
    return channel;
  }

  String remote() {
    return remote;
  }

  @Nullable Lease lease() {
    return lease;
  }

  void lease(Lease next) {
    lease = next;
    returned.clear();
  }

  /** What has come of the frame that ends the lease; for the rank, and after it for the pool. */
  ByteBuffer returned() {
    return returned;
  }

  @Nullable SharedRings rings() {
    return rings;
  }

  /** Carries bytes through memory from now on. */
  void share(SharedRings memory) {
    rings = memory;
  }

  void authenticated(byte[] secret) {
    token = secret;
  }

  /** Whether it was authenticated with a token. */
  boolean isOf(byte[] secret) {
    byte[] proved = token;
    return proved != null && MessageDigest.isEqual(proved, secret);
  }

  /** Closes the socket; a failure of that leaves nothing to do. Idempotent, for any thread. */
  void close() {
    if (open.getAndSet(false)) {
      counters.closed();
      try {
        channel.close();
      } catch (IOException e) {
        counters.closeFailed();
      }
    }
  }
}
