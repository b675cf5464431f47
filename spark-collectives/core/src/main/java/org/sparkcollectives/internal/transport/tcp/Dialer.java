package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.WaitBudget;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;
import org.sparkcollectives.internal.transport.tcp.channel.PlainChannel;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.FrameReader;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.internal.transport.tcp.lease.Connection;

/**
 * Opens the links from a rank to higher ranks, on the rank's thread: takes a pooled connection or
 * dials, authenticates, and leases it. All waiting is in slices, so that a deadline, a cancellation
 * or an interrupt ends it; whatever fails leaves no socket behind.
 */
final class Dialer {
  private static final int MOST_DIALS = 20;
  private static final int MOST_DOUBLINGS = 7;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long another address may take to be reached when one has been that of somebody else. */
  private static final long OTHER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TcpContext context;
  private final LinkProvider.Rank rank;

  /** How many connections this rank has to another. */
  private final int stripes;

  private final Selector selector;
  private final Peer self;
  private final byte[] token;

  Dialer(TcpContext context, LinkProvider.Rank rank, Selector selector) {
    this.context = context;
    this.rank = rank;
    this.selector = selector;
    this.self = rank.roster().peers().get(rank.rank());
    this.token = rank.roster().token();
    this.stripes = rank.roster().connections();
  }

  /** A failure of the socket or of what came over it, as opposed to one of this rank. */
  private static final class Remote extends IOException {
    private static final long serialVersionUID = 1L;

    Remote(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Who was reached has not shown to be the peer, which may have another address. */
  private static final class Unproved extends Exception {
    private static final long serialVersionUID = 1L;

    private final IOException told;

    /**
     * Whether it ended the connection without a word, as a peer does that is called by too many at
     * once: nothing is lost by another one.
     */
    private final boolean cutOff;

    Unproved(IOException told, boolean cutOff) {
      super(told);
      this.told = told;
      this.cutOff = cutOff;
    }

    /** The one of two, of two addresses, after which another dial may succeed; else this one. */
    Unproved or(Unproved next) {
      boolean later = next.cutOff && !cutOff;
      Unproved kept = later ? next : this;
      CauseChain.suppress(kept.told, later ? told : next.told);
      return kept;
    }
  }

  /** One attempt: a socket registered with the rank's selector, and the frames it delivers. */
  private record Attempt(Peer peer, Connection connection, SelectionKey key, FrameReader frames) {}

  /**
   * Opens and leases a connection.
   *
   * @param peer to whom
   * @param lease for what
   * @param budget how long
   * @return the leased connection, registered with the selector without interest
   * @throws IOException if the peer cannot be reached or refuses, or this rank is interrupted
   */
  LeasedChannel open(Peer peer, Lease lease, WaitBudget budget) throws IOException {
    Connection pooled = context.pool().take(peer.endpoint());
    if (pooled != null) {
      LeasedChannel reused = reuse(pooled, peer, lease, budget);
      if (reused != null) {
        context.counters().reused();
        return reused;
      }
    }
    for (int dials = 1; ; dials++) {
      try {
        return dial(peer, lease, budget);
      } catch (Unproved unproved) {
        if (!unproved.cutOff || dials == MOST_DIALS) {
          throw unproved.told;
        }
        pause(dials, budget);
      }
    }
  }

  /** Lets some time pass, another for each rank, so that those cut off do not come back at once. */
  private void pause(int dials, WaitBudget budget) throws IOException {
    long most = FIRST_PAUSE_NANOS << Math.min(dials, MOST_DOUBLINGS);
    long end = System.nanoTime() + ThreadLocalRandom.current().nextLong(most);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      rank.await(Math.min(budget.slice(), left));
    }
  }

  /** Dials the addresses of a peer in turn, until one is the peer's. */
  private LeasedChannel dial(Peer peer, Lease lease, WaitBudget budget)
      throws IOException, Unproved {
    InetAddress[] addresses = addresses(peer, budget);
    IOException unreached = null;
    Unproved unproved = null;
    for (int i = 0; i < addresses.length; i++) {
      InetSocketAddress address = new InetSocketAddress(addresses[i], peer.port());
      long share = budget.deadline().remainingNanos() / (addresses.length - i);
      boolean last = i == addresses.length - 1;
      long most = unproved != null ? OTHER_NANOS : last ? Long.MAX_VALUE : share;
      try {
        return meet(connect(peer, address, budget, most), lease, budget);
      } catch (Remote e) {
        if (unreached != null) {
          e.addSuppressed(unreached);
        }
        unreached = e;
      } catch (Unproved e) {
        unproved = unproved == null ? e : unproved.or(e);
      }
    }
    if (unproved != null) {
      if (unreached != null) {
        unproved.told.addSuppressed(unreached);
      }
      throw unproved;
    }
    Throwable cause = unreached == null ? null : unreached.getCause();
    throw TcpErrors.unreachable(
        peer.toString(),
        place(peer.host(), peer.port()),
        cause == null ? new UnknownHostException(peer.host()) : cause);
  }

