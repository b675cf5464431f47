package org.sparkcollectives.internal.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.testing.FreePorts;

/** A name that a rank other than 0 is to listen on, as it was told or as the list says. */
@Timeout(60)
final class BindNameTest {
  private static final int LIMIT_SECONDS = 30;
  private static final byte[] SECRET = MeetingKey.random(32);

  /** That no name server knows. */
  private static final String NAME = "rank-one.invalid";

  private final CountDownLatch never = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() throws InterruptedException {
    never.countDown();
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  private static GroupPlan plan(
      int rank, List<Address> addresses, Duration timeout, String bind, Consumer<String> heard) {
    return new GroupPlan(
        2,
        rank,
        addresses,
        SECRET,
        timeout,
        bind,
        "",
        0,
        0,
        "",
        "",
        "",
        heard,
        false,
        EndpointOptions.builder());
  }

  private static int rank(GroupPlan plan, Lookup lookup) {
    try (ProcessGroup group = ProcessGroup.open(plan, lookup)) {
      return group.rank();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isLookedUpAsAllOthers(boolean listed) throws Exception {
    List<Integer> ports = FreePorts.choose(2);
    Address first = new Address("127.0.0.1", ports.get(0));
    List<Address> addresses =
        listed ? List.of(first, new Address(NAME, ports.get(1))) : List.of(first);
    Duration time = Duration.ofSeconds(LIMIT_SECONDS);
    CompletableFuture<String> listening = new CompletableFuture<>();
    Future<Integer> zero =
        threads.submit(() -> rank(plan(0, addresses, time, "", listening::complete), new Lookup()));
    assertEquals(first.toString(), listening.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    Lookup known = new Lookup(host -> InetAddress.getAllByName("127.0.0.1"));
    Future<Integer> one =
        threads.submit(
            () -> rank(plan(1, addresses, time, listed ? "" : NAME, place -> {}), known));
    assertEquals(1, one.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    assertEquals(0, zero.get(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void isWaitedForUntilTheDeadline() {
    Lookup silent =
        new Lookup(
            host -> {
              if (host.equals(NAME)) {
                awaitEnd();
              }
              return InetAddress.getAllByName(host);
            });
    List<Address> first = List.of(new Address("127.0.0.1", FreePorts.choose(1).get(0)));
    GroupPlan plan = plan(1, first, Duration.ofMillis(300), NAME, place -> {});
    CollectiveException e = assertThrows(CollectiveException.class, () -> rank(plan, silent));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("cannot listen on " + NAME + ": "), message);
    assertTrue(message.contains("was not looked up in time"), message);
  }

  private void awaitEnd() throws UnknownHostException {
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new UnknownHostException("interrupted");
    }
  }
}
