package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.LinkErrors;
import org.sparkcollectives.internal.transport.memory.MemoryGroup;
import org.sparkcollectives.internal.transport.memory.Waiter;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.Transport;

/**
 * The place where a process takes part in communicators: one listening socket with one daemon
 * thread, and a pool of connections to other endpoints. It listens from its first use on; after a
 * {@link #close()} the next use starts it anew, under another identity. Thread-safe.
 */
public final class Endpoint implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final EndpointOptions options;
  private final Counters counters = new Counters();
  private @Nullable Running running;

  /** An endpoint while it listens. */
  private record Running(
      Wiring wiring, Thread thread, String host, int port, Set<TcpTransport> transports) {}

  /**
   * Makes an endpoint that does not listen yet.
   *
   * @param options its settings
   */
  public Endpoint(EndpointOptions options) {
    this.options = options;
  }

  /**
   * How other ranks reach a rank of this process.
   *
   * @param rank the rank
   * @param node name of the machine
   * @param label how to name the process to people
   * @return the rank's entry for a roster
   * @throws IOException if the endpoint cannot listen
   */
  public Peer peer(int rank, String node, String label) throws IOException {
    Running now = running();
    return new Peer(rank, now.wiring().endpoint(), now.host(), now.port(), node, label);
  }

  /**
   * Takes part in a communicator; does not wait for other ranks.
   *
   * @param roster who takes part
   * @param rank the rank of the calling thread; its entry in the roster is from {@link #peer}
   * @return the rank's links, to be released or closed by the caller
   * @throws IOException if the endpoint has been restarted since, the rank has taken part before,
   *     or a later epoch has begun
   */
  public Transport join(Roster roster, int rank) throws IOException {
    if (roster.token().length != Handshake.TOKEN_BYTES) {
      throw new IllegalArgumentException(
          "a token has " + Handshake.TOKEN_BYTES + " bytes, not " + roster.token().length);
    }
    Running now = running();
    String identity = now.wiring().endpoint();
    if (!roster.peers().get(rank).endpoint().equals(identity)) {
      throw LinkErrors.cannotJoin(
          "rank " + rank + " of " + roster, "its entry names another endpoint than this process's");
    }
    now.wiring().adopt(roster.token());
    String name = roster.peers().get(rank).toString();
    Waiter waiter = new Waiter(name);
    MemoryGroup group = now.wiring().sessions().join(roster, rank, waiter);
    TcpTransport transport =
        new TcpTransport(now.wiring(), roster, rank, waiter, group, now.transports()::remove);
    now.transports().add(transport);
    if (!isRunning(now)) {
      transport.close();
      throw LinkErrors.transportClosed(name);
    }
    return transport;
  }

  /**
   * What the endpoint holds and has done.
   *
   * @return the numbers of this moment
   */
  public synchronized EndpointStatistics statistics() {
    Running now = running;
    return new EndpointStatistics(
        counters.open(),
        now == null ? 0 : now.wiring().pool().size(),
        now == null ? 0 : now.wiring().acceptor().idle(),
        now == null ? 0 : now.wiring().acceptor().pending(),
        now == null ? 0 : now.wiring().sessions().parked(),
        now == null ? 0 : now.transports().size(),
        now != null && now.thread().isAlive() ? 1 : 0,
        counters.dialedCount(),
        counters.reusedCount(),
        counters.sharedCount(),
        counters.notSharedCount(),
        counters.closeFailures(),
        counters.answersLostCount(),
        counters.rejected());
  }

  /** Closes all transports, connections and the socket, and waits for the thread. Idempotent. */
  @Override
  public void close() {
    Running last;
    synchronized (this) {
      last = running;
      running = null;
    }
    if (last == null) {
      return;
    }
    shut(last);
    boolean interrupted = Thread.interrupted();
    try {
      last.thread().join(STOP_MILLIS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void shut(Running last) {
    last.wiring().acceptor().stop();
    for (TcpTransport transport : List.copyOf(last.transports())) {
      transport.close();
    }
    last.wiring().pool().close();
    last.wiring().sessions().close();
  }

  private synchronized boolean isRunning(Running instance) {
    return running != null && running.wiring().endpoint().equals(instance.wiring().endpoint());
  }

  private synchronized Running running() throws IOException {
    Running now = running;
    if (now != null && !now.thread().isAlive()) {
      shut(now);
      now = null;
    }
    if (now == null) {
      now = start();
      running = now;
    }
    return now;
  }

  private Running start() throws IOException {
    String identity = UUID.randomUUID().toString();
    Sessions sessions = new Sessions(identity, options);
    ConnectionPool pool = new ConnectionPool(options);
    ServerSocketChannel server = listen();
    try {
      InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
      Acceptor acceptor = new Acceptor(server, identity, options, counters, sessions, pool);
      Wiring wiring = new Wiring(identity, options, counters, sessions, pool, acceptor);
      String name = "spark-collectives-acceptor-" + bound.getPort();
      Thread thread = new Thread(null, acceptor, name, 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(Endpoint.class.getClassLoader());
      Running now =
          new Running(
              wiring,
              thread,
              advertised(bound.getAddress()),
              bound.getPort(),
              ConcurrentHashMap.newKeySet());
      thread.start();
      return now;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private String advertised(InetAddress bound) throws IOException {
    if (!options.advertisedHost().isEmpty()) {
      return withoutBrackets(options.advertisedHost());
    }
    return (bound.isAnyLocalAddress() ? InetAddress.getLocalHost() : bound).getHostAddress();
  }

  private ServerSocketChannel listen() throws IOException {
    IOException failure = null;
    for (int port = options.firstPort(); port <= options.lastPort(); port++) {
      ServerSocketChannel server = ServerSocketChannel.open();
      try {
        if (options.receiveBufferBytes() > 0) {
          server.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBufferBytes());
        }
        return server.bind(address(port), BACKLOG);
      } catch (IOException e) {
        server.close();
        failure = e;
      }
    }
    String host = options.bindHost().isEmpty() ? "all addresses" : options.bindHost();
    throw LinkErrors.cannotListen(host, options.firstPort(), options.lastPort(), failure);
  }

  private InetSocketAddress address(int port) throws IOException {
    return options.bindHost().isEmpty()
        ? new InetSocketAddress(port)
        : new InetSocketAddress(InetAddress.getByName(options.bindHost()), port);
  }

  private static String withoutBrackets(String host) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return bracketed ? host.substring(1, host.length() - 1) : host;
  }
}
