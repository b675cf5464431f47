package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.LinkErrors;
import org.sparkcollectives.internal.transport.memory.SharedRings;
import org.sparkcollectives.internal.transport.memory.Waiter;
import org.sparkcollectives.transport.Peer;

/**
 * Opens the links from a rank to higher ranks, on the rank's thread: takes a pooled connection or
 * dials, authenticates, and leases it. All waiting is in slices, so that a deadline, a cancellation
 * or an interrupt ends it; whatever fails leaves no socket behind.
 */
final class Dialer {
  private final Wiring wiring;
  private final Waiter waiter;
  private final Selector selector;
  private final byte[] token;
  private final String node;

  Dialer(Wiring wiring, Waiter waiter, Selector selector, byte[] token, String node) {
    this.wiring = wiring;
    this.waiter = waiter;
    this.selector = selector;
    this.token = token;
    this.node = node;
  }

  /** A failure of the socket or of what came over it, as opposed to one of this rank. */
  private static final class Remote extends IOException {
    private static final long serialVersionUID = 1L;

    Remote(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** One attempt: a socket registered with the rank's selector, and the frames it delivers. */
  private record Attempt(Peer peer, Connection connection, SelectionKey key, Frames frames) {}

  /**
   * Opens and leases a connection.
   *
   * @param peer to whom
   * @param lease for what
   * @param patience how long
   * @return the key of the leased connection in the selector, without interest; the connection is
   *     attached
   * @throws IOException if the peer cannot be reached or refuses, or this rank is interrupted
   */
  SelectionKey open(Peer peer, Lease lease, Patience patience) throws IOException {
    Connection pooled = wiring.pool().take(peer.endpoint());
    if (pooled != null) {
      SelectionKey key = reuse(pooled, peer, lease, patience);
      if (key != null) {
        wiring.counters().reused();
        return key;
      }
    }
    Attempt attempt = connect(peer, patience);
    try {
      authenticate(attempt, lease, patience);
      SelectionKey key = leased(attempt, lease);
      wiring.counters().dialed();
      return key;
    } catch (Remote failed) {
      attempt.connection().close();
      throw LinkErrors.handshake(
          peer.toString(), attempt.connection().remote(), String.valueOf(failed.getMessage()));
    } catch (IOException | RuntimeException e) {
      attempt.connection().close();
      throw e;
    }
  }

  private @Nullable SelectionKey reuse(Connection pooled, Peer peer, Lease lease, Patience patience)
      throws IOException {
    try {
      Attempt attempt = register(pooled, peer, 0);
      send(attempt, WireFormat.lease(lease), patience);
      ByteBuffer answer = receive(attempt, patience, WireFormat.ANSWER);
      accepted(attempt, answer);
      return leased(attempt, lease);
    } catch (Remote dead) {
      pooled.close();
      return null;
    } catch (IOException | RuntimeException e) {
      pooled.close();
      throw e;
    }
  }

  private static SelectionKey leased(Attempt attempt, Lease lease) {
    attempt.connection().lease(lease);
    attempt.key().interestOps(0);
    return attempt.key();
  }

  private Attempt connect(Peer peer, Patience patience) throws IOException {
    InetAddress[] addresses;
    try {
      addresses = InetAddress.getAllByName(peer.host());
    } catch (UnknownHostException e) {
      throw LinkErrors.unreachable(peer.toString(), place(peer.host(), peer.port()), e);
    }
    IOException failure = null;
    for (int i = 0; i < addresses.length; i++) {
      InetSocketAddress address = new InetSocketAddress(addresses[i], peer.port());
      long share = patience.deadline().remainingNanos() / (addresses.length - i);
      boolean last = i == addresses.length - 1;
      try {
        return connect(peer, address, patience, last ? Long.MAX_VALUE : share);
      } catch (Remote e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
    throw LinkErrors.unreachable(
        peer.toString(),
        place(peer.host(), peer.port()),
        cause == null ? new UnknownHostException(peer.host()) : cause);
  }

  private Attempt connect(Peer peer, InetSocketAddress address, Patience patience, long shareNanos)
      throws IOException {
    long start = System.nanoTime();
    String remote = place(address.getAddress().getHostAddress(), address.getPort());
    Connection connection;
    try {
      connection =
          new Connection(SocketChannel.open(), remote, wiring.options(), wiring.counters());
    } catch (IOException e) {
      throw new Remote(e);
    }
    try {
      Attempt attempt = register(connection, peer, SelectionKey.OP_CONNECT);
      boolean connected = begin(connection.channel(), address);
      while (!connected) {
        long slice = patience.slice();
        if (System.nanoTime() - start > shareNanos) {
          throw new Remote(new IOException("no answer from " + remote));
        }
        waiter.await(null, null, slice);
        connected = finish(connection.channel());
      }
      return attempt;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static boolean begin(SocketChannel channel, InetSocketAddress address) throws Remote {
    try {
      return channel.connect(address);
    } catch (IOException e) {
      throw new Remote(e);
    }
  }

  private static boolean finish(SocketChannel channel) throws Remote {
    try {
      return channel.finishConnect();
    } catch (IOException e) {
      throw new Remote(e);
    }
  }

  private Attempt register(Connection connection, Peer peer, int operations) throws IOException {
    try {
      SelectionKey key = connection.channel().register(selector, operations, connection);
      return new Attempt(peer, connection, key, new Frames());
    } catch (IOException e) {
      throw new Remote(e);
    }
  }

  private void authenticate(Attempt attempt, Lease lease, Patience patience) throws IOException {
    ByteBuffer hello = Handshake.hello(attempt.peer().endpoint());
    send(attempt, hello.duplicate(), patience);
    ByteBuffer challenge = receive(attempt, patience, WireFormat.CHALLENGE, WireFormat.ANSWER);
    if (challenge.get(WireFormat.TYPE_OFFSET) == WireFormat.ANSWER) {
      throw refused(attempt, WireFormat.answer(challenge));
    }
    if (!Handshake.provesAcceptor(token, hello, challenge)) {
      throw refused(attempt, Answer.TOKEN);
    }
    ByteBuffer proof = Handshake.proof(token, hello, challenge);
    SharedRings rings = offer(attempt.peer());
    try {
      ByteBuffer frames =
          ByteBuffer.allocate(
              WireFormat.PROOF_BYTES + WireFormat.SHARE_BYTES + WireFormat.LEASE_BYTES);
      frames.put(proof);
      if (rings != null) {
        frames.put(WireFormat.share(rings.name()));
      }
      send(attempt, frames.put(WireFormat.lease(lease)).flip(), patience);
      ByteBuffer answer = receive(attempt, patience, WireFormat.ANSWER);
      accepted(attempt, answer);
      if (rings != null && WireFormat.isShared(answer)) {
        attempt.connection().share(rings);
        wiring.counters().shared();
      } else if (rings != null) {
        wiring.counters().notShared();
      }
    } finally {
      if (rings != null && !rings.unlink()) {
        wiring.counters().closeFailed();
      }
    }
  }

  /** Memory to share with a peer on this host; null where there is none. */
  private @Nullable SharedRings offer(Peer peer) {
    String folder = wiring.options().sharedMemory();
    if (folder.isEmpty() || !peer.node().equals(node)) {
      return null;
    }
    try {
      return SharedRings.create(Path.of(folder), wiring.options().ringBytes());
    } catch (IOException full) {
      wiring.counters().notShared(); // the socket carries the bytes then
      return null;
    }
  }

  private static void accepted(Attempt attempt, ByteBuffer frame) throws IOException {
    Answer answer = WireFormat.answer(frame);
    if (answer != Answer.ACCEPTED) {
      throw refused(attempt, answer);
    }
  }

  private static IOException refused(Attempt attempt, Answer answer) {
    String peer = attempt.peer().toString();
    String address = attempt.connection().remote();
    return answer.isAboutLease()
        ? LinkErrors.refused(peer, address, answer.reason())
        : LinkErrors.handshake(peer, address, answer.reason());
  }

  private void send(Attempt attempt, ByteBuffer frame, Patience patience) throws IOException {
    while (true) {
      try {
        attempt.connection().channel().write(frame);
      } catch (IOException e) {
        throw new Remote(e);
      }
      if (!frame.hasRemaining()) {
        return;
      }
      attempt.key().interestOps(SelectionKey.OP_WRITE);
      waiter.await(null, null, patience.slice());
    }
  }

  private ByteBuffer receive(Attempt attempt, Patience patience, byte... types) throws IOException {
    attempt.key().interestOps(SelectionKey.OP_READ);
    while (true) {
      ByteBuffer frame;
      try {
        frame = attempt.frames().read(attempt.connection(), types);
      } catch (IOException e) {
        throw new Remote(e);
      }
      if (frame != null) {
        return frame;
      }
      waiter.await(null, null, patience.slice());
    }
  }

  private static String place(String host, int port) {
    return host + " port " + port;
  }
}
