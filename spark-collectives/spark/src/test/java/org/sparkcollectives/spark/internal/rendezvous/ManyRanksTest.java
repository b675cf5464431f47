package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;

/** What the driver says to many ranks, in bytes, and what their processes make of it. */
@Timeout(120)
class ManyRanksTest {
  private static final int RANKS = 10_000;
  private static final int EXECUTORS = 625;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  /** Keeps what is handed out. */
  private static final class Keeping implements Handout {
    /** As long as the real one, or longer. */
    private static final int REFERENCE_BYTES = 2048;

    private final List<byte[]> given = new ArrayList<>();
    private int ended;

    @Override
    public Handed give(byte[] bytes) {
      given.add(bytes);
      return new Handed() {
        @Override
        public byte[] reference() {
          return new byte[REFERENCE_BYTES];
        }

        @Override
        public void end() {
          ended++;
        }
      };
    }
  }

  private static List<Wire.Member> executors() {
    return executors(EXECUTORS);
  }

  private static List<Wire.Member> executors(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            executor ->
                new Wire.Member(
                    UUID.nameUUIDFromBytes(new byte[] {(byte) executor, (byte) (executor >> 8)})
                        .toString(),
                    "worker-" + executor + ".example.org",
                    30_000 + 7 * executor,
                    "node " + executor,
                    "executor " + executor))
        .toList();
  }

  /** Replies to all ranks of one attempt, in rank order. */
  private List<byte[]> meet(List<Wire.Member> ranks, long known) {
    return meet(ranks, known, new NoHandout());
  }

  private List<byte[]> meet(List<Wire.Member> ranks, long known, Handout handout) {
    Rendezvous rendezvous =
        new Rendezvous(
            new Attempt("barrier", 1, 0, CollectiveConf.of(new SparkConf(false)), 0),
            ranks.size(),
            Admission.ALL,
            new Replies(new byte[ApplicationSecret.BYTES], Encryption.NONE, handout),
            HostRacks.NONE,
            timer);
    List<byte[]> replies = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      rendezvous.receive(
          new Wire.Join(1, 0, rank, 7, ranks.get(rank), null, null, known), keeping(replies));
    }
    rendezvous.close();
    assertEquals(ranks.size(), replies.size());
    return replies;
  }

  private static RpcCallContext keeping(List<byte[]> replies) {
    return new RpcCallContext() {
      @Override
      public void reply(Object response) {
        replies.add((byte[]) response);
      }

      @Override
      public void sendFailure(Throwable e) {
        throw new AssertionError(e);
      }

      @Override
      public RpcAddress senderAddress() {
        return new RpcAddress("host", 1);
      }
    };
  }

  private static long bytes(List<byte[]> replies) {
    return replies.stream().mapToLong(reply -> reply.length).sum();
  }

  @Test
  void everyExecutorIsToldOnceAndNotAgain() throws IOException {
    List<Wire.Member> executors = executors();
    List<Wire.Member> ranks =
        IntStream.range(0, RANKS).mapToObj(rank -> executors.get(rank * 31 % EXECUTORS)).toList();
    List<byte[]> first = meet(ranks, Members.NONE);
    assertTrue(bytes(first) < 50_000_000, bytes(first) + " bytes");

    int told = 0;
    long version = Members.NONE;
    for (int rank = 0; rank < RANKS; rank++) {
      Wire.Joined joined = (Wire.Joined) Wire.decode(first.get(rank));
      assertEquals(rank, joined.rank());
      version = joined.version();
      Wire.Told members = joined.told();
      if (members != null) {
        told++;
        assertFalse(members.handedOut());
        Members decoded = Members.decode(members.bytes());
        assertEquals(version, decoded.version());
        assertEquals(RANKS, decoded.size());
        assertEquals(ranks.get(rank), decoded.member(rank));
      }
    }
    assertEquals(EXECUTORS, told);

    List<byte[]> again = meet(ranks, version);
    assertTrue(bytes(again) < 10_000_000, bytes(again) + " bytes");
    for (byte[] reply : again) {
      assertNull(((Wire.Joined) Wire.decode(reply)).told());
    }
  }

  @Test
  void theMembersOfAHundredThousandRanksAreHandedOutOnce() throws IOException {
    int size = 10 * RANKS;
    int processes = 10 * EXECUTORS;
    List<Wire.Member> executors = executors(processes);
    List<Wire.Member> ranks =
        IntStream.range(0, size).mapToObj(rank -> executors.get(rank * 31 % processes)).toList();
    Keeping handout = new Keeping();
    List<byte[]> replies = meet(ranks, Members.NONE, handout);
    assertEquals(1, handout.given.size());
    assertEquals(1, handout.ended, "it is of no use after the attempt");
    assertEquals(ranks.get(size - 1), Members.decode(handout.given.get(0)).member(size - 1));
    long all = bytes(replies) + handout.given.get(0).length;
    assertTrue(all < 32_000_000, all + " bytes");
    long told = 0;
    for (byte[] reply : replies) {
      Wire.Told members = ((Wire.Joined) Wire.decode(reply)).told();
      if (members != null) {
        told++;
        assertTrue(members.handedOut());
        assertEquals(Keeping.REFERENCE_BYTES, members.bytes().length);
      }
    }
    assertEquals(processes, told);
  }

  /** The members of an attempt in which all ranks take part. */
  private static Members members(Wire.Member... ranks) {
    return Members.of(List.of(ranks), IntStream.range(0, ranks.length).toArray());
  }

  @Test
  void anotherPlacementIsToldAnew() {
    List<Wire.Member> executors = executors();
    Members members = members(executors.get(0), executors.get(1), executors.get(0));
    Members other = members(executors.get(0), executors.get(0), executors.get(1));
    assertNotEquals(members.version(), other.version());
    Wire.Joined reply =
        (Wire.Joined)
            Wire.decode(
                meet(List.of(other.member(0), other.member(1), other.member(2)), members.version())
                    .get(0));
    assertEquals(other.version(), reply.version());
    assertNotNull(reply.told());
  }

  @Test
  void aRackIsToldWithItsProcess() throws IOException {
    List<Wire.Member> executors = executors();
    Wire.Member inRack = executors.get(1).in("/größe/2");
    Members members = Members.decode(members(executors.get(0), inRack, inRack).encode());
    assertEquals(
        List.of("", "/größe/2", "/größe/2"), members.peers().stream().map(Peer::rack).toList());
    assertEquals(inRack, members.member(2));
    Members before = members(executors.get(0), executors.get(1), executors.get(1));
    assertNotEquals(before.version(), members.version());
    Members again = members(executors.get(0), inRack, inRack);
    assertEquals(again.version(), members.version());
  }

  @Test
  void membersKnowTheirProcesses() throws IOException {
    List<Wire.Member> executors = executors();
    Members mixed =
        Members.decode(members(executors.get(3), executors.get(1), executors.get(3)).encode());
    assertTrue(mixed.lowestOfProcess(0) && mixed.lowestOfProcess(1) && !mixed.lowestOfProcess(2));
    assertFalse(mixed.processesInOrder() || mixed.inOneProcess() || mixed.onePerProcess());
    assertEquals(executors.get(3).peer(2, 2), mixed.peers().get(2));
    Members inOrder = members(executors.get(3), executors.get(3), executors.get(1));
    assertTrue(inOrder.processesInOrder() && !inOrder.onePerProcess());
    Members apart = members(executors.get(2), executors.get(1));
    assertTrue(apart.onePerProcess() && apart.processesInOrder());
    assertTrue(members(executors.get(2), executors.get(2)).inOneProcess());
  }

  @Test
  void membersAreKnownByTheNumbersOfTheirTasks() throws IOException {
    List<Wire.Member> ranks = executors().subList(0, 3);
    Members some = Members.of(ranks, new int[] {1, 4, 5});
    List<Peer> peers = Members.decode(some.encode()).peers();
    assertEquals(List.of(0, 1, 2), peers.stream().map(Peer::rank).toList());
    assertEquals(List.of(1, 4, 5), peers.stream().map(Peer::number).toList());
    assertTrue(peers.get(1).toString().startsWith("rank 4 on "), peers.get(1).toString());
    assertNotEquals(members(ranks.toArray(new Wire.Member[0])).version(), some.version());
  }
}
