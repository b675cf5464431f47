package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.transport.Failures.assertSays;

import com.sun.management.ThreadMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.testing.Loopback;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Seed;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

@ParameterizedClass
@EnumSource(Medium.class)
final class EndpointTest {
  private final Medium medium;

  EndpointTest(Medium medium) {
    this.medium = medium;
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0 1", "0 0", "0 1 2", "0 0 1", "1 0 1 0 2", "0 1 2 0 1 2 0"})
  void carriesRandomTrafficOverSocketsAndRings(String layout) {
    int[] homes = layout.chars().filter(c -> c != ' ').map(c -> c - '0').toArray();
    Seed.run(
        EndpointTest.class,
        seed -> {
          try (Cluster cluster = new Cluster(3, medium.options().ringBytes(4096).build())) {
            for (int i = 0; i < 3; i++) {
              List<Transport> ranks = cluster.communicator(homes);
              Traffic.run(ranks, seed + i, 40, 300_001);
              ranks.forEach(Transport::release);
            }
          }
        });
  }

  @Test
  void carriesLargeMessagesThroughSmallSocketBuffersInBothDirections() {
    Seed.run(
        EndpointTest.class,
        seed -> {
          EndpointOptions small = medium.options().socketBuffers(1 << 16, 1 << 16).build();
          try (Cluster cluster = new Cluster(2, small)) {
            List<Transport> ranks = cluster.communicator(0, 1);
            Traffic.inParallel(
                ranks,
                transport -> {
                  Deadline deadline = Deadline.after(Traffic.LIMIT);
                  Link link = transport.link(1 - transport.rank(), deadline, Cancellation.NONE);
                  ByteBuffer body = ByteBuffer.allocate(5_000_000);
                  ByteBuffer incoming = ByteBuffer.allocateDirect(body.capacity());
                  body.putLong(4_000_000, seed + transport.rank());
                  Traffic.drive(
                      transport, link, ByteBuffer.allocate(0), body, link, incoming, deadline);
                  assertEquals(seed + 1 - transport.rank(), incoming.getLong(4_000_000));
                });
            ranks.forEach(Transport::release);
          }
        });
  }

  @Test
  void communicatorsOfOneProcessUseTheSameRings() throws Exception {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    int ringBytes = 1 << 20;
    try (Cluster cluster = new Cluster(1, medium.options().ringBytes(ringBytes).build())) {
      exchangeAByte(cluster.communicator(0, 0));
      long before = direct.getTotalCapacity();
      for (int i = 0; i < 20; i++) {
        exchangeAByte(cluster.communicator(0, 0));
      }
      assertTrue(direct.getTotalCapacity() - before < 2L * ringBytes);
    }
  }

  private static void exchangeAByte(List<Transport> ranks) throws IOException {
    for (Transport rank : ranks) {
      Link link = rank.link(1 - rank.rank(), Deadline.after(Traffic.LIMIT), Cancellation.NONE);
      assertEquals(1, link.write(ByteBuffer.allocate(1)));
    }
    for (Transport rank : ranks) {
      Link link = rank.link(1 - rank.rank(), Deadline.after(Traffic.LIMIT), Cancellation.NONE);
      assertEquals(1, link.read(ByteBuffer.allocate(1)));
    }
    ranks.forEach(Transport::release);
  }

  @Test
  void ipv6IsAnAddressLikeAnyOther() throws Exception {
    String host = Loopback.newest();
    EndpointOptions options = medium.options().hosts(host, host).build();
    try (Cluster cluster = new Cluster(2, options)) {
      assertEquals(host.replaceAll("[\\[\\]]", ""), cluster.endpoint(0).peer(0, "node", "").host());
      List<Transport> ranks = cluster.communicator(0, 1);
      Traffic.run(ranks, 1, 10, 1000);
      ranks.forEach(Transport::release);
    }
  }

  @Test
  void aReleasedConnectionServesTheNextCommunicator() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      for (int i = 0; i < 10; i++) {
        List<Transport> ranks = cluster.communicator(0, 1);
        Traffic.run(ranks, i, 5, 1000);
        ranks.forEach(Transport::release);
        Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
      }
      assertEquals(1, cluster.endpoint(0).statistics().dialed());
      assertEquals(9, cluster.endpoint(0).statistics().reused());
      assertEquals(2, cluster.open());
    }
  }

  @Test
  void aConnectionIsNotLeasedBeforeTheOtherSideHasReturnedIt() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      List<Transport> slow = cluster.communicator(0, 1);
      Traffic.run(slow, 1, 5, 1000);
      slow.get(0).release();
      List<Transport> next = cluster.communicator(0, 1);
      Traffic.run(next, 2, 5, 1000);
      assertEquals(2, cluster.endpoint(0).statistics().dialed());
      next.forEach(Transport::release);
      slow.get(1).release();
      Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 2);
      List<Transport> last = cluster.communicator(0, 1);
      Traffic.run(last, 3, 5, 1000);
      assertEquals(2, cluster.endpoint(0).statistics().dialed());
      assertEquals(1, cluster.endpoint(0).statistics().reused());
      last.forEach(Transport::release);
    }
  }

  @Test
  void aRestartedPeerIsDialedAnewAndTheDeadConnectionDropped() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      List<Transport> first = cluster.communicator(0, 1);
      Traffic.run(first, 1, 5, 1000);
      first.forEach(Transport::release);
      Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
      String before = cluster.endpoint(1).peer(1, "node", "").endpoint();
      cluster.endpoint(1).close();
      assertNotEquals(before, cluster.endpoint(1).peer(1, "node", "").endpoint());
      List<Transport> second = cluster.communicator(0, 1);
      Traffic.run(second, 2, 5, 1000);
      second.forEach(Transport::release);
      assertEquals(2, cluster.endpoint(0).statistics().dialed());
    }
  }

  @Test
  void aConnectionThatDiedInThePoolIsReplacedOnce() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      for (int i = 0; i < 2; i++) {
        List<Transport> ranks = cluster.communicator(0, 1);
        Traffic.run(ranks, i, 5, 1000);
        ranks.forEach(Transport::release);
        Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
        cluster.endpoint(1).expect(new byte[32]); // ends connections that have another token
        Cluster.await(cluster.endpoint(1), s -> s.openConnections() == 0);
        cluster.endpoint(1).expect(cluster.token());
      }
      assertEquals(2, cluster.endpoint(0).statistics().dialed());
      assertEquals(0, cluster.endpoint(0).statistics().reused());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatARankHasSentWaitsForTheOtherLongerThanIdleConnectionsLast(int first) throws Exception {
    Duration brief = Duration.ofMillis(50);
    EndpointOptions options = medium.options().idleTimeout(brief).maxIdlePerPeer(1).build();
    try (Cluster cluster = new Cluster(2, options)) {
      List<List<Transport>> several =
          List.of(cluster.communicator(0, 1), cluster.communicator(0, 1));
      List<Link> links = new ArrayList<>();
      Deadline deadline = Deadline.after(Traffic.LIMIT);
      for (List<Transport> ranks : several) {
        Link dialed = ranks.get(0).link(1, deadline, Cancellation.NONE);
        Link accepted = ranks.get(1).link(0, deadline, Cancellation.NONE);
        assertEquals(1, (first == 0 ? dialed : accepted).write(ByteBuffer.allocate(1)));
        links.add(first == 0 ? accepted : dialed);
        ranks.get(first).release();
      }
      Thread.sleep(1500);
      assertEquals(4, cluster.open());
      for (int i = 0; i < several.size(); i++) {
        Transport late = several.get(i).get(1 - first);
        ByteBuffer target = ByteBuffer.allocate(1);
        while (target.hasRemaining()) {
          assertTrue(links.get(i).read(target) >= 0);
          late.await(links.get(i), null, TimeUnit.MILLISECONDS.toNanos(100));
        }
        late.release();
      }
      Cluster.await(() -> cluster.open() == 0, () -> "open: " + cluster.open());
    }
  }

  @Test
  void idleConnectionsExpireOnTheDialingSideAndAreBounded() throws Exception {
    EndpointOptions options =
        medium.options().idleTimeout(Duration.ofMillis(300)).maxIdlePerPeer(2).build();
    try (Cluster cluster = new Cluster(2, options)) {
      useThreeAtOnce(cluster);
      Cluster.await(cluster.endpoint(0), last -> last.idleDialed() <= 2);
      Cluster.await(() -> cluster.open() == 0, () -> "open: " + cluster.open());
      assertEquals(0, cluster.endpoint(0).statistics().idleDialed());
    }
    try (Cluster cluster = new Cluster(2, medium.options().maxIdlePerPeer(2).build())) {
      useThreeAtOnce(cluster);
      Cluster.await(cluster.endpoint(0), last -> last.idleDialed() == 2);
      Cluster.await(() -> cluster.open() == 4, () -> "open: " + cluster.open());
    }
  }

  /** Makes three connections and gives them back. */
  private static void useThreeAtOnce(Cluster cluster) throws Exception {
    List<List<Transport>> atOnce =
        List.of(cluster.communicator(0, 1), cluster.communicator(0, 1), cluster.communicator(0, 1));
    for (List<Transport> ranks : atOnce) {
      Traffic.run(ranks, 1, 5, 1000);
    }
    assertEquals(6, cluster.open());
    atOnce.forEach(ranks -> ranks.forEach(Transport::release));
  }

  @Test
  void hundredsOfCommunicatorsLeaveNoThreadAndNoSocketBehind() throws Exception {
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (Cluster cluster = new Cluster(3, medium.options().maxIdlePerPeer(8).build())) {
      long files = 0;
      for (int i = 0; i < 300; i++) {
        if (i == 50) {
          files = system.getOpenFileDescriptorCount();
        }
        List<Transport> ranks = cluster.communicator(0, 1, 2, 0);
        Traffic.run(ranks, i, 4, 1000);
        if (i % 7 == 0) {
          ranks.forEach(Transport::close);
        } else {
          ranks.forEach(Transport::release);
        }
      }
      assertTrue(cluster.open() <= 2 * 8 * 9, () -> "open: " + cluster.open());
      assertTrue(system.getOpenFileDescriptorCount() <= files + 2 * 8 * 9);
      for (int i = 0; i < 3; i++) {
        assertEquals(1, cluster.endpoint(i).statistics().threads());
        assertEquals(0, cluster.endpoint(i).statistics().transports());
        assertEquals(0, cluster.endpoint(i).statistics().parkedLeases());
        assertEquals(0, cluster.endpoint(i).statistics().rejections());
      }
    }
    long acceptors =
        Thread.getAllStackTraces().keySet().stream()
            .filter(t -> t.getName().startsWith("spark-collectives-acceptor-"))
            .count();
    assertEquals(0, acceptors);
  }

  @Test
  void steadyTrafficAllocatesNothing() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Traffic.inParallel(
          ranks,
          transport -> {
            Deadline deadline = Deadline.after(Traffic.LIMIT);
            Link link = transport.link(1 - transport.rank(), deadline, Cancellation.NONE);
            ByteBuffer head = ByteBuffer.allocateDirect(16);
            ByteBuffer body = ByteBuffer.allocateDirect(100_000);
            ByteBuffer incoming = ByteBuffer.allocateDirect(100_016);
            long before = 0;
            for (int round = 0; round < 3000; round++) {
              if (round == 1000) {
                before = threads.getCurrentThreadAllocatedBytes();
              }
              Traffic.drive(
                  transport, link, head.clear(), body.clear(), link, incoming.clear(), deadline);
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < 40_000, allocated + " bytes in 2000 rounds");
          });
      ranks.forEach(Transport::release);
    }
  }

  @Test
  void aPortInUseIsPassedOverAndAFullRangeIsNamed() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(loopback, 0));
      int port = taken.getLocalPort();
      try (Endpoint endpoint = new Endpoint(medium.options().ports(port, port + 20).build())) {
        assertTrue(endpoint.peer(0, "node", "").port() > port);
      }
      try (Endpoint endpoint = new Endpoint(medium.options().ports(port, port).build())) {
        IOException failure = assertThrows(IOException.class, () -> endpoint.peer(0, "node", ""));
        assertSays(failure, String.valueOf(port));
        assertEquals(0, endpoint.statistics().threads());
      }
    }
  }

  @Test
  void aNameThatNobodyKnowsIsNamedWithThePorts() {
    EndpointOptions.Builder options = medium.options().hosts("no-such-host.invalid", "");
    try (Endpoint endpoint = new Endpoint(options.ports(7000, 7010).build())) {
      IOException failure = assertThrows(IOException.class, () -> endpoint.peer(0, "node", ""));
      assertSays(failure, "cannot listen on no-such-host.invalid, ports 7000 to 7010");
      assertInstanceOf(UnknownHostException.class, failure.getCause());
    }
  }

  @Test
  void aClosedEndpointEndsItsTransportsAndStartsAnewWhenUsed() throws Exception {
    try (Cluster cluster = new Cluster(1, medium.options().build())) {
      Roster roster = cluster.roster(0, 0);
      Transport transport = cluster.endpoint(0).join(roster, 0);
      cluster.endpoint(0).close();
      assertEquals(0, cluster.endpoint(0).statistics().threads());
      Deadline deadline = Deadline.after(Duration.ofSeconds(5));
      assertThrows(IOException.class, () -> transport.link(1, deadline, Cancellation.NONE));
      assertThrows(IOException.class, () -> cluster.endpoint(0).join(roster, 1));
      List<Transport> again = cluster.communicator(0, 0);
      Traffic.run(again, 1, 5, 1000);
      again.forEach(Transport::release);
      again.forEach(Transport::close);
    }
  }

  @Test
  void aRankTakesPartOnceAndNotInAPastEpoch() throws Exception {
    try (Cluster cluster = new Cluster(1, medium.options().build())) {
      Roster later = cluster.numbered(7, 3, 0, 0);
      Transport transport = cluster.endpoint(0).join(later, 0);
      assertThrows(IOException.class, () -> cluster.endpoint(0).join(later, 0));
      transport.close();
      assertThrows(IOException.class, () -> cluster.endpoint(0).join(later, 0));
      Roster earlier = cluster.numbered(7, 2, 0, 0);
      IOException failure =
          assertThrows(IOException.class, () -> cluster.endpoint(0).join(earlier, 1));
      assertSays(failure, "epoch 3");
      Peer other = new Peer(0, "another", "127.0.0.1", 1, "node", "");
      Roster foreign = new Roster(8, 0, cluster.token(), List.of(other));
      assertThrows(IOException.class, () -> cluster.endpoint(0).join(foreign, 0));
      Roster weak = new Roster(9, 0, new byte[5], later.peers());
      assertThrows(IllegalArgumentException.class, () -> cluster.endpoint(0).join(weak, 0));
    }
  }

  @Test
  void linksAreMadeOnceAndOnlyToOthers() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Deadline deadline = Deadline.after(Duration.ofSeconds(30));
      Transport zero = ranks.get(0);
      Link link = zero.link(1, deadline, Cancellation.NONE);
      assertSame(link, zero.link(1, deadline, Cancellation.NONE));
      assertEquals(1, link.peer());
      assertEquals("rank 1 on 127.0.0.1 (process 1)", zero.describe(1));
      assertThrows(IllegalArgumentException.class, () -> zero.link(0, deadline, Cancellation.NONE));
      assertThrows(
          IllegalArgumentException.class, () -> zero.link(-1, deadline, Cancellation.NONE));
      long start = System.nanoTime();
      zero.wakeup();
      zero.await(link, null, TimeUnit.SECONDS.toNanos(30));
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
      ranks.forEach(Transport::close);
    }
  }

  /** Over sockets the higher rank waits to be called. */
  @Test
  void whoWaitsForAnotherRankToComeIsSeenToWait() throws Exception {
    CommunicatorOptions options = CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(60));
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Communicator late = new Communicator(ranks.get(0), options);
      Communicator early = new Communicator(ranks.get(1), options);
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(
              () -> {
                begun.countDown();
                early.barrier();
              });
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      Thread.sleep(2_000);
      late.barrier();
      waiting.get(60, TimeUnit.SECONDS);
      long waited = ((RankTransport) ranks.get(1)).operations().waitedNanos();
      assertTrue(waited > 50_000_000, () -> "" + waited);
    }
  }
}
