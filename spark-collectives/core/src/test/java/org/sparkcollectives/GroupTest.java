package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.group.Plan;
import org.sparkcollectives.internal.group.ProcessGroup;
import org.sparkcollectives.testing.FreePorts;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** Groups whose ranks open them as processes do, each in a thread of its own. */
class GroupTest {
  private static final String SECRET = "0123456789abcdef".repeat(4);
  private static final long LIMIT_SECONDS = 60;
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CompletableFuture<String> address = new CompletableFuture<>();

  @AfterEach
  void endThreads() throws InterruptedException {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  private interface Use<R> {
    R with(Group group) throws Exception;
  }

  /** Rank 0, on any port of this machine, which {@link #address} gets. */
  private GroupOptions.Builder first(int size) {
    return GroupOptions.builder()
        .size(size)
        .rank(0)
        .first("127.0.0.1:0")
        .secret(SECRET)
        .listening(address::complete);
  }

  /** Another rank, once rank 0 listens. */
  private GroupOptions.Builder other(int size) throws Exception {
    String known = address.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    return GroupOptions.builder().size(size).first(known).secret(SECRET);
  }

  private <R> Future<R> start(GroupOptions.Builder options, Use<R> use) {
    GroupOptions built = options.build();
    return threads.submit(
        () -> {
          try (Group group = Group.open(built)) {
            return use.with(group);
          }
        });
  }

  private static <R> R get(Future<R> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static CollectiveException failure(Future<?> future) {
    ExecutionException e = assertThrows(ExecutionException.class, () -> get(future));
    return assertInstanceOf(CollectiveException.class, e.getCause());
  }

  private static void assertSays(CollectiveException e, String... parts) {
    String message = String.valueOf(e.getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
    assertTrue(message.contains(": ") && message.contains(". ") && message.endsWith("."), message);
  }

  private static long sum(Group group) {
    try (Communicator communicator = group.communicator()) {
      long[] mine = {group.rank() + 1L, 1};
      long[] sum = communicator.allReduce(mine, ReduceOp.SUM);
      assertEquals(communicator.rank(), group.rank());
      assertEquals(communicator.size(), group.size());
      assertEquals(group.size(), sum[1]);
      return sum[0];
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void threadsAreRanksInOrder(int size) {
    List<Long> sums =
        Group.threads(
            size,
            CommunicatorOptions.DEFAULT,
            c -> c.allReduce(new long[] {c.rank()}, ReduceOp.SUM)[0] * 100 + c.rank());
    for (int rank = 0; rank < size; rank++) {
      assertEquals(size * (size - 1L) / 2 * 100 + rank, sums.get(rank));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void ranksMeetByTheAddressOfRankZero(int size) throws Exception {
    List<Future<Long>> sums = new ArrayList<>();
    sums.add(start(first(size), GroupTest::sum));
    for (int rank = 1; rank < size; rank++) {
      sums.add(start(other(size).rank(rank), GroupTest::sum));
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
    String host = canBind("::1") ? "[::1]" : "127.0.0.1";
    Future<Long> zero = start(first(2).first(host + ":0"), GroupTest::sum);
    Future<Long> one = start(other(2).rank(1), GroupTest::sum);
    assertEquals(3, get(zero));
    assertEquals(3, get(one));
    assertTrue(get(address).startsWith(host + ":"), get(address));
  }

  private static boolean canBind(String host) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void rankZeroMayListenOnAllAddressesAndHaveItsPortsChosen() throws Exception {
    int port = FreePorts.choose(1).get(0);
    Future<Long> zero = start(first(2).hosts("0.0.0.0", ""), GroupTest::sum);
    Future<Long> one = start(other(2).rank(1).ports(port, port), GroupTest::sum);
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
      Plan plan = options.node("node " + rank).rack(told ? "rack " + rank % 2 : "").build().plan();
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
  private static Set<Integer> linkedByRing(Plan plan) {
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
  void ranksOfAMachineAreInOneRack() throws Exception {
    List<Future<Long>> sums = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      GroupOptions.Builder options = rank == 0 ? first(3) : other(3).rank(rank);
      String node = rank == 1 ? "mine" : "theirs";
      sums.add(start(options.node(node).rack(rank == 2 ? "" : "r" + rank), GroupTest::sum));
    }
    for (Future<Long> sum : sums) {
      CollectiveException e = failure(sum);
      assertInstanceOf(InvalidInputException.class, e);
      assertSays(e, "do not agree on the rack of theirs", "rank 0 was told 'r0', rank 2 ''");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ranksThatAllEncryptWorkAndOthersDoNot(boolean all) throws Exception {
    List<Future<Long>> sums = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      GroupOptions.Builder options = rank == 0 ? first(3) : other(3).rank(rank);
      options.communicator(CommunicatorOptions.DEFAULT.withTimeout(SHORT.multipliedBy(5)));
      sums.add(start(options.sharedMemory("").encrypted(all || rank != 1), GroupTest::sum));
    }
    if (all) {
      for (Future<Long> sum : sums) {
        assertEquals(6, get(sum));
      }
    } else {
      assertTrue(
          sums.stream()
              .map(sum -> String.valueOf(failure(sum).getMessage()))
              .anyMatch(text -> text.contains("settings of encryption differ")));
    }
  }

  @Test
  void anAddressInUseIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String place = "127.0.0.1:" + taken.getLocalPort();
      CollectiveException e = failure(start(first(2).first(place), GroupTest::sum));
      assertSays(e, "rank 0 cannot listen on " + place, "in use");
    }
  }

  @Test
  void aRankZeroThatIsNotThereIsSoughtUntilTheDeadline() throws Exception {
    address.complete("127.0.0.1:" + FreePorts.choose(1).get(0));
    long start = System.nanoTime();
    CollectiveException e = failure(start(other(2).rank(1).timeout(SHORT), GroupTest::sum));
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertInstanceOf(DeadlineException.class, e);
    assertSays(e, "rank 0 was not reached at " + get(address) + " within 2000 ms", "refused");
    assertTrue(millis >= 900 && millis < 20_000, millis + " ms");
  }

  @Test
  void rankZeroMayStartLast() throws Exception {
    String place = "127.0.0.1:" + FreePorts.choose(1).get(0);
    address.complete(place);
    Future<Long> one = start(other(2).rank(1), GroupTest::sum);
    Thread.sleep(300);
    Future<Long> zero = start(first(2).first(place), GroupTest::sum);
    assertEquals(3, get(one));
    assertEquals(3, get(zero));
  }

  @Test
  void somethingElseAtTheAddressIsNoticed() throws Exception {
    try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address.complete("127.0.0.1:" + service.getLocalPort());
      Future<Long> one = start(other(2).rank(1), GroupTest::sum);
      try (var accepted = service.accept()) {
        accepted
            .getOutputStream()
            .write("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII));
        assertSays(failure(one), "there is no rank 0 at " + get(address), "does not speak");
      }
    }
  }

  @Test
  void aMissingRankIsNamedByAllAtTheDeadline() throws Exception {
    Future<Long> zero = start(first(5).timeout(SHORT.multipliedBy(4)), GroupTest::sum);
    Future<Long> four = start(other(5).rank(4).timeout(SHORT.multipliedBy(20)), GroupTest::sum);
    Future<Long> one = start(other(5).rank(1).timeout(SHORT.multipliedBy(2)), GroupTest::sum);
    CollectiveException first = failure(one);
    assertInstanceOf(DeadlineException.class, first);
    assertSays(first, "the group of 5 ranks is not complete after ", "ranks 2, 3 are missing");
    assertSays(failure(zero), "not complete after 8000 ms", "ranks 1, 2, 3 are missing");
    assertSays(failure(four), "not complete after 8000 ms", "ranks 1, 2, 3 are missing");
  }

  @Test
  void howManyAreMissingIsSaidWhereRanksAreNotNamed() throws Exception {
    String place = "127.0.0.1:" + FreePorts.choose(1).get(0);
    address.complete(place);
    Future<Long> any = start(other(4), GroupTest::sum);
    Future<Long> two = start(other(4).rank(2), GroupTest::sum);
    Future<Long> zero = start(first(4).first(place).timeout(SHORT), GroupTest::sum);
    assertSays(failure(zero), "1 of ranks 1, 3 missing");
    assertSays(failure(any), "1 of ranks 1, 3 missing");
    assertSays(failure(two), "1 of ranks 1, 3 missing");
  }

  @Test
  void anotherSecretIsNoticedByBoth() throws Exception {
    Future<Long> zero = start(first(2).timeout(SHORT.multipliedBy(2)), GroupTest::sum);
    Future<Long> one = start(other(2).rank(1).secret("ff".repeat(16)), GroupTest::sum);
    assertSays(failure(one), "rank 0 at " + get(address) + " has another secret");
    assertSays(failure(zero), "rank 1 is missing", "as with another secret");
  }

  @Test
  void aSecondProcessOfARankIsSentAwayAndTheFirstStays() throws Exception {
    Future<Long> zero = start(first(3), GroupTest::sum);
    Future<Long> one = start(other(3).rank(1), GroupTest::sum);
    Future<Long> again = start(other(3).rank(1), GroupTest::sum);
    Thread.sleep(100);
    while (!one.isDone() && !again.isDone()) { // whichever comes second
      Thread.sleep(10);
    }
    Future<Long> refused = one.isDone() ? one : again;
    Future<Long> stays = one.isDone() ? again : one;
    CollectiveException e = failure(refused);
    assertInstanceOf(InvalidInputException.class, e);
    assertSays(e, "two processes claim rank 1", "the one at 127.0.0.1:", "came before");
    Future<Long> two = start(other(3).rank(2), GroupTest::sum);
    assertEquals(6, get(zero));
    assertEquals(6, get(two));
    assertEquals(6, get(stays));
  }

  @Test
  void whatDoesNotFitTogetherIsRefusedAtOnceAndToldAtTheDeadline() throws Exception {
    Future<Long> zero = start(first(3).timeout(SHORT.multipliedBy(2)), GroupTest::sum);
    CollectiveException size = failure(start(other(4).rank(1), GroupTest::sum));
    assertInstanceOf(InvalidInputException.class, size);
    assertSays(size, "do not agree on the size", "rank 0 was told 3 ranks", "4");
    List<String> list = List.of(get(address), "127.0.0.1:1", "127.0.0.1:2");
    GroupOptions.Builder listed = other(3).rank(1).addresses(list).hosts("127.0.0.1", "");
    int port = FreePorts.choose(1).get(0);
    listed.addresses(List.of(get(address), "127.0.0.1:" + port, "127.0.0.1:2"));
    assertSays(failure(start(listed, GroupTest::sum)), "do not agree on their addresses");
    assertSays(failure(zero), "ranks 1, 2 are missing", "sent away", "rank 0 was told 3 ranks");
  }

  @Test
  void aRankThatWasInterruptedMayComeAgain() throws Exception {
    Future<Long> zero = start(first(3), GroupTest::sum);
    Future<Long> one = start(other(3).rank(1), GroupTest::sum);
    Thread.sleep(300);
    one.cancel(true);
    Future<Long> again = start(other(3).rank(1), GroupTest::sum);
    Future<Long> two = start(other(3).rank(2), GroupTest::sum);
    assertEquals(6, get(zero));
    assertEquals(6, get(again));
    assertEquals(6, get(two));
  }

  @Test
  void aRankZeroThatGivesUpTellsTheOthers() throws Exception {
    CompletableFuture<Thread> waiting = new CompletableFuture<>();
    Consumer<String> listening =
        place -> {
          address.complete(place);
          waiting.complete(Thread.currentThread());
        };
    Future<Long> zero = start(first(3).listening(listening), GroupTest::sum);
    Future<Long> one = start(other(3).rank(1), GroupTest::sum);
    Thread.sleep(SHORT.toMillis());
    get(waiting).interrupt();
    assertSays(failure(one), "the group did not come about: rank 0 failed", "interrupted");
    assertSays(failure(zero), "interrupted");
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
  void optionsThatMakeNoGroupAreRefused() throws Exception {
    address.complete("127.0.0.1:7400");
    assertRefused(first(0), "a group of 0 ranks");
    assertRefused(other(3).rank(3), "rank 3", "0 to 2");
    assertRefused(other(3).rank(-2), "rank -2");
    assertRefused(GroupOptions.builder().size(2).secret(SECRET), "0 addresses", "first(");
    assertRefused(other(3).addresses(List.of("a:1", "b:2")), "2 addresses were given for 3 ranks");
    assertRefused(other(2).secret(new byte[15]), "a secret of 15 bytes");
    assertRefused(GroupOptions.builder().size(1).first("a:1"), "a secret of 0 bytes");
    assertRefused(other(2).timeout(Duration.ZERO), "a timeout of 0 ms");
    assertRefused(other(2).first("127.0.0.1:0"), "cannot be reached at 127.0.0.1:0");
    assertRefused(other(2).ports(5, 4), "from 5 to 4");
    assertRefused(other(2).ports(1, 70000), "from 1 to 70000");
    assertRefused(other(2).ringBytes(1000), "1000 bytes");
    assertRefused(other(2).socketBuffers(-1, 0), "-1");
    assertRefused(other(2).rack("ä".repeat(128)), "a rack's name", "256 bytes");
    assertThrows(InvalidInputException.class, () -> other(2).secret("0g"));
    assertThrows(InvalidInputException.class, () -> other(2).first("::1:7400"));
    other(2).secret(HexFormat.of().parseHex(SECRET)).build();
  }

  private static void assertRefused(GroupOptions.Builder options, String... parts) {
    assertSays(assertThrows(InvalidInputException.class, options::build), parts);
  }
}
