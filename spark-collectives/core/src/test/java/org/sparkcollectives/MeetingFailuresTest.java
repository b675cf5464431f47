package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.testing.FreePorts;

/** Ranks that do not meet, or should not: what each of them is told, and when. */
class MeetingFailuresTest extends MeetingRanks {
  @Test
  void ranksOfAMachineAreInOneRack() throws Exception {
    List<Future<Long>> sums = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      GroupOptions.Builder options = rank == 0 ? first(3) : other(3).rank(rank);
      String node = rank == 1 ? "mine" : "theirs";
      sums.add(start(options.node(node).rack(rank == 2 ? "" : "r" + rank), MeetingRanks::sum));
    }
    for (Future<Long> sum : sums) {
      CollectiveException e = failure(sum);
      assertInstanceOf(InvalidInputException.class, e);
      assertSays(e, "do not agree on the rack of theirs", "rank 0 was told 'r0', rank 2 ''");
    }
  }

  @Test
  void anAddressInUseIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String place = "127.0.0.1:" + taken.getLocalPort();
      CollectiveException e = failure(start(first(2).first(place), MeetingRanks::sum));
      assertSays(e, "rank 0 cannot listen on " + place, "in use");
    }
  }

  @Test
  void aRankZeroThatIsNotThereIsSoughtUntilTheDeadline() throws Exception {
    address.complete("127.0.0.1:" + FreePorts.choose(1).get(0));
    long start = System.nanoTime();
    CollectiveException e = failure(start(other(2).rank(1).timeout(SHORT), MeetingRanks::sum));
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertInstanceOf(DeadlineException.class, e);
    assertSays(e, "rank 0 was not reached at " + get(address) + " within 2000 ms", "refused");
    assertTrue(millis >= 900 && millis < 20_000, millis + " ms");
  }

  @Test
  void somethingElseAtTheAddressIsNoticed() throws Exception {
    try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address.complete("127.0.0.1:" + service.getLocalPort());
      Future<Long> one = start(other(2).rank(1), MeetingRanks::sum);
      try (var accepted = service.accept()) {
        accepted
            .getOutputStream()
            .write("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII));
        assertSays(failure(one), "there is no rank 0 at " + get(address), "does not speak");
      }
    }
  }

  @Test
  void aRankZeroOfAnotherVersionIsNoticedAtOnce() throws Exception {
    try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address.complete("127.0.0.1:" + service.getLocalPort());
      Future<Long> one = start(other(2).rank(1), MeetingRanks::sum);
      try (var accepted = service.accept()) {
        accepted.getOutputStream().write(HexFormat.of().parseHex("53434f4700630500"));
        CollectiveException e = failure(one);
        assertSays(e, "there is no rank 0 at " + get(address), "speaks another version, 99");
        assertSays(e, "that all ranks run the same version");
      }
    }
  }

  @Test
  void aMissingRankIsNamedByAllAtTheDeadline() throws Exception {
    Future<Long> zero = start(first(5).timeout(SHORT.multipliedBy(4)), MeetingRanks::sum);
    Future<Long> four = start(other(5).rank(4).timeout(SHORT.multipliedBy(20)), MeetingRanks::sum);
    Future<Long> one = start(other(5).rank(1).timeout(SHORT.multipliedBy(2)), MeetingRanks::sum);
    CollectiveException first = failure(one);
    assertInstanceOf(DeadlineException.class, first);
    assertSays(first, "the group of 5 ranks is not complete after ", "ranks 2, 3 are missing");
    assertSays(failure(zero), "not complete after 8000 ms", "ranks 1, 2, 3 are missing");
    assertSays(failure(four), "not complete after 8000 ms", "ranks 1, 2, 3 are missing");
    assertSays(failure(zero), "; rank 1 had come and waited no longer");
    assertSays(failure(four), "; rank 1 had come and waited no longer");
  }

  @Test
  void whoWaitedNoLongerIsToldApartUntilItComesAgain() throws Exception {
    Future<Long> zero = start(first(4).timeout(SHORT.multipliedBy(3)), MeetingRanks::sum);
    Future<Long> two = start(other(4).rank(2).timeout(SHORT), MeetingRanks::sum);
    Future<Long> any = start(other(4).timeout(SHORT), MeetingRanks::sum);
    assertInstanceOf(DeadlineException.class, failure(two));
    assertInstanceOf(DeadlineException.class, failure(any));
    Future<Long> again = start(other(4).rank(2).timeout(SHORT.multipliedBy(20)), MeetingRanks::sum);
    String text = "ranks 1, 3 are missing; 1 process had come and waited no longer";
    assertSays(failure(zero), text);
    assertSays(failure(again), text);
  }

  @Test
  void howManyAreMissingIsSaidWhereRanksAreNotNamed() throws Exception {
    String place = "127.0.0.1:" + FreePorts.choose(1).get(0);
    address.complete(place);
    Future<Long> any = start(other(4), MeetingRanks::sum);
    Future<Long> two = start(other(4).rank(2), MeetingRanks::sum);
    Future<Long> zero = start(first(4).first(place).timeout(SHORT), MeetingRanks::sum);
    assertSays(failure(zero), "1 of ranks 1, 3 missing");
    assertSays(failure(any), "1 of ranks 1, 3 missing");
    assertSays(failure(two), "1 of ranks 1, 3 missing");
  }

  @Test
  void anotherSecretIsNoticedByBoth() throws Exception {
    Future<Long> zero = start(first(2).timeout(SHORT.multipliedBy(2)), MeetingRanks::sum);
    Future<Long> one = start(other(2).rank(1).secret("ff".repeat(16)), MeetingRanks::sum);
    assertSays(failure(one), "rank 0 at " + get(address) + " has another secret");
    assertSays(failure(zero), "rank 1 is missing", "as with another secret");
  }

  @Test
  void aSecondProcessOfARankIsSentAwayAndTheFirstStays() throws Exception {
    Future<Long> zero = start(first(3), MeetingRanks::sum);
    Future<Long> one = start(other(3).rank(1), MeetingRanks::sum);
    Future<Long> again = start(other(3).rank(1), MeetingRanks::sum);
    Thread.sleep(100);
    while (!one.isDone() && !again.isDone()) { // whichever comes second
      Thread.sleep(10);
    }
    Future<Long> refused = one.isDone() ? one : again;
    Future<Long> stays = one.isDone() ? again : one;
    CollectiveException e = failure(refused);
    assertInstanceOf(InvalidInputException.class, e);
    assertSays(e, "two processes claim rank 1", "the one at 127.0.0.1:", "came before");
    Future<Long> two = start(other(3).rank(2), MeetingRanks::sum);
    assertEquals(6, get(zero));
    assertEquals(6, get(two));
    assertEquals(6, get(stays));
  }

  @Test
  void whatDoesNotFitTogetherIsRefusedAtOnceAndToldAtTheDeadline() throws Exception {
    Future<Long> zero = start(first(3).timeout(SHORT.multipliedBy(2)), MeetingRanks::sum);
    CollectiveException size = failure(start(other(4).rank(1), MeetingRanks::sum));
    assertInstanceOf(InvalidInputException.class, size);
    assertSays(size, "do not agree on the size", "rank 0 was told 3 ranks", "4");
    List<String> list = List.of(get(address), "127.0.0.1:1", "127.0.0.1:2");
    GroupOptions.Builder listed = other(3).rank(1).addresses(list).hosts("127.0.0.1", "");
    int port = FreePorts.choose(1).get(0);
    listed.addresses(List.of(get(address), "127.0.0.1:" + port, "127.0.0.1:2"));
    assertSays(failure(start(listed, MeetingRanks::sum)), "do not agree on their addresses");
    GroupOptions.Builder sealed = other(3).rank(1).encrypted(true);
    assertSays(
        failure(start(sealed, MeetingRanks::sum)), "do not agree on encryption", "rank 0 does not");
    assertSays(failure(zero), "ranks 1, 2 are missing", "sent away", "rank 0 was told 3 ranks");
  }

  @Test
  void aStrangerWhoComesAgainAndAgainHidesNobodyElse() throws Exception {
    Future<Long> zero = start(first(3).timeout(SHORT.multipliedBy(2)), MeetingRanks::sum);
    String place = get(address);
    int port = Integer.parseInt(place.substring(place.indexOf(':') + 1));
    for (int i = 0; i < 10; i++) {
      try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
        probe.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
        assertEquals(-1, probe.getInputStream().read());
      }
    }
    assertSays(failure(start(other(4).rank(1), MeetingRanks::sum)), "do not agree on the size");
    assertSays(failure(zero), "does not speak the protocol", "rank 0 was told 3 ranks");
  }

  @Test
  void aRankZeroThatGivesUpTellsTheOthers() throws Exception {
    CompletableFuture<Thread> waiting = new CompletableFuture<>();
    Consumer<String> listening =
        place -> {
          address.complete(place);
          waiting.complete(Thread.currentThread());
        };
    Future<Long> zero = start(first(3).listening(listening), MeetingRanks::sum);
    Future<Long> one = start(other(3).rank(1), MeetingRanks::sum);
    Thread.sleep(SHORT.toMillis());
    get(waiting).interrupt();
    assertSays(failure(one), "the group did not come about: rank 0 failed", "interrupted");
    assertSays(failure(zero), "interrupted");
  }

  @Test
  void optionsThatMakeNoGroupAreRefused() throws Exception {
    address.complete("127.0.0.1:7400");
    assertRefused(first(0), "a group of 0 ranks");
    assertRefused(other(3).rank(3), "rank 3", "0 to 2");
    assertRefused(other(3).rank(-2), "rank -2");
    assertRefused(other(3).rank(-1), "rank -1", "0 to 2");
    assertRefused(GroupOptions.builder().size(2).secret(SECRET), "0 addresses", "first(");
    assertRefused(other(3).addresses(List.of("a:1", "b:2")), "2 addresses were given for 3 ranks");
    assertRefused(
        other(3).addresses(List.of("a:1", "b:1", "a:1")), "two ranks have the address a:1");
    assertRefused(other(Integer.MAX_VALUE), "a group of 2147483647 ranks");
    assertRefused(other(2).secret(new byte[15]), "a secret of 15 bytes");
    assertRefused(GroupOptions.builder().size(1).first("a:1"), "a secret of 0 bytes");
    assertRefused(other(2).timeout(Duration.ZERO), "a timeout of 0 ms");
    assertRefused(other(2).first("127.0.0.1:0"), "cannot be reached at 127.0.0.1:0");
    assertRefused(other(2).ports(5, 4), "from 5 to 4");
    assertRefused(other(2).ports(1, 70000), "from 1 to 70000");
    assertRefused(other(2).ringBytes(1000), "1000 bytes");
    assertRefused(other(2).socketBuffers(-1, 0), "-1");
    assertRefused(other(2).rack("ä".repeat(128)), "a rack's name", "256 bytes");
    String tooLong = "x".repeat(256);
    assertRefused(other(2).node(tooLong), "a machine's name", "256 bytes");
    assertRefused(first(2).label(tooLong), "a process's name", "256 bytes");
    assertRefused(first(2).hosts("", tooLong), "the advertised host", "256 bytes");
    assertRefused(other(2).first(tooLong + ":7400"), "a host", "256 bytes");
    first(2).label("x".repeat(255)).build();
    assertThrows(InvalidInputException.class, () -> other(2).secret("0g"));
    assertThrows(InvalidInputException.class, () -> other(2).first("::1:7400"));
    other(2).secret(HexFormat.of().parseHex(SECRET)).build();
  }

  @Test
  @SuppressWarnings("NullAway") // what a user's Java code can do
  void nullIsRefusedWhereItIsGiven() {
    GroupOptions.Builder options = GroupOptions.builder();
    String text = null;
    byte[] bytes = null;
    assertRefused(() -> options.secret(text), "the secret is null", "variable may be unset");
    assertRefused(() -> options.secret(bytes), "the secret is null");
    assertRefused(() -> options.first(text), "the address of rank 0 is null");
    assertRefused(() -> options.addresses(null), "the list of addresses is null");
    List<String> addresses = Arrays.asList("127.0.0.1:7400", null);
    assertRefused(() -> options.addresses(addresses), "the address of rank 1 is null");
    assertRefused(() -> options.timeout(null), "the timeout is null");
    assertRefused(() -> options.hosts(null, ""), "the host to listen on is null");
    assertRefused(() -> options.hosts("", null), "the advertised host is null");
    assertRefused(() -> options.node(null), "the machine's name is null");
    assertRefused(() -> options.rack(null), "the rack's name is null");
    assertRefused(() -> options.label(null), "the process's name is null");
    assertRefused(() -> options.listening(null), "the listener is null");
    assertRefused(() -> options.sharedMemory(null), "the folder of shared memory is null");
    assertRefused(() -> options.communicator(null), "the argument options is null");
    assertRefused(() -> Group.open(null), "the argument options is null");
    CommunicatorOptions how = CommunicatorOptions.DEFAULT;
    assertRefused(() -> how.withTimeout(null), "the timeout is null");
    assertRefused(() -> how.withPolicy(null), "the policy is null");
    assertRefused(() -> how.withModel(null), "the model is null");
    assertRefused(() -> how.withAlgorithm(null, "ring"), "the collective is null");
    assertRefused(() -> how.withAlgorithm(Collective.BARRIER, null), "the name of the algorithm");
    assertRefused(() -> how.withCodec(null), "the codec is null");
    assertRefused(() -> how.withCancellation(null), "the cancellation is null");
    assertRefused(() -> how.withFailureListener(null), "the failure listener is null");
    assertRefused(() -> how.withWaitListener(null), "the wait listener is null");
  }

  private static void assertRefused(Executable call, String... parts) {
    assertSays(assertThrows(InvalidInputException.class, call), parts);
  }

  private static void assertRefused(GroupOptions.Builder options, String... parts) {
    assertRefused(options::build, parts);
  }
}
