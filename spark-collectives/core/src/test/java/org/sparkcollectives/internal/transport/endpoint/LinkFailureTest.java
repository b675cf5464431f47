package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.testing.Background.start;
import static org.sparkcollectives.transport.Failures.assertSays;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/**
 * How links fail: fast where the cause is known, at the deadline and not before where it is not.
 */
@ParameterizedClass
@EnumSource(Medium.class)
final class LinkFailureTest {
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration FAST = Duration.ofSeconds(20);

  private final Medium medium;

  LinkFailureTest(Medium medium) {
    this.medium = medium;
  }

  @Test
  void aLeaseThatDoesNotComeIsWaitedForUntilTheDeadlineAndNotLess() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      Transport higher = cluster.endpoint(1).join(cluster.roster(0, 1), 1);
      long start = System.nanoTime();
      DeadlineException failure =
          assertThrows(
              DeadlineException.class,
              () -> higher.link(0, Deadline.after(SHORT), Cancellation.NONE));
      assertTrue(System.nanoTime() - start >= SHORT.toNanos());
      assertTrue(System.nanoTime() - start < FAST.toNanos());
      assertSays(failure, "rank 0 on 127.0.0.1");
      higher.close();
    }
  }

  @Test
  void anOperationThatGetsNoLinkIsNamedWithTheRankWaitedFor() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      Transport higher = cluster.endpoint(1).join(cluster.roster(0, 1), 1);
      CommunicatorOptions hasty = CommunicatorOptions.DEFAULT.withTimeout(SHORT);
      try (Communicator alone = new Communicator(higher, hasty)) {
        DeadlineException failure = assertThrows(DeadlineException.class, alone::barrier);
        assertSays(failure, "barrier #1 of ");
        assertSays(failure, "did not end within 400 ms on rank 1 on 127.0.0.1");
        assertSays(failure, "it waited for a link to rank 0 on 127.0.0.1");
        assertSays(failure, "needed in round 0");
        assertSays(failure, "spark.collectives.timeout");
        assertInstanceOf(DeadlineException.class, failure.getCause());
      }
    }
  }

  @Test
  void aDialSucceedsWithoutThePeersRankAndItsBytesWait() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      Roster roster = cluster.roster(0, 1);
      Transport lower = cluster.endpoint(0).join(roster, 0);
      Transport early = cluster.endpoint(1).join(cluster.roster(0, 1), 1);
      Link out = lower.link(1, Deadline.after(LONG), Cancellation.NONE);
      assertEquals(1, out.write(ByteBuffer.wrap(new byte[] {9})));
      Cluster.await(cluster.endpoint(1), s -> s.parkedLeases() == 1);
      Transport higher = cluster.endpoint(1).join(roster, 1);
      Link in = higher.link(0, Deadline.after(LONG), Cancellation.NONE);
      ByteBuffer target = ByteBuffer.allocate(1);
      while (target.hasRemaining()) {
        assertTrue(in.read(target) >= 0);
        higher.await(in, null, TimeUnit.MILLISECONDS.toNanos(100));
      }
      assertEquals(9, target.get(0));
      List.of(lower, higher, early).forEach(Transport::close);
    }
  }

  @Test
  void aParkedLeaseEndsWithItsCommunicatorOrItsTime() throws Exception {
    EndpointOptions options = medium.options().parkTimeout(Duration.ofMillis(300)).build();
    try (Cluster cluster = new Cluster(2, options)) {
      Roster roster = cluster.roster(0, 1);
      Transport lower = cluster.endpoint(0).join(roster, 0);
      Transport higher = cluster.endpoint(1).join(roster, 1);
      Link out = lower.link(1, Deadline.after(LONG), Cancellation.NONE);
      Thread.sleep(1000);
      assertEquals(1, cluster.endpoint(1).statistics().parkedLeases());
      higher.close();
      assertEquals(0, cluster.endpoint(1).statistics().parkedLeases());
      assertEquals(-1, readOne(lower, out));

      Transport alone = cluster.endpoint(0).join(cluster.roster(0, 1), 0);
      Link lost = alone.link(1, Deadline.after(LONG), Cancellation.NONE);
      assertEquals(-1, readOne(alone, lost));
      List.of(lower, alone).forEach(Transport::close);
    }
  }

  @Test
  void anEndedRankRefusesItsLeases() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      Roster roster = cluster.roster(0, 1);
      Transport lower = cluster.endpoint(0).join(roster, 0);
      cluster.endpoint(1).join(roster, 1).close();
      IOException failure =
          assertThrows(
              IOException.class, () -> lower.link(1, Deadline.after(LONG), Cancellation.NONE));
      assertSays(failure, AnswerCode.ENDED.reason());
      assertSays(failure, "rank 1 on 127.0.0.1");
      lower.close();
    }
  }

  @Test
  void aCancellationAndAnInterruptAndACloseEndTheWaitForALease() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      AtomicReference<@Nullable RuntimeException> reason = new AtomicReference<>();
      RuntimeException cancelled = new IllegalStateException("cancelled");
      Transport first = cluster.endpoint(1).join(cluster.roster(0, 1), 1);
      FutureTask<Link> cancelling = start(() -> first.link(0, Deadline.after(LONG), reason::get));
      Thread.sleep(50);
      reason.set(cancelled);
      assertSame(cancelled, failure(cancelling));

      Transport second = cluster.endpoint(1).join(cluster.roster(0, 1), 1);
      FutureTask<Boolean> interrupted =
          new FutureTask<>(
              () -> {
                assertThrows(
                    InterruptedIOException.class,
                    () -> second.link(0, Deadline.after(LONG), Cancellation.NONE));
                return Thread.currentThread().isInterrupted();
              });
      Thread thread = new Thread(interrupted);
      thread.start();
      Thread.sleep(50);
      thread.interrupt();
      assertTrue(interrupted.get(FAST.toSeconds(), TimeUnit.SECONDS));

      Transport third = cluster.endpoint(1).join(cluster.roster(0, 1), 1);
      FutureTask<Link> closing =
          start(() -> third.link(0, Deadline.after(LONG), Cancellation.NONE));
      Thread.sleep(50);
      third.close();
      assertTrue(failure(closing) instanceof IOException);
      List.of(first, second).forEach(Transport::close);
    }
  }

  @Test
  void anInterruptedRankNeitherDialsNorBreaksItsOpenLinksSilently() throws Exception {
    try (Cluster cluster = new Cluster(3, medium.options().build())) {
      Roster roster = cluster.roster(0, 1, 2);
      List<Transport> ranks = cluster.join(roster, 0, 1, 2);
      Link open = ranks.get(0).link(1, Deadline.after(LONG), Cancellation.NONE);
      FutureTask<@Nullable Void> task =
          start(
              () -> {
                Thread.currentThread().interrupt();
                assertThrows(
                    InterruptedIOException.class,
                    () -> ranks.get(0).link(2, Deadline.after(LONG), Cancellation.NONE));
                assertEquals(0, open.read(ByteBuffer.allocate(1)));
                assertEquals(1, open.write(ByteBuffer.allocate(1)));
                assertThrows(
                    InterruptedIOException.class, () -> ranks.get(0).await(open, null, 1_000_000));
                return null;
              });
      task.get(FAST.toSeconds(), TimeUnit.SECONDS);
      assertEquals(1, cluster.endpoint(0).statistics().openConnections());
      ranks.forEach(Transport::close);
      Cluster.await(() -> cluster.open() == 0, () -> "open: " + cluster.open());
    }
  }

  @Test
  void aClosedPeerIsTheEndOfTheStream() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      FutureTask<Link> accepting =
          start(() -> ranks.get(1).link(0, Deadline.after(LONG), Cancellation.NONE));
      Link link = ranks.get(0).link(1, Deadline.after(LONG), Cancellation.NONE);
      accepting.get(FAST.toSeconds(), TimeUnit.SECONDS);
      ranks.get(1).close();
      assertEquals(-1, readOne(ranks.get(0), link));
      IOException failure =
          assertThrows(
              IOException.class,
              () -> {
                for (int i = 0; i < 1000; i++) {
                  link.write(ByteBuffer.allocate(1));
                  Thread.sleep(5);
                }
              });
      assertSays(failure, "rank 1 on 127.0.0.1");
      ranks.get(0).close();
    }
  }

  @Test
  void aTransportThatAnotherThreadClosesNeitherSendsNorReceives() throws Exception {
    try (Cluster cluster = new Cluster(2, medium.options().build())) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Link link = ranks.get(0).link(1, Deadline.after(LONG), Cancellation.NONE);
      Link theirs = ranks.get(1).link(0, Deadline.after(LONG), Cancellation.NONE);
      assertEquals(4, theirs.write(ByteBuffer.allocate(4)));
      ranks.get(0).close();
      assertThrows(IOException.class, () -> link.write(ByteBuffer.allocate(1)));
      assertThrows(IOException.class, () -> link.read(ByteBuffer.allocate(1)));
      assertEquals(medium == Medium.MEMORY, link.inPlace());
      if (link.inPlace()) {
        assertThrows(IOException.class, link::room);
        assertThrows(IOException.class, link::held);
        assertThrows(IOException.class, () -> link.wrote(1));
        assertThrows(IOException.class, () -> link.consumed(1));
      }
      ranks.get(1).close();
    }
  }

  @Test
  void aRefusedConnectionNamesPeerAndAddress() throws Exception {
    try (Cluster cluster = new Cluster(1, medium.options().build())) {
      try (Socket deaf = new Socket()) { // holds its port, and does not listen
        deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        IOException failure = dialFailure(cluster, deaf.getLocalPort());
        assertSays(failure, "127.0.0.1 port " + deaf.getLocalPort());
        assertSays(failure, "rank 1");
        assertEquals(0, cluster.open());
      }
    }
  }

  @Test
  void anUnknownHostNamesPeerAndHost() throws Exception {
    try (Cluster cluster = new Cluster(1, medium.options().build())) {
      Peer nowhere = new Peer(1, "elsewhere", "no-such-host.invalid", 4, "node", "");
      Transport rank = join(cluster, nowhere);
      IOException failure =
          assertThrows(
              IOException.class, () -> rank.link(1, Deadline.after(LONG), Cancellation.NONE));
      assertSays(failure, "no-such-host.invalid");
      rank.close();
    }
  }

  @Test
  void aServerThatIsNoEndpointIsNamedSoonAndOneThatOnlyClosesIsCalledAgain() throws Exception {
    try (Cluster cluster = new Cluster(1, medium.options().build());
        ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      AtomicBoolean enough = new AtomicBoolean();
      AtomicInteger calls = new AtomicInteger();
      FutureTask<@Nullable Void> http =
          start(
              () -> {
                while (!enough.get()) {
                  try (Socket caller = server.accept()) {
                    if (calls.getAndIncrement() == 0) {
                      caller
                          .getOutputStream()
                          .write("HTTP/1.1 400 Bad Request".getBytes(StandardCharsets.UTF_8));
                    }
                    caller.getInputStream().readNBytes(WireFormat.HELLO_BYTES);
                  }
                }
                return null;
              });
      IOException garbage = dialFailure(cluster, server.getLocalPort());
      assertSays(garbage, "does not speak");
      assertEquals(1, calls.get());
      IOException closed = dialFailure(cluster, server.getLocalPort());
      assertSays(closed, "closed");
      assertTrue(calls.get() > 10, () -> "called " + calls + " times");
      enough.set(true);
      new Socket(server.getInetAddress(), server.getLocalPort()).close();
      http.get(FAST.toSeconds(), TimeUnit.SECONDS);
      assertEquals(0, cluster.open());
    }
  }

  @Test
  void aSilentServerFailsAtTheDeadlineAndNotBefore() throws Exception {
    try (Cluster cluster = new Cluster(1, medium.options().build());
        ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Peer silent = new Peer(1, "elsewhere", "127.0.0.1", server.getLocalPort(), "node", "");
      Transport rank = join(cluster, silent);
      long start = System.nanoTime();
      assertThrows(
          DeadlineException.class, () -> rank.link(1, Deadline.after(SHORT), Cancellation.NONE));
      assertTrue(System.nanoTime() - start >= SHORT.toNanos());
      assertTrue(System.nanoTime() - start < FAST.toNanos());
      rank.close();
      assertEquals(0, cluster.open());
    }
  }

  @Test
  void anEndpointOfAnotherApplicationIsRecognised() throws Exception {
    try (Cluster cluster = new Cluster(1, medium.options().build());
        Endpoint other = new Endpoint(medium.options().build())) {
      Peer theirs = other.peer(1, "node", "");
      byte[] secret = new byte[Handshake.TOKEN_BYTES];
      Roster roster = new Roster(1, 0, secret, List.of(other.peer(0, "node", "")));
      Transport busy = other.join(roster, 0);
      IOException wrongToken = dialFailure(cluster, theirs);
      assertSays(wrongToken, AnswerCode.TOKEN.reason());
      IOException wrongProcess = dialFailure(cluster, theirs.port());
      assertSays(wrongProcess, AnswerCode.ENDPOINT.reason());
      Cluster.await(other, s -> s.rejections() == 2 && s.openConnections() == 0);
      assertEquals(1, other.statistics().rejected().get(Rejection.ENDPOINT));
      busy.close();
    }
  }

  private static IOException dialFailure(Cluster cluster, int port) throws Exception {
    return dialFailure(cluster, new Peer(1, "elsewhere", "127.0.0.1", port, "node", "process 9"));
  }

  private static IOException dialFailure(Cluster cluster, Peer peer) throws Exception {
    Transport rank = join(cluster, peer);
    long start = System.nanoTime();
    IOException failure =
        assertThrows(
            IOException.class, () -> rank.link(1, Deadline.after(LONG), Cancellation.NONE));
    assertTrue(System.nanoTime() - start < FAST.toNanos());
    rank.close();
    return failure;
  }

  private static Transport join(Cluster cluster, Peer peer) throws IOException {
    Peer me = cluster.endpoint(0).peer(0, "node", "");
    long communicator = cluster.roster(0).communicator();
    return cluster
        .endpoint(0)
        .join(new Roster(communicator, 0, cluster.token(), List.of(me, peer)), 0);
  }

  private static int readOne(Transport transport, Link link) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(1);
    Deadline deadline = Deadline.after(FAST);
    int count = link.read(target);
    while (count == 0 && !deadline.expired()) {
      transport.await(link, null, TimeUnit.MILLISECONDS.toNanos(100));
      count = link.read(target);
    }
    return count;
  }

  private static Throwable failure(FutureTask<?> task) throws Exception {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> task.get(FAST.toSeconds(), TimeUnit.SECONDS));
    Throwable cause = failure.getCause();
    return cause == null ? failure : cause;
  }
}
