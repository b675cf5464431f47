package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.FrameReader;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.internal.transport.tcp.lease.Connection;

/** An inbound connection that no rank uses: in the handshake, idle, or on its way back to idle. */
final class Inbound {
  /** What the acceptor waits for. */
  enum State {
    /** The first frame. */
    HELLO,
    /** This process to learn the token. */
    TOKEN,
    /** The caller's proof. */
    PROOF,
    /** A lease. */
    LEASE,
    /** Room to say that the last lease is over. */
    RETURNING
  }

  private final Connection connection;
  private final SelectionKey key;
  private final FrameReader frames = new FrameReader();
  private State state;
  private long sinceNanos = System.nanoTime();

  /** What HELLO took of the time for the handshake, kept while the token is unknown. */
  private long spentNanos;

  private Sealing.@Nullable Share share;
  private ByteBuffer hello = ByteBuffer.allocate(0);
  private ByteBuffer challenge = ByteBuffer.allocate(0);
  private byte[] token = new byte[0];
  private ByteBuffer outgoing = ByteBuffer.allocate(0);

  private Inbound(Connection connection, State state, Selector selector) throws IOException {
    this.connection = connection;
    this.state = state;
    boolean writes = state == State.RETURNING;
    Channel channel = connection.channel();
    this.key = channel.register(selector, channel.operations(!writes, writes), this);
  }

  /** A connection that has just come. */
  static Inbound fresh(Connection connection, Selector selector) throws IOException {
    return new Inbound(connection, State.HELLO, selector);
  }

  /** A connection whose lease is over; its frame about that is not written yet. */
  static Inbound returning(Connection connection, Lease last, Selector selector)
      throws IOException {
    Inbound inbound = new Inbound(connection, State.RETURNING, selector);
    inbound.outgoing = WireFormat.returned(last);
    return inbound;
  }

  Connection connection() {
    return connection;
  }

  State state() {
    return state;
  }

  boolean isAuthenticated() {
    return state == State.LEASE || state == State.RETURNING;
  }

  /** Whether part of a frame has come. */
  boolean isInFrame() {
    return !frames.isAtStart();
  }

  /**
   * Whether its state has lasted longer than the settings allow. One that has been leased ends with
   * its dialer, who alone knows when nothing is under way any more.
   */
  boolean isLate(EndpointOptions options, long nowNanos) {
    long allowed =
        switch (state) {
          case HELLO, PROOF -> options.handshakeTimeout().toNanos();
          case TOKEN -> options.parkTimeout().toNanos();
          case LEASE ->
              connection.lease() == null ? options.idleTimeout().toNanos() : Long.MAX_VALUE;
          case RETURNING -> Long.MAX_VALUE;
        };
    return nowNanos - sinceNanos > allowed;
  }

  /**
   * Reads on.
   *
   * @param types the types of frames that may come
   * @return the frame once it is whole, else null
   * @throws IOException as {@link FrameReader#read}
   */
  @Nullable ByteBuffer read(byte... types) throws IOException {
    return frames.read(connection.channel(), connection.hasDoorbells(), types);
  }

  /** Keeps the first frame until the token is known. */
  void greeted(ByteBuffer frame) {
    hello = frame;
    spentNanos = System.nanoTime() - sinceNanos;
    enter(State.TOKEN);
  }

  /** Sends the challenge; the caller's proof comes next. */
  void challenge(byte[] secret, Sealing sealing) throws IOException {
    Sealing.Share own = sealing.share();
    share = own;
    token = secret;
    challenge = Handshake.challenge(secret, hello, own.told());
    write(challenge.duplicate());
    state = State.PROOF;
    sinceNanos = System.nanoTime() - spentNanos; // which stood still while the token was unknown
  }

  /**
   * Whether the caller has proved that it holds the token of now, if that is still the one that the
   * challenge was made with.
   */
  boolean isProvedBy(ByteBuffer proof, byte[] secret) {
    return MessageDigest.isEqual(token, secret)
        && Handshake.provesDialer(token, hello, challenge, proof);
  }

  /** The caller has proved itself; what comes next goes through a seal. */
  void authenticated() throws IOException {
    Sealing.Share own = share;
    if (own == null) {
      throw new IllegalStateException("a proof before a challenge");
    }
    share = null;
    connection.authenticated(token);
    connection.channel(
        own.seal(
            connection.channel(),
            false,
            WireFormat.sealShare(hello),
            Handshake.secrets(token, hello, challenge)));
  }

  /** Waits for a lease from now on. */
  void idle() {
    enter(State.LEASE);
    key.interestOps(connection.channel().operations(true, false));
  }

  /**
   * Writes what is left of the frame that ends a lease.
   *
   * @return true once it is written
   * @throws IOException if the socket failed
   */
  boolean flush() throws IOException {
    Channel channel = connection.channel();
    channel.write(outgoing);
    return channel.flush() && !outgoing.hasRemaining();
  }

  /**
   * Writes a frame to a connection that holds nothing back.
   *
   * @param frame the frame
   * @throws IOException if the socket failed or takes only a part
   */
  void write(ByteBuffer frame) throws IOException {
    Channel channel = connection.channel();
    int taken = channel.write(frame);
    while (taken > 0 && frame.hasRemaining()) {
      taken = channel.write(frame);
    }
    if (!channel.flush() || frame.hasRemaining()) {
      throw new IOException("the socket takes no frame of " + frame.limit() + " bytes");
    }
  }

  /** Leaves the acceptor's selector; the connection stays open. */
  void detach() {
    key.cancel();
  }

  private void enter(State next) {
    state = next;
    sinceNanos = System.nanoTime();
  }
}
