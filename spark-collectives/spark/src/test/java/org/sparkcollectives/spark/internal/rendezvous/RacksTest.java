package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.transport.Transport;

/** What ranks are told of the racks of their hosts. */
@Timeout(60)
class RacksTest {
  private static final CollectiveConf CONF = CollectiveConf.of(new SparkConf(false));
  private static final String[] TABLE = {
    "192.0.2.1 /a", "192.0.2.2 /b", "192.0.2.3 /a", "192.0.2.4 /b"
  };

  @TempDir private Path folder;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "timer of the test"));

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private Rendezvous rendezvous(int size, HostRacks racks) {
    return new Rendezvous(
        new Attempt("collectively", 1, 0, CONF, 0),
        size,
        Admission.ALL,
        new Replies(new byte[ApplicationSecret.BYTES], Encryption.NONE, new NoHandout()),
        racks,
        timer);
  }

  /** The executor of a rank: ranks 0 to 3 are on four hosts, 4 to 7 on the same again. */
  private static Wire.Member member(int rank) {
    int host = 1 + rank % 4;
    return new Wire.Member(
        "process " + rank, "192.0.2." + host, 1, "node " + host, "executor " + rank);
  }

  private static List<Wire.Member> members(int size) {
    return IntStream.range(0, size).mapToObj(RacksTest::member).toList();
  }

  private static CompletableFuture<Wire.Message> ask(Rendezvous meets, Wire.Request request) {
    CompletableFuture<Wire.Message> reply = new CompletableFuture<>();
    meets.receive(
        request,
        new RpcCallContext() {
          @Override
          public void reply(Object response) {
            assertTrue(reply.complete(Wire.decode(response)), "a second answer");
          }

          @Override
          public void sendFailure(Throwable e) {
            reply.completeExceptionally(e);
          }

          @Override
          public RpcAddress senderAddress() {
            return new RpcAddress("host", 1);
          }
        });
    return reply;
  }

  private static List<CompletableFuture<Wire.Message>> joinAll(
      Rendezvous meets, List<Wire.Member> members, long known) {
    List<CompletableFuture<Wire.Message>> replies = new ArrayList<>();
    for (int rank = 0; rank < members.size(); rank++) {
      Wire.Join join = new Wire.Join(1, 0, rank, 7, members.get(rank), null, null, known);
      replies.add(ask(meets, join));
    }
    return replies;
  }

  private static Members told(CompletableFuture<Wire.Message> reply) throws IOException {
    Wire.Joined joined = assertInstanceOf(Wire.Joined.class, reply.join());
    Wire.Told told = joined.told();
    assertNotNull(told);
    assertFalse(told.handedOut());
    Members members = Members.decode(told.bytes());
    assertEquals(joined.version(), members.version());
    return members;
  }

  @Test
  void ranksSeeATopologyWithRacks() throws IOException {
    SparkConf conf = new SparkConf(false).set("spark.collectives.advertisedHost", "192.0.2.3");
    try (Endpoint endpoint = new Endpoint(CollectiveConf.of(conf).endpoint("localhost", false))) {
      Peer own = endpoint.peer(0, "node 3", "executor 2");
      List<Wire.Member> members = new ArrayList<>(members(8));
      members.set(2, Wire.Member.of(own));
      Rendezvous meets = rendezvous(8, HostRacks.of(HostRacksTest.table(folder, TABLE)));
      Members told = told(joinAll(meets, members, Members.NONE).get(2));
      Roster roster = new Roster(1, 0, new byte[ApplicationSecret.BYTES], told.peers());
      try (Transport links = endpoint.join(roster, 2)) {
        Topology topology = new Communicator(links, CommunicatorOptions.DEFAULT).topology();
        assertTrue(topology.hasRacks(), topology::toString);
        assertEquals(4, topology.hosts(8));
        assertEquals(
            List.of(0, 1, 0, 1),
            IntStream.range(0, 4).mapToObj(rank -> topology.rack(topology.host(rank))).toList());
      }
      meets.close();
    }
  }

  @Test
  void aRosterWithRacksIsToldOnce() throws IOException {
    HostRacks racks = HostRacks.of(HostRacksTest.table(folder, TABLE));
    Members told = told(joinAll(rendezvous(8, racks), members(8), Members.NONE).get(0));
    assertEquals(List.of("/a", "/b", "/a", "/b", "/a", "/b", "/a", "/b"), racksOf(told));
    Rendezvous again = rendezvous(8, racks);
    for (CompletableFuture<Wire.Message> reply : joinAll(again, members(8), told.version())) {
      assertTrue(reply.isDone(), "the racks are known");
      assertNull(((Wire.Joined) reply.join()).told());
    }
    assertEquals(
        "/b", again.attendance().ranks().stream().map(Attendance.Present::rack).toList().get(1));
    Members without =
        told(joinAll(rendezvous(8, HostRacks.NONE), members(8), told.version()).get(0));
    assertNotEquals(told.version(), without.version());
  }

  @Test
  void aMachineOfTwoNamesIsInOneRack() throws IOException {
    List<Wire.Member> members = new ArrayList<>(members(4));
    members.set(3, new Wire.Member("process 3", "192.0.2.2", 1, "node 1", "executor 3"));
    HostRacks racks = HostRacks.of(HostRacksTest.table(folder, TABLE));
    Members told = told(joinAll(rendezvous(4, racks), members, Members.NONE).get(3));
    assertEquals(List.of("/a", "/b", "/a", "/a"), racksOf(told));
  }

  @Test
  void ranksMeetWhereNoRackIsFound() throws IOException {
    HostRacks racks =
        new HostRacks(
            hosts -> {
              throw new IllegalStateException("no script");
            },
            60_000,
            HostRacks::begin);
    for (int attempt = 0; attempt < 2; attempt++) {
      Members told = told(joinAll(rendezvous(4, racks), members(4), Members.NONE).get(2));
      assertEquals(members(4).stream().map(member -> "").toList(), racksOf(told));
    }
  }

  private static List<String> racksOf(Members members) {
    return members.peers().stream().map(Peer::rack).toList();
  }

  @Test
  void ranksCanFailWhileRacksAreLookedUp() throws InterruptedException {
    CompletableFuture<Thread> asked = new CompletableFuture<>();
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    HostRacks racks =
        new HostRacks(
            hosts -> {
              asked.complete(Thread.currentThread());
              return answer.join();
            },
            60_000,
            HostRacks::begin);
    Rendezvous meets = rendezvous(4, racks);
    List<CompletableFuture<Wire.Message>> replies = joinAll(meets, members(4), Members.NONE);
    Thread asks = asked.join();
    assertFalse(replies.get(0).isDone());
    var failed = new Wire.Failed(1, 0, 3, "rank 3", Wire.Severity.CAUSE, "out of memory", null);
    var unused = ask(meets, failed).join();
    for (CompletableFuture<Wire.Message> reply : replies) {
      assertInstanceOf(Wire.Aborted.class, reply.join());
    }
    answer.complete(List.of("/a", "/b", "/a", "/b"));
    asks.join();
    assertEquals("/b", racks.of(List.of("192.0.2.2")).join().get("192.0.2.2"));
    assertEquals("", meets.attendance().ranks().get(0).rack(), "the attempt was over");
  }

  /** A rack whose name has more bytes than a member's encoding takes. */
  @Test
  void ranksThatCannotBeToldOfEachOtherAreToldWhy() {
    HostRacks racks =
        new HostRacks(
            hosts -> hosts.stream().map(host -> "/" + "r".repeat(70_000)).toList(),
            60_000,
            HostRacks::begin);
    for (int attempt = 0; attempt < 2; attempt++) { // the second knows the racks
      Rendezvous meets = rendezvous(4, racks);
      for (CompletableFuture<Wire.Message> reply : joinAll(meets, members(4), Members.NONE)) {
        Wire.Aborted aborted = assertInstanceOf(Wire.Aborted.class, reply.join());
        assertTrue(aborted.text().contains("UTFDataFormatException"), aborted::text);
      }
      Failure failure = meets.awaitFailure(60_000);
      assertNotNull(failure);
      assertInstanceOf(UncheckedIOException.class, failure.exception().getCause());
      meets.close();
    }
  }

  @Test
  void aRankThatCannotBeAnsweredEndsTheAttempt() {
    Rendezvous meets = rendezvous(3, HostRacks.of(new Configuration(false)));
    var first = ask(meets, join(0));
    meets.receive(
        join(1),
        new RpcCallContext() {
          @Override
          public void reply(Object response) {
            throw new IllegalStateException("it has gone");
          }

          @Override
          public void sendFailure(Throwable e) {}

          @Override
          public RpcAddress senderAddress() {
            return new RpcAddress("host", 1);
          }
        });
    var last = ask(meets, join(2));
    assertInstanceOf(Wire.Joined.class, first.join());
    assertInstanceOf(Wire.Aborted.class, last.join());
    Failure failure = meets.awaitFailure(60_000);
    assertNotNull(failure);
    assertTrue(failure.text().contains("it has gone"), failure::text);
  }

  private static Wire.Join join(int rank) {
    return new Wire.Join(1, 0, rank, 7, member(rank), null, null, Members.NONE);
  }

  /** Who meets after a lookup does so in a thread of the rendezvous, the timer's. */
  @Test
  void ranksAreToldInTheTimersThread() throws IOException {
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    HostRacks racks = new HostRacks(hosts -> answer.join(), 60_000, HostRacks::begin);
    Rendezvous meets = rendezvous(2, racks);
    CompletableFuture<String> thread = new CompletableFuture<>();
    var first = ask(meets, join(0));
    var named = first.thenAccept(reply -> thread.complete(Thread.currentThread().getName()));
    var last = ask(meets, join(1));
    answer.complete(List.of("/a", "/b"));
    named.join();
    assertEquals("timer of the test", thread.join());
    assertEquals(List.of("/a", "/b"), racksOf(told(first)));
    assertInstanceOf(Wire.Joined.class, last.join());
  }
}
