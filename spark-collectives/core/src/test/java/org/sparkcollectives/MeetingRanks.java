package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.vector.ReduceOp;

/** Ranks that open their groups as processes do, each in a thread of its own. */
abstract class MeetingRanks {
  static final String SECRET = "0123456789abcdef".repeat(4);
  static final long LIMIT_SECONDS = 60;
  static final Duration SHORT = Duration.ofSeconds(2);

  final ExecutorService threads = Executors.newCachedThreadPool();
  final CompletableFuture<String> address = new CompletableFuture<>();

  @AfterEach
  void endThreads() throws InterruptedException {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  interface Use<R> {
    R with(Group group) throws Exception;
  }

  /** Rank 0, on any port of this machine, which {@link #address} gets. */
  GroupOptions.Builder first(int size) {
    return GroupOptions.builder()
        .size(size)
        .rank(0)
        .first("127.0.0.1:0")
        .secret(SECRET)
        .listening(address::complete);
  }

  /** Another rank, once rank 0 listens. */
  GroupOptions.Builder other(int size) throws Exception {
    String known = address.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    return GroupOptions.builder().size(size).first(known).secret(SECRET);
  }

  <R> Future<R> start(GroupOptions.Builder options, Use<R> use) {
    GroupOptions built = options.build();
    return threads.submit(
        () -> {
          try (Group group = Group.open(built)) {
            return use.with(group);
          }
        });
  }

  static <R> R get(Future<R> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  static CollectiveException failure(Future<?> future) {
    ExecutionException e = assertThrows(ExecutionException.class, () -> get(future));
    return assertInstanceOf(CollectiveException.class, e.getCause());
  }

  static void assertSays(CollectiveException e, String... parts) {
    String message = String.valueOf(e.getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
    assertTrue(message.contains(": ") && message.contains(". ") && message.endsWith("."), message);
  }

  static long sum(Group group) {
    try (Communicator communicator = group.communicator()) {
      long[] mine = {group.rank() + 1L, 1};
      long[] sum = communicator.allReduce(mine, ReduceOp.SUM);
      assertEquals(communicator.rank(), group.rank());
      assertEquals(communicator.size(), group.size());
      assertEquals(group.size(), sum[1]);
      return sum[0];
    }
  }
}
