package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.AbortedException;

@Timeout(30)
class LossesTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Losses losses = new Losses();

  @Test
  void awaitsOneMoreThanIsKnown() {
    losses.add();
    losses.await(0, () -> false, LONG);
    CompletableFuture<Void> waits =
        CompletableFuture.runAsync(() -> losses.await(1, () -> false, LONG));
    losses.add();
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
}
