package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/** What is peculiar to connections whose bytes go through memory; {@link Medium} has the rest. */
@Timeout(120)
final class SharedLinkTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;

  private static Link link(List<Transport> ranks, int rank) throws IOException {
    return ranks.get(rank).link(1 - rank, Deadline.after(SOON), Cancellation.NONE);
  }

  private static int readOne(Transport transport, Link link) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(1);
    Deadline deadline = Deadline.after(SOON);
    int count = link.read(target);
    while (count == 0 && !deadline.expired()) {
      transport.await(link, null, TimeUnit.MILLISECONDS.toNanos(100));
      count = link.read(target);
    }
    return count;
  }

  // ---- what a lease leaves ---------------------------------------------------------------------

  @Test
  void aRankThatWaitsForOneThatHasLeftHearsItAndItsConnectionServesAgain() throws Exception {
    try (Cluster cluster = new Cluster(2, Medium.MEMORY.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Link zero = link(ranks, 0);
      assertEquals(1, link(ranks, 1).write(ByteBuffer.allocate(1)));
      ranks.get(1).release();
      Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
      assertEquals(1, readOne(ranks.get(0), zero));
      assertEquals(-1, readOne(ranks.get(0), zero));
      assertThrows(IOException.class, () -> zero.write(ByteBuffer.allocate(1)));
      ranks.get(0).release();
      List<Transport> next = cluster.communicator(0, 1);
      Traffic.run(next, 1, 20, 1000);
      next.forEach(Transport::release);
      assertEquals(1, cluster.endpoint(0).statistics().dialed());
      assertEquals(1, cluster.endpoint(0).statistics().reused());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void bytesThatNobodyHasReadDoNotReachTheNextCommunicator(int from) throws Exception {
    try (Cluster cluster = new Cluster(2, Medium.MEMORY.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Link zero = link(ranks, 0);
      Link one = link(ranks, 1);
      assertEquals(3, (from == 0 ? zero : one).write(ByteBuffer.wrap(new byte[] {1, 2, 3})));
      ranks.forEach(Transport::release);
      Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
      List<Transport> next = cluster.communicator(0, 1);
      Traffic.run(next, 1, 20, 1000);
      next.forEach(Transport::release);
      assertEquals(2, cluster.endpoint(0).statistics().dialed());
    }
  }

  /** The lower rank has dialed: it waits for the other one to end the lease, too. */
  @Test
  void aRankThatWaitsForOneThatHasLeftItsBytesUnreadHearsThatItsLinkIsBroken() throws Exception {
    try (Cluster cluster = new Cluster(2, Medium.MEMORY.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Link zero = link(ranks, 0);
      Link one = link(ranks, 1);
      assertEquals(0, zero.read(ByteBuffer.allocate(1)));
      ranks.get(0).release();
      assertEquals(3, one.write(ByteBuffer.wrap(new byte[] {1, 2, 3})));
      assertEquals(-1, readOne(ranks.get(1), one));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void doorbellsThatNobodyHasHeardDoNotSpoilTheNextLease(int deaf) throws Exception {
    try (Cluster cluster = new Cluster(2, Medium.MEMORY.options().build())) {
      for (int i = 0; i < 5; i++) {
        List<Transport> ranks = cluster.communicator(0, 1);
        List<Link> ends = List.of(link(ranks, 0), link(ranks, 1)); // the lower rank dials
        Link loud = ends.get(1 - deaf);
        LinkProvider.WaitableLink quiet = (LinkProvider.WaitableLink) ends.get(deaf);
        for (int bell = 0; bell < 100; bell++) {
          assertTrue(quiet.prepare(true, false), "it says that it sleeps");
          assertEquals(1, loud.write(ByteBuffer.allocate(1)));
          assertEquals(1, quiet.read(ByteBuffer.allocate(1)));
        }
        ranks.forEach(Transport::release);
        Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
      }
      assertEquals(1, cluster.endpoint(0).statistics().dialed());
      assertEquals(4, cluster.endpoint(0).statistics().reused());
    }
  }

  // ---- where there is no memory to share -------------------------------------------------------

  @Test
  void socketsCarryBytesWhereTheAcceptorDoesNotSeeTheFolder(@TempDir Path elsewhere)
      throws Exception {
    assertFallsBack(folder.toString(), elsewhere.toString(), 1, 1);
    assertEquals(List.of(), Medium.files(folder));
    assertEquals(List.of(), Medium.files(elsewhere));
  }

  @Test
  void socketsCarryBytesWhereTheFolderTakesNoFile() throws Exception {
    String missing = folder.resolve("missing").toString();
    assertFallsBack(missing, folder.toString(), 1, 0);
    assertEquals(List.of(), Medium.files(folder));
  }

  @Test
  void socketsCarryBytesWhereOneSideDoesNotShare() throws Exception {
    assertFallsBack(folder.toString(), "", 1, 1);
    assertFallsBack("", folder.toString(), 0, 0);
    assertEquals(List.of(), Medium.files(folder));
  }

  private static void assertFallsBack(
      String dialers, String acceptors, int notSharedByDialer, int notSharedByAcceptor)
      throws Exception {
    try (Endpoint dialer = new Endpoint(Cluster.options().sharedMemory(dialers).build());
        Endpoint acceptor = new Endpoint(Cluster.options().sharedMemory(acceptors).build())) {
      for (int i = 0; i < 3; i++) {
        List<Peer> peers = List.of(dialer.peer(0, "node", ""), acceptor.peer(1, "node", ""));
        Roster roster = new Roster(i, 0, new byte[Handshake.TOKEN_BYTES], peers);
        List<Transport> ranks = List.of(dialer.join(roster, 0), acceptor.join(roster, 1));
        Traffic.run(ranks, i, 20, 300_001);
        ranks.forEach(Transport::release);
        Cluster.await(acceptor, s -> s.idleAccepted() == 1);
      }
      assertEquals(0, dialer.statistics().shared() + acceptor.statistics().shared());
      assertEquals(notSharedByDialer, dialer.statistics().notShared());
      assertEquals(notSharedByAcceptor, acceptor.statistics().notShared());
      assertEquals(1, dialer.statistics().dialed());
      assertEquals(0, dialer.statistics().closeFailures());
    }
  }

  @Test
  void ranksOfDifferentHostsOfferNoMemory() throws Exception {
    EndpointOptions options = Cluster.options().sharedMemory(folder.toString()).build();
    try (Endpoint dialer = new Endpoint(options);
        Endpoint acceptor = new Endpoint(options)) {
      List<Peer> peers = List.of(dialer.peer(0, "node a", ""), acceptor.peer(1, "node b", ""));
      Roster roster = new Roster(1, 0, new byte[Handshake.TOKEN_BYTES], peers);
      List<Transport> ranks = List.of(dialer.join(roster, 0), acceptor.join(roster, 1));
      Traffic.run(ranks, 1, 20, 1000);
      ranks.forEach(Transport::release);
      Medium.SOCKET.assertUsedBy(dialer.statistics());
      Medium.SOCKET.assertUsedBy(acceptor.statistics());
    }
  }

  @Test
  void aRefusedLeaseLeavesNoFile() throws Exception {
    try (Cluster cluster = new Cluster(2, Medium.MEMORY.options().build())) {
      Roster roster = cluster.roster(0, 1);
      Transport lower = cluster.endpoint(0).join(roster, 0);
      cluster.endpoint(1).join(roster, 1).close();
      assertThrows(IOException.class, () -> lower.link(1, Deadline.after(SOON), Cancellation.NONE));
      lower.close();
    }
  }
}
