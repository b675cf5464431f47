package org.sparkcollectives.internal.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.testing.FreePorts;
import org.sparkcollectives.testing.Stranger;
import org.sparkcollectives.transport.Deadline;

/** A name of rank 0's machine behind which there are several addresses. */
final class ManyAddressesTest {
  private static final int LIMIT_SECONDS = 60;
  private static final byte[] SECRET = MeetingKey.random(32);

  /** Of the block for documentation: of no machine. */
  private static final String NOWHERE = "192.0.2.1";

  private static Lookup lookup(List<String> numbers) {
    return new Lookup(
        host -> {
          List<InetAddress> all = new ArrayList<>();
          for (String number : numbers) {
            Collections.addAll(all, InetAddress.getAllByName(number));
          }
          return all.toArray(InetAddress[]::new);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2 127.0.0.1", "127.0.0.2 127.0.0.3 127.0.0.1"})
  void rankZeroListensOnItsOwnAndOthersTryAll(String known) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      CompletableFuture<String> listening = new CompletableFuture<>();
      Address any = new Address("rank-zero", 0);
      GroupPlan first = Plans.of(2, 0, any, SECRET, listening::complete);
      Future<Integer> zero =
          threads.submit(() -> rank(first, lookup(List.of(NOWHERE, "127.0.0.1", "127.0.0.2"))));
      Address address = Address.parse(listening.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals("rank-zero", address.host());
      GroupPlan other = Plans.of(2, 1, address, SECRET, place -> {});
      Future<Integer> one =
          threads.submit(() -> rank(other, lookup(List.of(known.split(" ", -1)))));
      assertEquals(0, zero.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals(1, one.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    } finally {
      threads.shutdownNow();
    }
    assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"})
  void anotherServerAtTheFirstAddressIsPassedOver(String said) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      CompletableFuture<String> listening = new CompletableFuture<>();
      GroupPlan first = Plans.of(2, 0, new Address("rank-zero", 0), SECRET, listening::complete);
      Future<Integer> zero = threads.submit(() -> rank(first, lookup(List.of("127.0.0.1"))));
      Address address = Address.parse(listening.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      InetAddress elsewhere = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
      int heard = MeetingFrames.hello().remaining();
      try (Stranger stranger =
          new Stranger(
              elsewhere, address.port(), heard, said.getBytes(StandardCharsets.US_ASCII))) {
        GroupPlan other = Plans.of(2, 1, address, SECRET, place -> {});
        Future<Integer> one =
            threads.submit(() -> rank(other, lookup(List.of("127.0.0.2", "127.0.0.1"))));
        assertEquals(0, zero.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        assertEquals(1, one.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        assertEquals(1, stranger.end());
      }
    } finally {
      threads.shutdownNow();
    }
    assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aRankZeroOfAnotherGroupAtTheFirstAddressIsPassedOver() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      CompletableFuture<String> listening = new CompletableFuture<>();
      GroupPlan first = Plans.of(2, 0, new Address("rank-zero", 0), SECRET, listening::complete);
      Future<Integer> zero = threads.submit(() -> rank(first, lookup(List.of("127.0.0.1"))));
      Address address = Address.parse(listening.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      CompletableFuture<String> beside = new CompletableFuture<>();
      GroupPlan another = Plans.of(2, 0, address, MeetingKey.random(32), beside::complete);
      Future<Integer> stranger = threads.submit(() -> rank(another, lookup(List.of("127.0.0.2"))));
      beside.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      GroupPlan other = Plans.of(2, 1, address, SECRET, place -> {});
      Future<Integer> one =
          threads.submit(() -> rank(other, lookup(List.of("127.0.0.2", "127.0.0.1"))));
      assertEquals(1, one.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertEquals(0, zero.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertFalse(stranger.isDone(), "it goes on waiting for a rank of its own");
    } finally {
      threads.shutdownNow();
    }
    assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  private static int rank(GroupPlan plan, Lookup lookup) {
    try (ProcessGroup group = ProcessGroup.open(plan, lookup)) {
      return group.rank();
    }
  }

  @Test
  void oneThatDoesNotAnswerLeavesTimeForTheNext() throws Exception {
    InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    InetAddress mute = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    List<SocketChannel> queue = new ArrayList<>();
    int port = FreePorts.choose(1).get(0);
    try (ServerSocket busy = new ServerSocket(port, 1, mute);
        ServerSocket server = new ServerSocket(port, 1, here)) {
      for (int i = 0; i < 8; i++) { // more than it lets wait
        SocketChannel waiting = SocketChannel.open();
        waiting.configureBlocking(false);
        waiting.connect(busy.getLocalSocketAddress());
        queue.add(waiting);
      }
      InetAddress[] both = {mute, here};
      Deadline deadline = Deadline.after(Duration.ofSeconds(8));
      DialedConnection.open(
              both, server.getLocalPort(), deadline, (connection, until) -> connection)
          .close();
      assertTrue(deadline.remainingNanos() < Duration.ofSeconds(6).toNanos(), "it was tried");
    } finally {
      for (SocketChannel waiting : queue) {
        waiting.close();
      }
    }
  }
}
