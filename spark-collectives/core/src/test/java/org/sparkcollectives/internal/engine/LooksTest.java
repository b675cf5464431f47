package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Time here is what the test says. */
final class LooksTest {
  private static final long SHORT = 1_000;

  private final Looks looks = new Looks();
  private long now;

  private void yields(int times, long nanos) {
    for (int i = 0; i < times; i++) {
      looks.yielded(now, now + nanos);
      now += nanos;
    }
  }

  @Test
  void rareLongYieldsEndNothing() {
    for (int i = 0; i < 50; i++) {
      yields(2, Looks.LONG_NANOS);
      yields(2 * Looks.RARE, SHORT);
      assertFalse(looks.isResting(now));
    }
  }

  @Test
  void frequentOnesEndTheLooksForAWhile() {
    yields(Looks.MANY - 1, Looks.LONG_NANOS);
    assertFalse(looks.isResting(now));
    yields(1, Looks.LONG_NANOS);
    assertTrue(looks.isResting(now));
    assertFalse(looks.yields(now), "it does not yield while it rests");
    assertTrue(looks.isResting(now + Looks.SHORTEST_REST_NANOS - 1));
    assertFalse(looks.isResting(now + Looks.SHORTEST_REST_NANOS));
  }

  @Test
  void aLongProbeDoublesTheRestUpToABound() {
    yields(Looks.MANY, Looks.LONG_NANOS);
    long rest = Looks.SHORTEST_REST_NANOS;
    for (int probe = 0; probe < 20; probe++) {
      assertTrue(looks.isResting(now + rest - 1), "rest " + probe);
      now += rest;
      assertFalse(looks.isResting(now), "rest " + probe);
      yields(1, Looks.LONG_NANOS);
      rest = Math.min(2 * rest, Looks.LONGEST_REST_NANOS);
    }
    assertEquals(Looks.LONGEST_REST_NANOS, rest);
  }

  @Test
  void aShortProbeBeginsAnew() {
    yields(Looks.MANY, Looks.LONG_NANOS);
    now += Looks.SHORTEST_REST_NANOS;
    yields(1, Looks.LONG_NANOS);
    now += 2 * Looks.SHORTEST_REST_NANOS;
    yields(1, SHORT);
    assertFalse(looks.isResting(now));
    yields(Looks.MANY, Looks.LONG_NANOS);
    assertTrue(looks.isResting(now));
    assertFalse(looks.isResting(now + Looks.SHORTEST_REST_NANOS));
  }

  @Test
  void itYieldsUntilThatTakesLong() {
    assertTrue(looks.yields(System.nanoTime()));
  }
}
