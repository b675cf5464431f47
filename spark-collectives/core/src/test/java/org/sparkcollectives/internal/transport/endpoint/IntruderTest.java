package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.shared.SharedRings;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/**
 * What else may come to an endpoint's port: each is cut off after a bounded number of bytes and a
 * bounded time, is counted, and leaves the endpoint working.
 */
final class IntruderTest {
  private static final Duration HANDSHAKE = Duration.ofSeconds(3);
  private static final Duration PARK = Duration.ofSeconds(3);
  private static final int MAX_PENDING = 16;

  private final Cluster cluster = cluster();
  private List<Transport> ranks = List.of();
  private final List<Caller> callers = new ArrayList<>();

  private static Cluster cluster() {
    return new Cluster(
        2,
        Cluster.options()
            .handshakeTimeout(HANDSHAKE)
            .parkTimeout(Duration.ofSeconds(5))
            .maxPending(MAX_PENDING)
            .maxParked(3)
            .build());
  }

  @BeforeEach
  void start() throws IOException {
    ranks = cluster.communicator(0, 1);
  }

  @AfterEach
  void theEndpointStillWorksAndNothingIsLeft() throws Exception {
    try (cluster) {
      Traffic.run(ranks, 1, 10, 1000);
      ranks.forEach(Transport::release);
      endAll();
    }
  }

  private void endAll() throws IOException {
    for (Caller caller : callers) {
      caller.end();
    }
  }

  private static void assertCutOff(Caller caller) throws IOException {
    assertTrue(caller.isCutOff());
  }

  private Caller call() throws IOException {
    Caller caller = new Caller(cluster.endpoint(1).peer(1, "node", ""));
    callers.add(caller);
    return caller;
  }

  private void assertRejected(Rejection reason, int count) throws InterruptedException {
    Cluster.await(
        cluster.endpoint(1),
        s -> Long.valueOf(count).equals(s.rejected().get(reason)) && s.pending() == 0);
    assertEquals(count, cluster.endpoint(1).statistics().rejections());
  }

  @Test
  void garbageIsCutOffAfterTheHeadersSize() throws Exception {
    Caller caller = call();
    caller.send("GET / HT".getBytes(StandardCharsets.US_ASCII));
    assertCutOff(caller);
    assertRejected(Rejection.NOT_OURS, 1);
  }

  @Test
  void anotherVersionIsAnsweredAndCutOff() throws Exception {
    Caller caller = call();
    caller.send(caller.hello().putShort(WireFormat.VERSION_OFFSET, (short) 1));
    assertEquals(AnswerCode.VERSION, caller.answer());
    assertCutOff(caller);
    assertRejected(Rejection.VERSION, 1);
  }

  @Test
  void anotherByteOrderIsAnsweredAndCutOff() throws Exception {
    Caller caller = call();
    byte other = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? (byte) 'B' : (byte) 'L';
    caller.send(caller.hello().put(WireFormat.ORDER_OFFSET, other));
    assertEquals(AnswerCode.BYTE_ORDER, caller.answer());
    assertCutOff(caller);
    assertRejected(Rejection.BYTE_ORDER, 1);
  }

  @Test
  void aCallForAnotherProcessIsAnsweredAndCutOff() throws Exception {
    Caller caller = call();
    caller.send(Caller.hello("another"));
    assertEquals(AnswerCode.ENDPOINT, caller.answer());
    assertCutOff(caller);
    assertRejected(Rejection.ENDPOINT, 1);
  }

  @Test
  void encryptionThatIsNotThisProcesssIsAnsweredAndCutOff() throws Exception {
    Caller caller = call();
    Sealing records = new RecordSealing();
    caller.send(Handshake.hello(caller.endpoint(), records.code(), records.share().told()));
    assertEquals(AnswerCode.SEALING, caller.answer());
    assertCutOff(caller);
    assertRejected(Rejection.SEALING, 1);
  }

  @Test
  void whoKnowsTheProcessIsNotPushedOutByThoseWhoDoNot() throws Exception {
    Caller honest = call();
    ByteBuffer challenge = honest.challenged();
    for (int i = 0; i < 3 * MAX_PENDING; i++) {
      call();
    }
    honest.send(Handshake.proof(cluster.token(), honest.hello(), challenge));
    honest.send(WireFormat.lease(new Lease(700, 0, 0, 1), 1));
    assertEquals(AnswerCode.ACCEPTED, honest.answer());
    endAll();
    Cluster.await(cluster.endpoint(1), s -> s.pending() == 0);
  }