  private LeasedChannel meet(Attempt attempt, Lease lease, WaitBudget budget)
      throws IOException, Unproved {
    String peer = attempt.peer().toString();
    String remote = attempt.connection().remote();
    Exchange exchange = null;
    try {
      exchange = call(attempt, budget);
      authenticate(attempt, exchange, lease, budget);
      LeasedChannel leased = leased(attempt, lease);
      context.counters().dialed();
      return leased;
    } catch (Remote failed) {
      attempt.connection().close();
      Throwable cause = failed.getCause();
      IOException told =
          TcpErrors.handshake(peer, remote, String.valueOf(failed.getMessage()), cause);
      if (exchange == null) {
        throw new Unproved(told, !(cause instanceof FrameReader.BadFrame));
      }
      throw told;
    } catch (IOException | Unproved | RuntimeException | Error e) {
      attempt.connection().close();
      throw e;
    }
  }

  private @Nullable LeasedChannel reuse(
      Connection pooled, Peer peer, Lease lease, WaitBudget budget) throws IOException {
    try {
      Attempt attempt = register(pooled, peer, 0);
      send(attempt, WireFormat.lease(lease, stripes), budget);
      ByteBuffer answer = receive(attempt, budget, WireFormat.ANSWER);
      accepted(attempt, answer);
      return leased(attempt, lease);
    } catch (Remote dead) {
      pooled.close();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      pooled.close();
      throw e;
    }
  }

  private LeasedChannel leased(Attempt attempt, Lease lease) {
    attempt.connection().lease(lease, stripes);
    attempt.key().interestOps(0);
    return new LeasedChannel(attempt.connection(), attempt.key());
  }

  private InetAddress[] addresses(Peer peer, WaitBudget budget) throws IOException {
    try {
      return context.lookup().addresses(peer.host(), rank, budget);
    } catch (UnknownHostException e) {
      throw TcpErrors.unreachable(peer.toString(), place(peer.host(), peer.port()), e);
    }
  }

