package org.sparkcollectives.internal.transport.tcp;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.security.MessageDigest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.BrokenSeal;
import org.sparkcollectives.internal.transport.tcp.channel.PlainChannel;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.FrameReader;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.internal.transport.tcp.lease.Connection;

/**
 * The thread of an endpoint: it accepts connections, authenticates them, and keeps them while no
 * rank uses them. It never reads a communicator's bytes.
 */
final class Acceptor implements Runnable {
  private static final long BUSY_TICK_MILLIS = 50;
  private static final long TICK_MILLIS = 500;

  /** How long the thread waits before it tries again what has failed. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How often on end it may fail before it gives up: for some seconds. */
  private static final int MOST_FAILURES = 100;

  /** How many connections are accepted before those that have said something are heard again. */
  private static final int MOST_ACCEPTS = 64;

  private final TcpContext context;
  private final EndpointOptions options;
  private final TransportCounters counters;
  private final Rejections rejections;
  private final ServerSocketChannel server;
  private final Selector selector;
  private final SelectionKey serverKey;
  private final Queue<Connection> returned = new ConcurrentLinkedQueue<>();

  private final Callers callers;

  private volatile byte @Nullable [] token;
  private volatile boolean tokenChanged;
  private volatile boolean stopping;
  private boolean acceptPaused;
  private long resumeAcceptNanos;
  private long lastExpiryNanos = System.nanoTime();