  @Test
  void aFrameOutOfTurnIsCutOff() throws Exception {
    for (byte type = 0; type <= 8; type++) {
      if (type != WireFormat.HELLO) {
        Caller caller = call();
        caller.send(WireFormat.frame(WireFormat.LEASE).put(WireFormat.TYPE_OFFSET, type));
        assertCutOff(caller);
      }
    }
    assertRejected(Rejection.NOT_OURS, 8);
  }

  @Test
  void anotherTokenIsAnsweredAndCutOff() throws Exception {
    Caller caller = call();
    ByteBuffer challenge = caller.challenged();
    caller.send(Handshake.proof(new byte[Handshake.TOKEN_BYTES], caller.hello(), challenge));
    assertEquals(AnswerCode.TOKEN, caller.answer());
    assertCutOff(caller);
    assertRejected(Rejection.TOKEN, 1);
  }

  @Test
  void aTokenOfBeforeIsProvedInVain() throws Exception {
    Caller caller = call();
    ByteBuffer challenge = caller.challenged();
    cluster.endpoint(1).expect(new byte[Handshake.TOKEN_BYTES]);
    caller.send(Handshake.proof(cluster.token(), caller.hello(), challenge));
    assertEquals(AnswerCode.TOKEN, caller.answer());
    assertCutOff(caller);
    assertRejected(Rejection.TOKEN, 1);
    cluster.endpoint(1).expect(cluster.token());
  }

  @Test
  void theAcceptorsOwnCodeSentBackProvesNothing() throws Exception {
    Caller caller = call();
    ByteBuffer challenge = caller.challenged();
    caller.send(
        WireFormat.frame(WireFormat.PROOF)
            .put(
                WireFormat.PROOF_MAC_OFFSET,
                challenge,
                WireFormat.CHALLENGE_MAC_OFFSET,
                WireFormat.MAC_BYTES));
    assertEquals(AnswerCode.TOKEN, caller.answer());
    assertCutOff(caller);

    // The nonce of one connection, made into the caller's nonce of another.
    Caller victim = call();
    ByteBuffer wanted = victim.challenged();
    Caller oracle = call();
    oracle.send(
        oracle
            .hello()
            .put(
                WireFormat.HELLO_NONCE_OFFSET,
                wanted,
                WireFormat.CHALLENGE_NONCE_OFFSET,
                WireFormat.NONCE_BYTES));
    ByteBuffer made = oracle.receive(WireFormat.CHALLENGE);
    victim.send(
        WireFormat.frame(WireFormat.PROOF)
            .put(
                WireFormat.PROOF_MAC_OFFSET,
                made,
                WireFormat.CHALLENGE_MAC_OFFSET,
                WireFormat.MAC_BYTES));
    assertEquals(AnswerCode.TOKEN, victim.answer());
    assertCutOff(victim);
    oracle.end();
    Cluster.await(cluster.endpoint(1), s -> s.rejections() == 3);
  }

  @Test
  void aRecordedHandshakeDoesNotServeAgain() throws Exception {
    Caller honest = call();
    ByteBuffer challenge = honest.challenged();
    ByteBuffer proof = Handshake.proof(cluster.token(), honest.hello(), challenge);
    honest.send(proof);
    Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
    Caller replay = call();
    replay.send(honest.hello());
    ByteBuffer fresh = replay.receive(WireFormat.CHALLENGE);
    assertFalse(fresh.equals(challenge));
    replay.send(proof);
    assertEquals(AnswerCode.TOKEN, replay.answer());
    assertCutOff(replay);
    assertRejected(Rejection.TOKEN, 1);
  }

  @Test
  void anEndInTheMiddleOfTheHandshakeIsCounted() throws Exception {
    Caller early = call();
    early.end();
    Caller middle = call();
    middle.send("SCOL".getBytes(StandardCharsets.US_ASCII));
    middle.end();
    Caller late = call();
    late.challenged();
    late.end();
    assertRejected(Rejection.TRUNCATED, 3);
  }

  @Test
  void aFloodAfterTheFirstFrameIsCutOff() throws Exception {
    Caller caller = call();
    caller.challenged();
    long sent = 0;
    try {
      byte[] flood = new byte[1 << 16];
      for (; sent < 1L << 28; sent += flood.length) {
        caller.send(flood);
      }
    } catch (SocketException reset) {
      assertTrue(sent < 1L << 28);
    }
    assertCutOff(caller);
    assertTrue(sent < 1L << 28, "all was taken");
    assertRejected(Rejection.NOT_OURS, 1);
  }

