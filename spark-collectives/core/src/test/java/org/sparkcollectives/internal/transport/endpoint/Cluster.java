package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.transport.Transport;

/** Endpoints of one process that stand for processes, and communicators over them. */
final class Cluster implements AutoCloseable {
  private static final AtomicLong COMMUNICATORS = new AtomicLong();
  private static final Duration SETTLE = Duration.ofSeconds(20);

  private final EndpointOptions options;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final byte[] token = new byte[Handshake.TOKEN_BYTES];
  private int connections = 1;

  Cluster(int size, EndpointOptions options) {
    this(size, options, Sealing.NONE);
  }

  Cluster(int size, EndpointOptions options, Sealing sealing) {
    this.options = options;
    for (int i = 0; i < size; i++) {
      endpoints.add(new Endpoint(options, sealing));
    }
    token[0] = 42;
  }

  /** Settings for tests where it is all the same what carries bytes: loopback and sockets. */
  static EndpointOptions.Builder options() {
    return Medium.SOCKET.options();
  }

  Endpoint endpoint(int index) {
    return endpoints.get(index);
  }

  byte[] token() {
    return token.clone();
  }

  /** Lets two ranks of every later communicator have so many connections to each other. */
  void connections(int perPeer) {
    connections = perPeer;
  }

  /** A new communicator; rank i lives at endpoint {@code homes[i]}. */
  Roster roster(int... homes) throws IOException {
    return numbered(COMMUNICATORS.incrementAndGet(), 0, homes);
  }

  Roster numbered(long communicator, int epoch, int... homes) throws IOException {
    List<Peer> peers = new ArrayList<>();
    for (int rank = 0; rank < homes.length; rank++) {
      peers.add(endpoint(homes[rank]).peer(rank, "node", "process " + homes[rank]));
    }
    return new Roster(communicator, epoch, token.clone(), peers, connections);
  }

  List<Transport> join(Roster roster, int... homes) throws IOException {
    List<Transport> transports = new ArrayList<>();
    for (int rank = 0; rank < homes.length; rank++) {
      transports.add(endpoint(homes[rank]).join(roster, rank));
    }
    return transports;
  }

  List<Transport> communicator(int... homes) throws IOException {
    return join(roster(homes), homes);
  }

  int open() {
    return endpoints.stream().mapToInt(e -> e.statistics().openConnections()).sum();
  }

  /** Waits until an endpoint's numbers are as they should be. */
  static void await(Endpoint endpoint, Predicate<EndpointStatistics> condition)
      throws InterruptedException {
    await(() -> condition.test(endpoint.statistics()), () -> endpoint.statistics().toString());
  }

  static void await(Supplier<Boolean> condition, Supplier<String> state)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.get()) {
      assertTrue(System.nanoTime() - start < SETTLE.toNanos(), state);
      Thread.sleep(5);
    }
  }

  /** Closes all endpoints and checks what carried their bytes and that nothing is left of them. */
  @Override
  public void close() {
    endpoints.forEach(Endpoint::close);
    Medium medium = options.sharedMemory().isEmpty() ? Medium.SOCKET : Medium.MEMORY;
    endpoints.forEach(endpoint -> medium.assertUsedBy(endpoint.statistics()));
    for (Endpoint endpoint : endpoints) {
      EndpointStatistics last = endpoint.statistics();
      assertEquals(0, last.openConnections(), last.toString());
      assertEquals(0, last.threads(), last.toString());
      assertEquals(0, last.transports(), last.toString());
      assertEquals(0, last.parkedLeases(), last.toString());
      assertEquals(0, last.closeFailures(), last.toString());
    }
  }
}
