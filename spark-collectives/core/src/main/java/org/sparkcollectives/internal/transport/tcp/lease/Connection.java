package org.sparkcollectives.internal.transport.tcp.lease;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.Carrier;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;

/** A connection of an endpoint, counted from its opening to its close. */
public final class Connection {
  private volatile Channel channel;
  private final TransportCounters counters;
  private final String remote;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /** The token that an inbound connection was authenticated with. */
  private volatile byte @Nullable [] token;

  /** The lease that runs, or ran last. */
  private volatile @Nullable Lease lease;

  /** How many connections the two ranks of the lease have. */
  private volatile int stripes = 1;

  /** What has come of the frame that ends the lease, where this side dialed. */
  private final ByteBuffer returned = ByteBuffer.allocate(WireFormat.RETURNED_BYTES);

  /** What carries its bytes, or null where the socket does. */
  private volatile @Nullable Carrier carrier;

  /**
   * Takes a channel over.
   *
   * @param channel the channel
   * @param remote the other side's address, for messages
   * @param counters where it is counted
   */
  public Connection(Channel channel, String remote, TransportCounters counters) {
    this.channel = channel;
    this.counters = counters;
    this.remote = remote;
    counters.opened();
  }

  /**
   * Its bytes.
   *
   * @return the channel to use now
   */
  public Channel channel() {
    return channel;
  }

  /**
   * Uses another channel from now on, which stands upon the one before.
   *
   * @param upon the channel
   */
  public void channel(Channel upon) {
    channel = upon;
  }

  /**
   * The other side's address.
   *
   * @return a text for messages
   */
  public String remote() {
    return remote;
  }

  /**
   * The lease that runs, or ran last.
   *
   * @return the lease, or null if there has been none
   */
  public @Nullable Lease lease() {
    return lease;
  }

  /**
   * Begins a lease.
   *
   * @param next the lease
   * @param together how many connections its two ranks have, this one among them
   */
  public void lease(Lease next, int together) {
    stripes = together;
    lease = next;
    returned.clear();
  }

  /**
   * How many connections the two ranks of the lease have. Where a carrier has the bytes there is no
   * need of more than one.
   *
   * @return 1 or more
   */
  public int stripes() {
    return carrier == null ? stripes : 1;
  }

  /**
   * What has come of the frame that ends the lease; for the rank, and after it for the pool.
   *
   * @return a buffer of the frame's size
   */
  public ByteBuffer returned() {
    return returned;
  }

  /**
   * What carries its bytes.
   *
   * @return the carrier, or null where the socket does
   */
  public @Nullable Carrier carrier() {
    return carrier;
  }

  /**
   * Has a carrier for its bytes from now on, and rings doorbells on the socket.
   *
   * @param agreed the carrier
   */
  public void carrier(Carrier agreed) {
    carrier = agreed;
  }

  /**
   * Whether zeros may come before a frame, which have woken a rank.
   *
   * @return true where a carrier has the bytes
   */
  public boolean hasDoorbells() {
    return carrier != null;
  }

  /** How many connections of its kind are kept where so many may be. */
  int maxIdle(int most) {
    Carrier agreed = carrier;
    return agreed == null ? most * stripes : Math.min(agreed.maxIdle(), most);
  }

  /** Whether the carrier holds what the other rank wrote and the one here has not read. */
  boolean hasUnread() {
    Carrier agreed = carrier;
    return agreed != null && agreed.hasUnread();
  }

  /** Whether nothing that was written here or there is left unread by its rank. */
  boolean isEmpty() {
    Carrier agreed = carrier;
    return agreed == null || agreed.isEmpty();
  }

  /**
   * Notes that the other side has proved itself.
   *
   * @param secret the token that it holds
   */
  public void authenticated(byte[] secret) {
    token = secret;
  }

  /**
   * Whether it was authenticated with a token.
   *
   * @param secret the token
   * @return true if it was with this one
   */
  public boolean isOf(byte[] secret) {
    byte[] proved = token;
    return proved != null && MessageDigest.isEqual(proved, secret);
  }

  /** Closes the socket; a failure of that leaves nothing to do. Idempotent, for any thread. */
  public void close() {
    if (open.getAndSet(false)) {
      counters.closed();
      try {
        channel.close();
      } catch (IOException | RuntimeException | Error e) { // others are not to stay open with it
        counters.closeFailed();
      }
    }
  }
}