  private Attempt connect(Peer peer, InetSocketAddress address, WaitBudget budget, long shareNanos)
      throws IOException {
    long start = System.nanoTime();
    String remote = place(address.getAddress().getHostAddress(), address.getPort());
    PlainChannel channel = channel(peer, remote);
    Connection connection = new Connection(channel, remote, context.counters());
    try {
      Attempt attempt = register(connection, peer, SelectionKey.OP_CONNECT);
      boolean connected = begin(channel, address);
      while (!connected) {
        long slice = budget.slice();
        if (System.nanoTime() - start > shareNanos) {
          throw new Remote(new IOException("no answer from " + remote));
        }
        rank.await(slice);
        connected = finish(channel);
      }
      return attempt;
    } catch (IOException | RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  private PlainChannel channel(Peer peer, String remote) throws IOException {
    EndpointOptions options = context.options();
    try {
      return PlainChannel.open(options.sendBufferBytes(), options.receiveBufferBytes());
    } catch (IOException e) {
      throw TcpErrors.noSocket(peer.toString(), remote, e);
    }
  }

  private static boolean begin(PlainChannel channel, InetSocketAddress address) throws Remote {
    try {
      return channel.connect(address);
    } catch (IOException e) {
      throw new Remote(e);
    }
  }

  private static boolean finish(PlainChannel channel) throws Remote {
    try {
      return channel.finishConnect();
    } catch (IOException e) {
      throw new Remote(e);
    }
  }

  private Attempt register(Connection connection, Peer peer, int operations) throws IOException {
    try {
      SelectionKey key = connection.channel().register(selector, operations, connection);
      return new Attempt(peer, connection, key, new FrameReader());
    } catch (IOException e) {
      throw new Remote(e);
    }
  }

  /** What was said before the proofs. */
  private record Exchange(Sealing.Share share, ByteBuffer hello, ByteBuffer challenge) {}

  private Exchange call(Attempt attempt, WaitBudget budget) throws IOException, Unproved {
    Sealing sealing = context.sealing();
    Sealing.Share share = sealing.share();
    ByteBuffer hello = Handshake.hello(attempt.peer().endpoint(), sealing.code(), share.told());
    send(attempt, hello.duplicate(), budget);
    ByteBuffer challenge = receive(attempt, budget, WireFormat.CHALLENGE, WireFormat.ANSWER);
    if (WireFormat.type(challenge) == WireFormat.ANSWER) {
      AnswerCode answer = WireFormat.answer(challenge);
      IOException told = refused(attempt, answer);
      if (answer == AnswerCode.ENDPOINT) {
        throw new Unproved(told, false);
      }
      throw told;
    }
    return new Exchange(share, hello, challenge);
  }

  private void authenticate(Attempt attempt, Exchange exchange, Lease lease, WaitBudget budget)
      throws IOException {
    ByteBuffer hello = exchange.hello();
    ByteBuffer challenge = exchange.challenge();
    if (!Handshake.provesAcceptor(token, hello, challenge)) {
      throw refused(attempt, AnswerCode.TOKEN);
    }
    send(attempt, Handshake.proof(token, hello, challenge), budget);
    Connection connection = attempt.connection();
    connection.channel(
        exchange
            .share()
            .seal(
                connection.channel(),
                true,
                WireFormat.sealShare(challenge),
                Handshake.secrets(token, hello, challenge)));
    agree(attempt, lease, budget);
  }

  /** Leases a new connection, and offers a carrier for its bytes. */
  private void agree(Attempt attempt, Lease lease, WaitBudget budget) throws IOException {
    CarrierProvider.Offer offer = offer(attempt.peer());
    try {
      ByteBuffer frames = ByteBuffer.allocate(WireFormat.SHARE_BYTES + WireFormat.LEASE_BYTES);
      if (offer != null) {
        frames.put(WireFormat.share(offer.name()));
      }
      send(attempt, frames.put(WireFormat.lease(lease, stripes)).flip(), budget);
      ByteBuffer answer = receive(attempt, budget, WireFormat.ANSWER);
      accepted(attempt, answer);
      if (offer != null && WireFormat.isShared(answer)) {
        attempt.connection().carrier(offer);
        context.counters().shared();
      } else if (offer != null) {
        context.counters().notShared();
      }
    } finally {
      if (offer != null && !offer.withdraw()) {
        context.counters().closeFailed();
      }
    }
  }

  /** A carrier to share with a peer; null where there is none. */
  private CarrierProvider.@Nullable Offer offer(Peer peer) {
    try {
      return context.carriers().offer(self, peer);
    } catch (IOException full) {
      context.counters().notShared(); // the socket carries the bytes then
      return null;
    }
  }

  private static void accepted(Attempt attempt, ByteBuffer frame) throws IOException {
    AnswerCode answer = WireFormat.answer(frame);
    if (answer != AnswerCode.ACCEPTED) {
      throw refused(attempt, answer);
    }
  }

  private static IOException refused(Attempt attempt, AnswerCode answer) {
    String peer = attempt.peer().toString();
    String address = attempt.connection().remote();
    return answer.isAboutLease()
        ? TcpErrors.refused(peer, address, answer.reason())
        : TcpErrors.handshake(peer, address, answer.reason(), null);
  }

  private void send(Attempt attempt, ByteBuffer frame, WaitBudget budget) throws IOException {
    Channel channel = attempt.connection().channel();
    while (true) {
      try {
        channel.write(frame);
        if (channel.flush() && !frame.hasRemaining()) {
          return;
        }
      } catch (IOException e) {
        throw new Remote(e);
      }
      attempt.key().interestOps(channel.operations(false, true));
      rank.await(budget.slice());
    }
  }

  private ByteBuffer receive(Attempt attempt, WaitBudget budget, byte... types) throws IOException {
    Connection connection = attempt.connection();
    while (true) {
      ByteBuffer frame;
      try {
        frame = attempt.frames().read(connection.channel(), connection.hasDoorbells(), types);
      } catch (IOException e) {
        throw new Remote(e);
      }
      if (frame != null) {
        return frame;
      }
      attempt.key().interestOps(connection.channel().operations(true, false));
      rank.await(budget.slice());
    }
  }

  private static String place(String host, int port) {
    return host + " port " + port;
  }
}