  @Test
  void silenceIsCutOffInTimeAndNotBefore() throws Exception {
    long start = System.nanoTime();
    Caller silent = call();
    Caller half = call();
    half.challenged();
    assertCutOff(silent);
    assertCutOff(half);
    assertTrue(System.nanoTime() - start >= HANDSHAKE.toNanos());
    assertRejected(Rejection.TIMEOUT, 2);
  }

  @Test
  void aByteNowAndThenDoesNotExtendTheTime() throws Exception {
    Caller caller = call();
    ByteBuffer hello = caller.hello();
    long start = System.nanoTime();
    int sent = 0;
    try {
      while (sent < hello.limit() && !expired(cluster.endpoint(1))) {
        caller.send(hello.get(sent++));
        Thread.sleep(100);
      }
    } catch (SocketException reset) {
      assertTrue(expired(cluster.endpoint(1)));
    }
    assertTrue(sent < hello.limit());
    assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
    assertRejected(Rejection.TIMEOUT, 1);
  }

  private static boolean expired(Endpoint endpoint) {
    return endpoint.statistics().rejections() > 0;
  }

  @Test
  void aCrowdPushesItsOldestOut() throws Exception {
    for (int i = 0; i < 3 * MAX_PENDING; i++) {
      call();
    }
    Cluster.await(
        cluster.endpoint(1),
        s -> Long.valueOf(2 * MAX_PENDING).equals(s.rejected().get(Rejection.CROWDED)));
    Traffic.run(ranks, 2, 10, 1000);
    endAll();
    Cluster.await(cluster.endpoint(1), s -> s.pending() == 0);
  }

  @Test
  void leasesThatNobodyCanServeAreRefused() throws Exception {
    Roster known = cluster.numbered(500, 4, 1, 0, 1);
    Transport two = cluster.endpoint(1).join(known, 2);
    assertEquals(AnswerCode.STALE_EPOCH, lease(new Lease(500, 3, 1, 2)));
    assertEquals(AnswerCode.NO_SUCH_RANK, lease(new Lease(500, 4, 0, 1)));
    assertEquals(AnswerCode.NO_SUCH_RANK, lease(new Lease(500, 4, 2, 1)));
    assertEquals(AnswerCode.NO_SUCH_RANK, lease(new Lease(600, 4, -1, 1)));
    two.close();
    assertEquals(AnswerCode.ENDED, lease(new Lease(500, 4, 1, 2)));
    for (int rank = 1; rank <= 3; rank++) {
      assertEquals(AnswerCode.ACCEPTED, lease(new Lease(600, 0, 0, rank)));
    }
    Cluster.await(cluster.endpoint(1), s -> s.parkedLeases() == 3);
    assertEquals(AnswerCode.CROWDED, lease(new Lease(600, 0, 0, 4)));
    Cluster.await(cluster.endpoint(1), s -> s.parkedLeases() == 0);
    assertEquals(6, cluster.endpoint(1).statistics().rejections());
  }

  private AnswerCode lease(Lease lease) throws IOException {
    Caller caller = call();
    caller.authenticate(cluster.token());
    caller.send(WireFormat.lease(lease, 1));
    AnswerCode answer = caller.answer();
    if (answer != AnswerCode.ACCEPTED) {
      assertCutOff(caller);
    }
    return answer;
  }

