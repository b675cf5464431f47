package org.sparkcollectives.spark.internal.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PartPlacesTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicLong now = new AtomicLong();
  private final PartPlaces places =
      new PartPlaces(
          () -> List.of(List.of("a" + asked.incrementAndGet()), List.of("b" + asked.get())),
          now::get);

  @Test
  void allPartsAreAskedForAtOnce() {
    assertEquals(List.of("a1"), places.of(0));
    assertEquals(List.of("b1"), places.of(1));
    assertEquals(1, asked.get());
  }

  /** Spark takes the host of an executor to end at the first underscore. */
  @Test
  void ofAHostWithAnUnderscoreSparkIsToldTheHostAlone() {
    List<String> holders = List.of("executor_worker_1_0", "executor_worker2_1");
    PartPlaces named = new PartPlaces(() -> List.of(holders), now::get);
    assertEquals(List.of("worker_1", "executor_worker2_1"), named.of(0));
  }

  @Test
  void anAnswerHoldsForASecond() {
    assertEquals(List.of("a1"), places.of(0));
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
    assertEquals(List.of("a1"), places.of(0));
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
    assertEquals(List.of("a2"), places.of(0));
  }
}
