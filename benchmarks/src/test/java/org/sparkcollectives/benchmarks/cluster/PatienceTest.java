package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void slowCardsAreWaitedForLonger() {
    assertEquals(
        new Patience(Duration.ofSeconds(448), Duration.ofSeconds(896)), Patience.of(28e6, 56e6, 8));
    assertEquals(
        new Patience(Duration.ofSeconds(280), Duration.ofSeconds(560)), Patience.of(28e6, 56e6, 2));
  }

  @Test
  void fastOnesAsLongAsNone() {
    Patience least = new Patience(Duration.ofSeconds(60), Duration.ofMinutes(5));
    assertEquals(least, Patience.of(0, 0, 8));
    assertEquals(least, Patience.of(1.4e6, 2.8e6, 8));
  }
}
