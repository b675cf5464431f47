package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.group.GroupPlan;
import org.sparkcollectives.internal.group.ProcessGroup;
import org.sparkcollectives.testing.FreePorts;
import org.sparkcollectives.testing.Loopback;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** Groups whose ranks open them as processes do, each in a thread of its own. */
class GroupTest extends MeetingRanks {
  private static final Path SOCKETS = Path.of("/proc/net/tcp");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void ranksMeetByTheAddressOfRankZero(int size) throws Exception {
    List<Future<Long>> sums = new ArrayList<>();
    sums.add(start(first(size), MeetingRanks::sum));
    for (int rank = 1; rank < size; rank++) {
      sums.add(start(other(size).rank(rank), MeetingRanks::sum));
    }
    for (Future<Long> sum : sums) {
      assertEquals(size * (size + 1L) / 2, get(sum));
    }
  }

  @Test
  void aGroupHasCommunicatorsAtOnceAndOneAfterTheOther() throws Exception {
    Use<int[]> use =
        group -> {
          try (Communicator one = group.communicator();
              Communicator two =
                  group.communicator(
                      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30)))) {
            int[] sum = one.allReduce(new int[] {group.rank()}, ReduceOp.SUM);
            int[] most = two.allReduce(new int[] {sum[0] + group.rank()}, ReduceOp.MAX);
            one.barrier();
            for (int i = 0; i < 20; i++) {
              assertEquals(3, sum(group));
            }
            return two.broadcast(new int[] {most[0] * (group.rank() + 1)}, 1);
          }
        };
    Future<int[]> zero = start(first(2), use);
    Future<int[]> one = start(other(2).rank(1), use);
    assertArrayEquals(new int[] {4}, get(zero));
    assertArrayEquals(new int[] {4}, get(one));
  }

  /** Else who has vanished keeps its rank until the deadline. */
  @Test
  void whoWaitsForOthersIsProbedFromBothSides() throws Exception {
    List<Future<Long>> sums = new ArrayList<>();
    sums.add(start(first(3), MeetingRanks::sum));
    sums.add(start(other(3), MeetingRanks::sum));
    String known = address.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    int port = Integer.parseInt(known.substring(known.lastIndexOf(':') + 1));
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    while (Files.exists(SOCKETS) && probedAt(port) < 2) {
      assertFalse(deadline.expired(), "probed: " + probedAt(port));
      Thread.sleep(20);
    }
    sums.add(start(other(3), MeetingRanks::sum));
    for (Future<Long> sum : sums) {
      assertEquals(6, get(sum));
    }
  }

  /** How many ends of connections from or to a port have a timer that probes them, on Linux. */
  private static long probedAt(int port) throws IOException {
    String end = String.format(Locale.ROOT, ":%04X ", port);
    List<String> sockets = new ArrayList<>(Files.readAllLines(SOCKETS));
    Path ofIpv6 = SOCKETS.resolveSibling("tcp6");
    if (Files.exists(ofIpv6)) {
      sockets.addAll(Files.readAllLines(ofIpv6));
    }
    return sockets.stream().filter(line -> line.contains(end) && line.contains(" 02:")).count();
  }

  @Test
  void whoNamesNoRankGetsOneThatIsLeft() throws Exception {
    Use<Integer> rank =
        group -> {
          assertEquals(15, sum(group));
          return group.rank();
        };
    List<Future<Integer>> ranks = new ArrayList<>();
    ranks.add(start(first(5), rank));
    ranks.add(start(other(5), rank));
    ranks.add(start(other(5).rank(2), rank));
    ranks.add(start(other(5), rank));
    ranks.add(start(other(5), rank));
    Set<Integer> given = new TreeSet<>();
    for (Future<Integer> future : ranks) {
      given.add(get(future));
    }
    assertEquals(Set.of(0, 1, 2, 3, 4), given);
    assertEquals(0, get(ranks.get(0)));
    assertEquals(2, get(ranks.get(2)));
  }

  @Test
  void ranksMeetByAListAndListenWhereItSays() throws Exception {
    List<String> list = new ArrayList<>();
    FreePorts.choose(3).forEach(port -> list.add("127.0.0.1:" + port));
    List<Future<Long>> sums = new ArrayList<>();
    for (int rank = 2; rank >= 0; rank--) { // rank 0 comes last
      String own = list.get(rank);
      sums.add(
          start(
              GroupOptions.builder().size(3).rank(rank).addresses(list).secret(SECRET),
              group -> {
                int port = Integer.parseInt(own.substring(own.indexOf(':') + 1));
                InetAddress host = InetAddress.getLoopbackAddress();
                assertThrows(IOException.class, () -> new ServerSocket(port, 1, host).close());
                return sum(group);
              }));
    }
    for (Future<Long> sum : sums) {
      assertEquals(6, get(sum));
    }
  }

  @Test
  void ranksMeetOnAnyLoopbackAddress() throws Exception {
    String host = Loopback.newest();
    Future<Long> zero = start(first(2).first(host + ":0"), MeetingRanks::sum);
    Future<Long> one = start(other(2).rank(1), MeetingRanks::sum);
    assertEquals(3, get(zero));
    assertEquals(3, get(one));
    assertTrue(get(address).startsWith(host + ":"), get(address));
  }

  @Test
  void rankZeroMayListenOnAllAddressesAndHaveItsPortsChosen() throws Exception {
    int port = FreePorts.choose(1).get(0);
    Future<Long> zero = start(first(2).hosts("0.0.0.0", ""), MeetingRanks::sum);
    Future<Long> one = start(other(2).rank(1).ports(port, port), MeetingRanks::sum);
    assertEquals(3, get(zero));
    assertEquals(3, get(one));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ranksOfOneNodeShareMemory(boolean same, @TempDir Path folder) throws Exception {
    Use<Long> shared =
        group -> {
          sum(group);
          assertEquals(0, group.connections().notShared());
          return group.connections().shared();
        };
    List<Future<Long>> counts = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      GroupOptions.Builder options = rank == 0 ? first(2) : other(2).rank(rank);
      options.ringBytes(1 << 16).sharedMemory(folder.toString());
      counts.add(start(options.node(same ? "one" : "node " + rank), shared));
    }
    assertEquals(same ? 2 : 0, get(counts.get(0)) + get(counts.get(1)));
  }

  /** Ranks in racks a, b, a, b: around a ring 0, 2, 1, 3 two messages of four cross uplinks. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ranksThatAreToldTheirRacksGoByThem(boolean told) throws Exception {
    List<Future<Set<Integer>>> linked = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      GroupOptions.Builder options = rank == 0 ? first(4) : other(4).rank(rank);
      GroupPlan plan =
          options.node("node " + rank).rack(told ? "rack " + rank % 2 : "").build().plan();
      linked.add(threads.submit(() -> linkedByRing(plan)));
    }
    for (int rank = 0; rank < 4; rank++) {
      int opposite = told ? rank ^ 1 : rank ^ 2;
      Set<Integer> all = new TreeSet<>(Set.of(0, 1, 2, 3));
      all.removeAll(Set.of(rank, opposite));
      assertEquals(all, get(linked.get(rank)), "rank " + rank);
    }
  }

  /** Whom a rank has links with after an operation around the ring of all. */
  private static Set<Integer> linkedByRing(GroupPlan plan) {
    Set<Integer> linked = new TreeSet<>();
    try (ProcessGroup group = ProcessGroup.open(plan)) {
      Transport inner = group.join(1);
      InvocationHandler noting =
          (proxy, method, arguments) -> {
            if (method.getName().equals("link")) {
              linked.add((Integer) arguments[0]);
            }
            return method.invoke(inner, arguments);
          };
      Transport noted =
          (Transport)
              Proxy.newProxyInstance(
                  Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, noting);
      try (Communicator communicator = new Communicator(noted, CommunicatorOptions.DEFAULT)) {
        long[] sum =
            communicator.by("ring").allReduce(new long[] {1L << group.rank(), 0}, ReduceOp.SUM);
        assertEquals(15, sum[0]);
      }
    }
    return linked;
  }

  @Test
  void aClosedGroupHasNoCommunicators() {
    Group group = Group.open(first(1).build());
    assertEquals(1, sum(group));
    group.close();
    group.close();
    assertSays(assertThrows(CollectiveException.class, group::communicator), "it is closed");
  }

  @Test
  @SuppressWarnings("NullAway") // what a user's Java code can do
  void aCommunicatorThatIsRefusedDoesNotCountInTheirOrder() throws Exception {
    Future<Long> zero = start(first(2), MeetingRanks::sum);
    Use<Long> refused =
        group -> {
          assertSays(
              assertThrows(InvalidInputException.class, () -> group.communicator(null)),
              "the argument options is null");
          return sum(group);
        };
    Future<Long> one = start(other(2).rank(1), refused);
    assertEquals(3, get(zero));
    assertEquals(3, get(one));
  }

  @Test
  void ranksThatEncrypt() throws Exception {
    List<Future<Long>> sums = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      GroupOptions.Builder options = rank == 0 ? first(3) : other(3).rank(rank);
      sums.add(start(options.sharedMemory("").encrypted(true), MeetingRanks::sum));
    }
    for (Future<Long> sum : sums) {
      assertEquals(6, get(sum));
    }
  }

  @Test
  void whoIsAheadIsLetInBeforeTheOtherRankHasACommunicator() throws Exception {
    Future<Long> zero = start(first(2).sharedMemory(""), MeetingRanks::sum);
    GroupOptions options = other(2).rank(1).sharedMemory("").build();
    try (ProcessGroup one = ProcessGroup.open(options.plan())) {
      Deadline deadline = Deadline.after(Duration.ofSeconds(30));
      while (one.statistics().parkedLeases() == 0) {
        assertFalse(deadline.expired(), "rank 0 has not been let in");
        Thread.sleep(5);
      }
      try (Communicator late = new Communicator(one.join(1), options.communicator())) {
        assertEquals(3, late.allReduce(new long[] {2, 1}, ReduceOp.SUM)[0]);
      }
    }
    assertEquals(3, get(zero));
  }

  /** No timeout has to tell who waits for it, or sends to it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1 << 20})
  void aRankThatLeavesEarlyIsNoticedAtOnceByTheOneThatDialedIt(int elements) throws Exception {
    assertLeavingIsNoticed(
        options -> options.sharedMemory(""),
        Communicator::barrier,
        stays -> stays.allReduce(new int[elements], ReduceOp.SUM));
  }

  /** Whatever of a connection's turn the last message has left, sealed or not. */
  @ParameterizedTest
  @CsvSource({
    "1, false",
    "1, true",
    "4, false",
    "7, false",
    "7, true",
    "8, false",
    "8, true",
    "16, false",
    "23, false",
    "23, true",
    "24, false",
    "24, true",
    "25, false"
  })
  void aRankThatLeavesEarlyIsNoticedOverSeveralConnections(int left, boolean sealed)
      throws Exception {
    int bytes = (1 << 16) - 32 - left; // and its header
    assertLeavingIsNoticed(
        options -> options.sharedMemory("").connectionsPerPeer(2).encrypted(sealed),
        all -> all.by("binomial").broadcast(new byte[bytes], 1),
        stays -> stays.by("binomial").broadcast(new byte[10], 1));
  }

  /** Rank 1 leaves when it has done what comes first; rank 0 goes on. */
  private void assertLeavingIsNoticed(
      UnaryOperator<GroupOptions.Builder> options,
      Consumer<Communicator> first,
      Consumer<Communicator> then)
      throws Exception {
    Future<Boolean> zero =
        start(
            options.apply(first(2)),
            group -> {
              try (Communicator stays = group.communicator()) {
                first.accept(stays);
                then.accept(stays);
                return false;
              }
            });
    CountDownLatch told = new CountDownLatch(1);
    Future<Boolean> one =
        start(
            options.apply(other(2).rank(1)),
            group -> {
              try (Communicator leaves = group.communicator()) {
                first.accept(leaves);
              }
              return told.await(LIMIT_SECONDS, TimeUnit.SECONDS);
            });
    assertSays(failure(zero), "the peer has left the communicator");
    told.countDown();
    assertTrue(get(one));
  }

  @Test
  void aRankMayComeToACommunicatorAsLateAsItLikes() {
    GroupOptions options = first(1).build();
    assertTrue(options.plan().transport().build().parkTimeout().toDays() > 365);
  }

  @Test
  void aGroupOfOneIsRankZerosAlone() {
    GroupOptions.Builder options =
        GroupOptions.builder().size(1).first("127.0.0.1:7").secret(SECRET);
    assertSays(assertThrows(InvalidInputException.class, options::build), "Give it with rank(0)");
    assertEquals(1, options.rank(0).build().plan().size());
  }

  @Test
  void aListOfAddressesGoesWithARank() {
    GroupOptions.Builder options =
        GroupOptions.builder()
            .size(2)
            .addresses(List.of("127.0.0.1:7", "127.0.0.1:8"))
            .secret(SECRET);
    assertSays(assertThrows(InvalidInputException.class, options::build), "Give it with rank(...)");
    assertEquals(2, options.rank(1).build().plan().size());
  }

  @Test
  void rankZeroMayStartLast() throws Exception {
    String place = "127.0.0.1:" + FreePorts.choose(1).get(0);
    address.complete(place);
    Future<Long> one = start(other(2).rank(1), MeetingRanks::sum);
    Thread.sleep(300);
    Future<Long> zero = start(first(2).first(place), MeetingRanks::sum);
    assertEquals(3, get(one));
    assertEquals(3, get(zero));
  }

  private static void open(GroupOptions options) {
    Group.open(options).close();
  }

  @Test
  void aRankThatWasInterruptedMayComeAgain() throws Exception {
    Future<Long> zero = start(first(3), MeetingRanks::sum);
    GroupOptions options = other(3).rank(1).build();
    FutureTask<Boolean> aborted =
        new FutureTask<>(
            () -> {
              assertSays(
                  assertThrows(AbortedException.class, () -> open(options)),
                  "its thread was interrupted");
              return Thread.currentThread().isInterrupted();
            });
    Thread one = new Thread(aborted);
    one.start();
    Thread.sleep(300);
    one.interrupt();
    one.join(); // until then its connection is there, and another rank 1 would be sent away
    assertTrue(get(aborted), "the thread is left as interrupted");
    Future<Long> again = start(other(3).rank(1), MeetingRanks::sum);
    Future<Long> two = start(other(3).rank(2), MeetingRanks::sum);
    assertEquals(6, get(zero));
    assertEquals(6, get(again));
    assertEquals(6, get(two));
  }
}