  /**
   * Takes over a bound socket.
   *
   * @param server the socket
   * @param context what it shares with the ranks
   * @throws IOException if there is no selector to be had
   */
  Acceptor(ServerSocketChannel server, TcpContext context) throws IOException {
    this.context = context;
    this.options = context.options();
    this.counters = context.counters();
    this.rejections = new Rejections(counters);
    this.callers = new Callers(options);
    this.server = server;
    server.configureBlocking(false);
    this.selector = Selector.open();
    this.serverKey = server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /**
   * Learns the token; connections that waited for it go on, unused ones of another token end.
   *
   * @param secret the token
   * @return true if it replaced another one
   */
  synchronized boolean adopt(byte[] secret) {
    byte[] known = token;
    if (known != null && MessageDigest.isEqual(known, secret)) {
      return false;
    }
    token = secret.clone();
    tokenChanged = true;
    selector.wakeup();
    return known != null;
  }

  /** Takes a connection back whose lease is over; registered with no selector. For any thread. */
  void giveBack(Connection connection) {
    returned.add(connection);
    if (stopping) {
      closeReturned();
    } else {
      selector.wakeup();
    }
  }

  /** Makes the thread end; it closes what it holds. */
  void stop() {
    stopping = true;
    selector.wakeup();
  }

  /** Whether it accepts nothing any more: it is to stop, or has failed. */
  boolean isStopping() {
    return stopping;
  }

  int pending() {
    return callers.pending();
  }

  int idle() {
    return callers.leasable();
  }

  @Override
  public void run() {
    int failures = 0;
    try {
      while (!stopping) {
        try {
          serve();
          failures = 0;
        } catch (RuntimeException | Error failed) { // a want of memory may pass
          failures++;
          if (failures == MOST_FAILURES || !selector.isOpen()) {
            throw failed;
          }
          rejections.failed(failed);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (IOException e) {
      // Without its selector this thread can do nothing; the endpoint finds it dead and starts
      // anew.
      counters.closeFailed();
    } finally {
      stopping = true;
      closeAll();
    }
  }

  /** Waits for a moment until there is something to do, and does it. */
  private void serve() throws IOException {
    if (callers.hasUnread()) {
      selector.selectNow();
    } else {
      boolean quiet = callers.quiet() && !acceptPaused;
      selector.select(quiet ? TICK_MILLIS : BUSY_TICK_MILLIS);
    }
    // Between the select, which forgets the keys of leased connections, and the next lease.
    takeReturned();
    hear();
    if (tokenChanged) {
      tokenChanged = false;
      tokenKnown();
    }
    expire();
    callers.publish();
  }

  /** Those who have said something, and then those who come. */
  private void hear() {
    callers.takeUnread().forEach(this::ready);
    boolean calls = false;
    for (SelectionKey key : selector.selectedKeys()) {
      if (key == serverKey) {
        calls = true;
      } else if (key.isValid()) {
        ready((Inbound) key.attachment());
      }
    }
    selector.selectedKeys().clear();
    if (calls) {
      accept();
    }
  }

  private void ready(Inbound inbound) {
    try {
      advance(inbound);
      if (callers.isIdle(inbound) && inbound.connection().channel().hasInput()) {
        callers.unread(inbound);
      }
    } catch (FrameReader.BadFrame bad) {
      AnswerCode answer =
          switch (bad.reason()) {
            case VERSION -> AnswerCode.VERSION;
            case BYTE_ORDER -> AnswerCode.BYTE_ORDER;
            default -> null;
          };
      refuse(inbound, answer, bad.reason());
    } catch (BrokenSeal broken) {
      rejections.failed(broken);
      cutOff(inbound, Rejection.SEAL);
    } catch (IOException ended) {
      boolean inRecord = ended instanceof EOFException;
      if (!inbound.isAuthenticated() || inbound.isInFrame() || inRecord) {
        cutOff(inbound, Rejection.TRUNCATED);
      } else {
        drop(inbound);
      }
    } catch (RuntimeException | Error failed) { // all that was begun for it ends with it
      rejections.failed(failed);
      cutOff(inbound, Rejection.FAILURE);
    }
  }

  private void accept() {
    try {
      for (int count = 0; count < MOST_ACCEPTS; count++) {
        PlainChannel channel = PlainChannel.accept(server);
        if (channel == null) {
          return;
        }
        admit(channel);
      }
    } catch (IOException exhausted) {
      serverKey.interestOps(0);
      acceptPaused = true;
      long now = System.nanoTime();
      resumeAcceptNanos = now + PAUSE_NANOS;
      rejections.exhausted(exhausted, now);
    }
  }

  private void admit(PlainChannel channel) throws IOException {
    Connection connection = null;
    Inbound caller;
    try {
      connection = new Connection(channel, "a caller", counters);
      channel.setUp(options.sendBufferBytes(), options.receiveBufferBytes());
      caller = Inbound.fresh(connection, selector);
      callers.come(caller);
    } catch (IOException gone) {
      turnAway(channel, connection, Rejection.TRUNCATED);
      return;
    } catch (RuntimeException | Error failed) {
      rejections.failed(failed);
      turnAway(channel, connection, Rejection.FAILURE);
      return;
    }
    ready(caller);
    Inbound oldest = callers.crowding();
    if (oldest != null) {
      ready(oldest); // what it has said may only wait to be read
      if (callers.isSilent(oldest)) {
        cutOff(oldest, Rejection.CROWDED);
      }
    }
  }

  /** Closes what came to nothing: a connection, or a channel of which none could be made. */
  private void turnAway(PlainChannel channel, @Nullable Connection connection, Rejection reason)
      throws IOException {
    rejections.count(reason, true);
    if (connection == null) {
      channel.close();
    } else {
      connection.close();
    }
  }

  private void advance(Inbound inbound) throws IOException {
    boolean moved = true;
    while (moved) {
      moved =
          switch (inbound.state()) {
            case HELLO -> hello(inbound);
            case TOKEN -> token(inbound);
            case PROOF -> proof(inbound);
            case LEASE -> lease(inbound);
            case RETURNING -> returning(inbound);
          };
    }
  }

  private boolean hello(Inbound inbound) throws IOException {
    ByteBuffer frame = inbound.read(WireFormat.HELLO);
    if (frame == null) {
      return false;
    }
    if (!Handshake.calls(frame, context.endpoint())) {
      return refuse(inbound, AnswerCode.ENDPOINT, Rejection.ENDPOINT);
    }
    if (WireFormat.seal(frame) != context.sealing().code()) {
      return refuse(inbound, AnswerCode.SEALING, Rejection.SEALING);
    }
    if (!callers.greet(inbound)) {
      return refuse(inbound, null, Rejection.CROWDED);
    }
    inbound.greeted(frame);
    return true;
  }

  /** Goes on once this process knows the token. */
  private boolean token(Inbound inbound) throws IOException {
    byte[] secret = token;
    if (secret == null) {
      return inbound.read() != null;
    }
    inbound.challenge(secret, context.sealing());
    return true;
  }

  private boolean proof(Inbound inbound) throws IOException {
    ByteBuffer frame = inbound.read(WireFormat.PROOF);
    if (frame == null) {
      return false;
    }
    byte[] secret = token;
    if (secret == null || !inbound.isProvedBy(frame, secret)) {
      return refuse(inbound, AnswerCode.TOKEN, Rejection.TOKEN);
    }
    callers.rest(inbound);
    inbound.authenticated();
    inbound.idle();
    return true;
  }

  private boolean lease(Inbound inbound) throws IOException {
    Connection connection = inbound.connection();
    boolean mayShare = connection.lease() == null && connection.carrier() == null;
    byte also = mayShare ? WireFormat.SHARE : WireFormat.LEASE;
    ByteBuffer frame = inbound.read(WireFormat.LEASE, also);
    if (frame == null) {
      return false;
    }
    if (WireFormat.type(frame) == WireFormat.SHARE) {
      share(connection, WireFormat.share(frame));
      return true;
    }
    Lease lease = WireFormat.lease(frame);
    int stripes = WireFormat.stripes(frame);
    if (stripes == 0) {
      return refuse(inbound, null, Rejection.LEASE);
    }
    AnswerCode answer = context.sessions().judge(lease);
    if (answer != AnswerCode.ACCEPTED) {
      return refuse(inbound, answer, Rejection.LEASE);
    }
    inbound.write(WireFormat.accepted(connection.carrier() != null));
    connection.lease(lease, stripes);
    inbound.detach();
    callers.remove(inbound);
    callers.publish(); // before a rank may see the lease
    context.sessions().park(lease, connection);
    return false;
  }

  /** Takes a carrier that a caller offers, if it is to be had here too. */
  private void share(Connection connection, byte[] name) {
    try {
      connection.carrier(context.carriers().take(name));
      counters.shared();
    } catch (IOException elsewhere) {
      counters.notShared(); // another container or user than the caller's
    }
  }

  private boolean returning(Inbound inbound) throws IOException {
    if (!inbound.flush()) {
      return false;
    }
    inbound.idle();
    return true;
  }

  private boolean refuse(Inbound inbound, @Nullable AnswerCode answer, Rejection reason) {
    if (answer != null) {
      try {
        inbound.write(WireFormat.answer(answer));
      } catch (IOException unheard) {
        counters.answerLost();
      }
    }
    cutOff(inbound, reason);
    return false;
  }

  private void cutOff(Inbound inbound, Rejection reason) {
    rejections.count(reason, isStranger(inbound, reason));
    drop(inbound);
  }

  /**
   * False where a process that has proved to be of the application is cut off with nothing wrong on
   * the network: its rank comes to an attempt that others have given up, or gives one up itself, or
   * has written to a rank whose lease is over.
   */
  private static boolean isStranger(Inbound inbound, Rejection reason) {
    boolean failed =
        switch (reason) {
          case LEASE, TRUNCATED -> true;
          case NOT_OURS -> inbound.connection().lease() != null;
          default -> false;
        };
    return !(failed && inbound.isAuthenticated());
  }

  private void drop(Inbound inbound) {
    callers.remove(inbound);
    inbound.connection().close();
  }

  private void takeReturned() {
    for (Connection next = returned.poll(); next != null; next = returned.poll()) {
      Lease last = next.lease();
      try {
        byte[] secret = token;
        if (last == null || (secret != null && !next.isOf(secret))) {
          throw new IOException(
              "a connection comes back that was never leased, or by an old token");
        }
        callers.rest(Inbound.returning(next, last, selector));
      } catch (IOException | RuntimeException | Error broken) {
        next.close();
      }
    }
  }

  private void tokenKnown() {
    byte[] secret = token;
    if (secret == null) {
      return;
    }
    for (Inbound inbound : callers.idle()) {
      if (!inbound.connection().isOf(secret)) {
        drop(inbound);
      }
    }
    callers.greeted().forEach(this::ready);
  }

  private void expire() {
    long now = System.nanoTime();
    if (now - lastExpiryNanos < TimeUnit.MILLISECONDS.toNanos(BUSY_TICK_MILLIS)) {
      return;
    }
    lastExpiryNanos = now;
    for (Inbound caller : callers.late(now)) {
      cutOff(caller, Rejection.TIMEOUT);
    }
    callers.idleTooLong(now).forEach(this::drop);
    context.sessions().expire();
    context.pool().expire();
    rejections.report(now);
    if (acceptPaused && now - resumeAcceptNanos >= 0) {
      acceptPaused = false;
      serverKey.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  private void closeReturned() {
    for (Connection next = returned.poll(); next != null; next = returned.poll()) {
      next.close();
    }
  }

  private void closeAll() {
    try {
      callers.closeAll();
      closeReturned();
    } finally {
      close(server);
      close(selector);
    }
  }

  private void close(Closeable held) {
    try {
      held.close();
    } catch (IOException | RuntimeException | Error e) {
      counters.closeFailed();
    }
  }
}
