package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.shared.SharedRings;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/** Many who call at once, and one who says too much, stop nobody else. */
@Timeout(120)
final class FloodTest {
  private static final int MAX_PENDING = 4;
  private static final int OPEN = 64;

  private static Thread start(Thread thread) {
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void silentCallersStopNoCommunicator() throws Exception {
    EndpointOptions options = Cluster.options().maxPending(MAX_PENDING).build();
    AtomicBoolean enough = new AtomicBoolean();
    AtomicLong calls = new AtomicLong();
    try (Cluster cluster = new Cluster(2, options)) {
      Peer peer = cluster.endpoint(1).peer(0, "node", "");
      InetSocketAddress place = new InetSocketAddress(peer.host(), peer.port());
      Thread flood = start(new Thread(() -> flood(place, enough, calls)));
      Cluster.await(cluster.endpoint(1), s -> s.rejected().get(Rejection.CROWDED) > 0);
      long before = calls.get();
      for (int i = 0; i < 60 || calls.get() == before; i++) {
        List<Transport> ranks = cluster.communicator(0, 1);
        Traffic.run(ranks, i, 4, 100);
        ranks.forEach(Transport::close); // so that the next one has to dial
      }
      enough.set(true);
      flood.join(TimeUnit.SECONDS.toMillis(20));
      Cluster.await(cluster.endpoint(1), s -> s.pending() == 0);
    }
  }

  private static void flood(InetSocketAddress place, AtomicBoolean enough, AtomicLong calls) {
    Deque<SocketChannel> open = new ArrayDeque<>();
    try {
      while (!enough.get()) {
        open.add(SocketChannel.open(place));
        calls.incrementAndGet();
        while (open.size() > OPEN) {
          open.remove().close();
        }
      }
      for (SocketChannel last : open) {
        last.close();
      }
    } catch (IOException full) {
      calls.incrementAndGet(); // the system's limit is part of a flood
    }
  }

  @Test
  void doorbellsWithoutEndKeepNobodyWaiting(@TempDir Path folder) throws Exception {
    byte[] token = new byte[Handshake.TOKEN_BYTES];
    EndpointOptions options = Cluster.options().sharedMemory(folder.toString()).build();
    Endpoint endpoint = new Endpoint(options);
    Peer peer = endpoint.peer(1, "node", "");
    Peer dialer = new Peer(0, "elsewhere", "127.0.0.1", 1, "node", "");
    Transport rank = endpoint.join(new Roster(1, 0, token, List.of(dialer, peer)), 1);
    try (Caller ringing = authenticated(peer, token)) {
      SharedRings rings = SharedRings.create(folder, 4096);
      ringing.send(WireFormat.share(rings.name()));
      AtomicLong rung = new AtomicLong();
      Thread flood = start(new Thread(() -> ring(ringing, rung)));
      while (rung.get() == 0) {
        Thread.onSpinWait();
      }
      long start = System.nanoTime();
      for (int i = 0; i < 5; i++) {
        authenticated(peer, token).end();
      }
      long before = rung.get();
      while (rung.get() == before && flood.isAlive()) {
        Thread.onSpinWait();
      }
      endpoint.close();
      assertTrue(System.nanoTime() - start < Duration.ofSeconds(8).toNanos(), "nobody waits");
      assertEquals(0, endpoint.statistics().threads());
      flood.join(TimeUnit.SECONDS.toMillis(20));
    }
    rank.close();
  }

  private static void ring(Caller caller, AtomicLong rung) {
    byte[] zeros = new byte[1 << 16];
    try {
      while (true) {
        caller.send(zeros);
        rung.incrementAndGet();
      }
    } catch (IOException cut) {
      rung.incrementAndGet(); // the endpoint has closed
    }
  }

  private static Caller authenticated(Peer peer, byte[] token) throws IOException {
    Caller caller = new Caller(peer);
    caller.authenticate(token);
    return caller;
  }
}
