package org.sparkcollectives.internal.transport.endpoint;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.observe.OperationTotals;
import org.sparkcollectives.internal.transport.BufferPool;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.ring.RingProvider;
import org.sparkcollectives.internal.transport.shared.SharedMemory;
import org.sparkcollectives.internal.transport.tcp.TcpProvider;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;

/**
 * The place where a process takes part in communicators: rings between its own ranks, memory shared
 * with processes of its host, and TCP to all others. It listens from its first use on; after a
 * {@link #close()} the next use starts it anew, under another identity. Thread-safe.
 */
public final class Endpoint implements AutoCloseable {
  private final EndpointOptions options;
  private final Sealing sealing;
  private final Lookup lookup;
  private final TransportCounters counters = new TransportCounters();
  private final BufferPool buffers = new BufferPool();
  private @Nullable Running running;

  /** An endpoint while it listens. */
  private record Running(
      String identity,
      List<LinkProvider> providers,
      TcpProvider tcp,
      Set<RankTransport> transports) {}

  /**
   * Makes an endpoint that does not listen yet.
   *
   * @param options its settings
   */
  public Endpoint(EndpointOptions options) {
    this(options, Sealing.NONE);
  }

  /**
   * Makes an endpoint that does not listen yet.
   *
   * @param options its settings
   * @param sealing what all bytes of its connections after the handshake go through; the same in
   *     all processes
   */
  public Endpoint(EndpointOptions options, Sealing sealing) {
    this(options, sealing, new Lookup());
  }

  /** An endpoint that finds the addresses of its peers in another way. */
  Endpoint(EndpointOptions options, Sealing sealing, Lookup lookup) {
    this.options = options;
    this.sealing = sealing;
    this.lookup = lookup;
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
    return new Peer(rank, now.identity(), now.tcp().host(), now.tcp().port(), node, label);
  }

  /**
   * Learns the token of communicators to come, so that ranks that are ahead of this process are let
   * in before it joins.
   *
   * @param token the token of their rosters
   * @throws IOException if the endpoint cannot listen
   */
  public void expect(byte[] token) throws IOException {
    running().tcp().expect(token);
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
  public RankTransport join(Roster roster, int rank) throws IOException {
    Running now = running();
    Peer self = roster.peers().get(rank);
    if (!self.endpoint().equals(now.identity())) {
      throw LinkErrors.cannotJoin(
          "rank " + rank + " of " + roster, "its entry names another endpoint than this process's");
    }
    RankTransport transport =
        RankTransport.join(
            roster, rank, now.providers(), counters, buffers, now.transports()::remove);
    now.transports().add(transport);
    if (!isRunning(now)) {
      transport.close();
      throw LinkErrors.transportClosed(self.toString());
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
    return counters.with(
        now == null ? EndpointStatistics.Held.NOTHING : now.tcp().held(now.transports().size()));
  }

  /**
   * What the operations of all ranks of this process have come to, over all restarts.
   *
   * @return the totals, which go on
   */
  public OperationTotals operations() {
    return counters.operations();
  }

  /** Closes all transports, connections and the socket, and waits for the thread. Idempotent. */
  @Override
  public void close() {
    Running last;
    synchronized (this) {
      last = running;
      running = null;
    }
    if (last != null) {
      shut(last);
      last.tcp().join();
    }
  }

  private static void shut(Running last) {
    last.tcp().stop();
    List.copyOf(last.transports()).forEach(RankTransport::close);
    last.tcp().close();
  }

  private synchronized boolean isRunning(Running instance) {
    return running != null && running.identity().equals(instance.identity());
  }

  private synchronized Running running() throws IOException {
    Running now = running;
    if (now != null && !now.tcp().isAlive()) {
      shut(now);
      now.tcp().join(); // its port is free then
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
    SharedMemory memory = new SharedMemory(options.sharedMemory(), options.ringBytes());
    TcpProvider tcp = TcpProvider.listen(identity, options, counters, memory, sealing, lookup);
    // The first that reaches a peer opens the link.
    List<LinkProvider> providers = List.of(new RingProvider(options.ringBytes()), tcp);
    return new Running(identity, providers, tcp, ConcurrentHashMap.newKeySet());
  }
}
