package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.AbortedException;

@Timeout(30)
class LossesTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Losses losses = new Losses();

  @Test
  void awaitsOneMoreThanIsKnown() {
    losses.add(null);
    losses.await(0, () -> false, LONG);
    CompletableFuture<Void> waits =
        CompletableFuture.runAsync(() -> losses.await(1, () -> false, LONG));
    losses.add(null);
    waits.join();
    assertEquals(2, losses.count());
  }

  @Test
  void awaitsNothingThatIsOverOrTakesTooLong() {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> waits =
        CompletableFuture.runAsync(() -> losses.await(0, over::get, LONG));
    over.set(true);
    waits.join();
    losses.await(0, () -> false, Duration.ofMillis(50));
    assertEquals(0, losses.count());
  }

  @Test
  void whoIsInterruptedWaitsNoLonger() {
    Thread.currentThread().interrupt();
    assertThrows(AbortedException.class, () -> losses.await(0, () -> false, LONG));
    assertTrue(Thread.interrupted());
  }

  /** As Spark's standalone workers, YARN and Kubernetes tell of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Command exited with code 52",
        "Container from a bad node: container_1 on host: h. Exit status: 52. Diagnostics: none",
        "The executor with id 1 exited with exit code 52(JVM OOM).",
        "The executor with id 1 exited with exit code 137(SIGKILL, possible container OOM). container"
            + " state: terminated; termination reason: OOMKilled",
        "Container killed by YARN for exceeding physical memory limits. 2.1 GB of 2 GB used.",
        "Container killed by YARN for exceeding memory limits. 2.1 GB of 2 GB used."
      })
  void executorsWithoutMemoryAreCounted(String reason) {
    losses.add(reason);
    assertEquals(1, losses.outOfMemory());
    assertEquals(1, losses.count());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Command exited with code 1",
        "Command exited with code 152",
        "The executor with id 1 exited with exit code 137(SIGKILL, possible container OOM).",
        "Executor heartbeat timed out after 520 ms",
        "Remote RPC client disassociated. Likely due to containers exceeding thresholds, or"
            + " network issues."
      })
  void othersAreNot(String reason) {
    losses.add(reason);
    assertEquals(0, losses.outOfMemory());
    assertEquals(1, losses.count());
  }
}
