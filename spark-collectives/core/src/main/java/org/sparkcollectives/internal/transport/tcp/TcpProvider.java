package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.lease.ConnectionPool;
import org.sparkcollectives.internal.transport.tcp.lease.Sessions;

/**
 * Links to every process over TCP: one listening socket with one daemon thread, and a pool of
 * connections to other processes. It listens from the beginning until it is closed.
 */
public final class TcpProvider implements LinkProvider, AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final TcpContext context;
  private final Acceptor acceptor;
  private final Thread thread;
  private final String host;
  private final int port;

  private TcpProvider(TcpContext context, Acceptor acceptor, Thread thread, String host, int port) {
    this.context = context;
    this.acceptor = acceptor;
    this.thread = thread;
    this.host = host;
    this.port = port;
  }

  /**
   * Listens from now on.
   *
   * @param identity the identity of the process in rosters
   * @param options its settings
   * @param counters its running numbers
   * @param carriers what may carry the bytes of connections in place of their sockets
   * @param sealing what all bytes after the handshake go through
   * @param lookup what finds the addresses of hosts
   * @return the provider
   * @throws IOException if it cannot listen
   */
  public static TcpProvider listen(
      String identity,
      EndpointOptions options,
      TransportCounters counters,
      CarrierProvider carriers,
      Sealing sealing,
      Lookup lookup)
      throws IOException {
    return listen(identity, options, counters, carriers, sealing, lookup, Thread::start);
  }

  /** Listens from now on, with a thread that is started as is said. */
  static TcpProvider listen(
      String identity,
      EndpointOptions options,
      TransportCounters counters,
      CarrierProvider carriers,
      Sealing sealing,
      Lookup lookup,
      Consumer<Thread> start)
      throws IOException {
    TcpContext context =
        new TcpContext(
            identity,
            options,
            counters,
            carriers,
            sealing,
            new Sessions(identity, options.parkTimeout(), Descriptors.atMost(options.maxParked())),
            new ConnectionPool(options.idleTimeout(), options.maxIdlePerPeer()),
            lookup);
    ServerSocketChannel server = listen(options);
    @Nullable Acceptor acceptor = null;
    boolean listening = false;
    try {
      InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
      String host = advertised(options, bound.getAddress());
      acceptor = new Acceptor(server, context);
      String name = "spark-collectives-acceptor-" + bound.getPort();
      Thread thread = new Thread(null, acceptor, name, 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(TcpProvider.class.getClassLoader());
      TcpProvider provider = new TcpProvider(context, acceptor, thread, host, bound.getPort());
      start.accept(thread);
      listening = true;
      return provider;
    } finally {
      if (!listening) { // also for want of a thread, which is an Error
        if (acceptor != null) {
          acceptor.stop();
          acceptor.run(); // closes its selector, which else keeps the port
        }
        server.close();
      }
    }
  }

  /**
   * The host that peers are told.
   *
   * @return a name or an address, IPv6 without brackets
   */
  public String host() {
    return host;
  }

  /**
   * The port that peers are told.
   *
   * @return the port it listens on
   */
  public int port() {
    return port;
  }

  /**
   * Whether it listens.
   *
   * @return false once it has been closed or its thread has failed, which may not have ended yet
   */
  public boolean isAlive() {
    return !acceptor.isStopping();
  }

  @Override
  public Links join(Rank rank) throws IOException {
    expect(rank.roster().token()); // before the first rank of a communicator dials or is dialed
    context.sessions().join(rank);
    return new TcpLinks(context, acceptor, rank);
  }

  /**
   * Learns the token of communicators to come.
   *
   * @param token the token; connections with another one end
   */
  public void expect(byte[] token) {
    if (token.length != Handshake.TOKEN_BYTES) {
      throw new IllegalArgumentException(
          "a token has " + Handshake.TOKEN_BYTES + " bytes, not " + token.length);
    }
    if (acceptor.adopt(token)) {
      context.pool().clear();
    }
  }

  /**
   * What it holds.
   *
   * @param transports how many transports use it
   * @return the numbers of this moment
   */
  public EndpointStatistics.Held held(int transports) {
    return new EndpointStatistics.Held(
        context.pool().size(),
        acceptor.idle(),
        acceptor.pending(),
        context.sessions().parked(),
        transports,
        thread.isAlive() ? 1 : 0);
  }

  /** Begins to end: nothing is accepted any more. */
  public void stop() {
    acceptor.stop();
  }

  /** Closes all connections that no rank uses, and the socket; {@link #join()} waits for that. */
  @Override
  public void close() {
    acceptor.stop();
    context.pool().close();
    context.sessions().close();
  }

  /** Waits for the end of the thread. */
  public void join() {
    boolean interrupted = Thread.interrupted();
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static String advertised(EndpointOptions options, InetAddress bound) throws IOException {
    if (!options.advertisedHost().isEmpty()) {
      return withoutBrackets(options.advertisedHost());
    }
    return (bound.isAnyLocalAddress() ? InetAddress.getLocalHost() : bound).getHostAddress();
  }

  private static ServerSocketChannel listen(EndpointOptions options) throws IOException {
    @Nullable InetAddress address;
    try {
      address = address(options);
    } catch (IOException e) {
      throw cannotListen(options, e);
    }
    @Nullable IOException failure = null;
    for (int port = options.firstPort(); port <= options.lastPort(); port++) {
      ServerSocketChannel server = ServerSocketChannel.open();
      try {
        bind(server, options.receiveBufferBytes(), new InetSocketAddress(address, port));
        return server;
      } catch (IOException e) {
        failure = e;
      }
    }
    throw cannotListen(options, failure);
  }

  /** Binds a socket, or closes it. */
  static void bind(ServerSocketChannel server, int receiveBufferBytes, InetSocketAddress address)
      throws IOException {
    boolean bound = false;
    try {
      if (receiveBufferBytes > 0) {
        server.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
      }
      server.bind(address, BACKLOG);
      bound = true;
    } catch (UnsupportedAddressTypeException e) {
      BindException failure = new BindException("this JVM uses IPv4 alone");
      failure.initCause(e);
      throw failure;
    } finally {
      if (!bound) {
        server.close();
      }
    }
  }

  private static IOException cannotListen(EndpointOptions options, @Nullable IOException cause) {
    String host = options.bindHost().isEmpty() ? "all addresses" : options.bindHost();
    return TcpErrors.cannotListen(host, options.firstPort(), options.lastPort(), cause);
  }

  /** The address to listen on, null for all. */
  private static @Nullable InetAddress address(EndpointOptions options) throws IOException {
    return options.bindHost().isEmpty()
        ? null
        : Lookup.own(InetAddress.getAllByName(options.bindHost()));
  }

  private static String withoutBrackets(String host) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return bracketed ? host.substring(1, host.length() - 1) : host;
  }
}