  @Test
  void memoryIsOfferedOnceAndBeforeTheFirstLease(@TempDir Path folder) throws Exception {
    EndpointOptions options = Cluster.options().sharedMemory(folder.toString()).build();
    try (Endpoint endpoint = new Endpoint(options)) {
      Peer peer = endpoint.peer(1, "node", "");
      Peer dialer = new Peer(0, "elsewhere", "127.0.0.1", 1, "node", "");
      List<Peer> peers = List.of(dialer, peer, endpoint.peer(2, "node", ""));
      Roster roster = new Roster(1, 0, cluster.token(), peers);
      Transport one = endpoint.join(roster, 1);
      Transport two = endpoint.join(roster, 2);

      Caller caller = new Caller(peer);
      callers.add(caller);
      caller.authenticate(cluster.token());
      SharedRings rings = SharedRings.create(folder, 4096);
      caller.send(WireFormat.share(rings.name()));
      caller.send(new byte[3]); // doorbells may come before any frame from now on
      caller.send(WireFormat.lease(new Lease(1, 0, 0, 1), 1));
      ByteBuffer answer = caller.receive(WireFormat.ANSWER);
      assertEquals(AnswerCode.ACCEPTED, WireFormat.answer(answer));
      assertTrue(WireFormat.isShared(answer));
      assertEquals(List.of(), Medium.files(folder));

      Link link = one.link(0, Deadline.after(Duration.ofSeconds(20)), Cancellation.NONE);
      rings.outbound().write(ByteBuffer.wrap(new byte[] {7}));
      ByteBuffer target = ByteBuffer.allocate(1);
      assertEquals(1, link.read(target));
      assertEquals(7, target.get(0));
      one.release();
      assertTrue(WireFormat.isReturned(caller.receive(WireFormat.RETURNED), new Lease(1, 0, 0, 1)));
      caller.send(new byte[5]);
      caller.send(WireFormat.lease(new Lease(1, 0, 0, 2), 1));
      ByteBuffer again = caller.receive(WireFormat.ANSWER);
      assertEquals(AnswerCode.ACCEPTED, WireFormat.answer(again));
      assertTrue(WireFormat.isShared(again));
      two.close();
      assertCutOff(caller);

      Caller twice = new Caller(peer);
      callers.add(twice);
      twice.authenticate(cluster.token());
      twice.send(WireFormat.share(SharedRings.create(folder, 4096).name()));
      twice.send(WireFormat.share(SharedRings.create(folder, 4096).name()));
      assertCutOff(twice);
      assertEquals(1, endpoint.statistics().rejected().get(Rejection.NOT_OURS));
      assertEquals(2, endpoint.statistics().shared());
    }
  }

  @Test
  void memoryThatIsNotHereIsNotShared(@TempDir Path folder) throws Exception {
    EndpointOptions options = Cluster.options().sharedMemory(folder.toString()).build();
    try (Endpoint endpoint = new Endpoint(options)) {
      Peer peer = endpoint.peer(0, "node", "");
      endpoint.join(new Roster(1, 0, cluster.token(), List.of(peer)), 0).close();
      Caller caller = new Caller(peer);
      callers.add(caller);
      caller.authenticate(cluster.token());
      caller.send(WireFormat.share(new byte[CarrierProvider.NAME_BYTES]));
      caller.send(WireFormat.lease(new Lease(2, 0, 0, 1), 1));
      ByteBuffer answer = caller.receive(WireFormat.ANSWER);
      assertEquals(AnswerCode.ACCEPTED, WireFormat.answer(answer));
      assertFalse(WireFormat.isShared(answer));
      assertEquals(1, endpoint.statistics().notShared());

      Caller zeros = new Caller(peer);
      callers.add(zeros);
      zeros.authenticate(cluster.token());
      zeros.send(new byte[WireFormat.LEASE_BYTES]); // no doorbells where no memory is shared
      assertCutOff(zeros);
    }
  }

  @Test
  void garbageInsteadOfALeaseIsCutOff() throws Exception {
    Caller caller = call();
    caller.authenticate(cluster.token());
    caller.send(new byte[WireFormat.LEASE_BYTES]);
    assertCutOff(caller);
    assertRejected(Rejection.NOT_OURS, 1);
  }

  @Test
  void aCallerBeforeTheTokenIsKnownWaitsAndNotForEver() throws Exception {
    try (Endpoint fresh = new Endpoint(Cluster.options().parkTimeout(PARK).build())) {
      Peer peer = fresh.peer(0, "node", "");
      Caller tooEarly = new Caller(peer);
      callers.add(tooEarly);
      long start = System.nanoTime();
      tooEarly.send(tooEarly.hello());
      assertCutOff(tooEarly);
      assertTrue(System.nanoTime() - start >= PARK.toNanos());

      Caller early = new Caller(peer);
      callers.add(early);
      early.send(early.hello());
      Thread.sleep(300);
      fresh.join(new Roster(1, 0, cluster.token(), List.of(peer)), 0).close();
      ByteBuffer challenge = early.receive(WireFormat.CHALLENGE);
      assertTrue(Handshake.provesAcceptor(cluster.token(), early.hello(), challenge));
      early.send(Handshake.proof(cluster.token(), early.hello(), challenge));
      Cluster.await(fresh, s -> s.idleAccepted() == 1);

      byte[] next = new byte[Handshake.TOKEN_BYTES];
      fresh.join(new Roster(2, 0, next, List.of(peer)), 0).close();
      assertCutOff(early);
      assertEquals(1, fresh.statistics().rejections());
    }
  }
}
