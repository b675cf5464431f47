package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Time here is what the test says. */
final class IdleStrategyTest {
  private static final long SHORT = 1_000;

  private final IdleStrategy strategy = new IdleStrategy();
  private long now;

  private void yields(int times, long nanos) {
    for (int i = 0; i < times; i++) {
      strategy.yielded(now, now + nanos);
      now += nanos;
    }
  }

  @Test
  void rareLongYieldsEndNothing() {
    for (int i = 0; i < 50; i++) {
      yields(2, IdleStrategy.LONG_NANOS);
      yields(2 * IdleStrategy.RARE, SHORT);
      assertFalse(strategy.isResting(now));
    }
  }

  @Test
  void frequentOnesEndTheLooksForAWhile() {
    yields(IdleStrategy.MANY - 1, IdleStrategy.LONG_NANOS);
    assertFalse(strategy.isResting(now));
    yields(1, IdleStrategy.LONG_NANOS);
    assertTrue(strategy.isResting(now));
    assertFalse(strategy.idle(now), "it does not yield while it rests");
    assertTrue(strategy.isResting(now + IdleStrategy.SHORTEST_REST_NANOS - 1));
    assertFalse(strategy.isResting(now + IdleStrategy.SHORTEST_REST_NANOS));
  }

  @Test
  void aLongProbeDoublesTheRestUpToABound() {
    yields(IdleStrategy.MANY, IdleStrategy.LONG_NANOS);
    long rest = IdleStrategy.SHORTEST_REST_NANOS;
    for (int probe = 0; probe < 20; probe++) {
      assertTrue(strategy.isResting(now + rest - 1), "rest " + probe);
      now += rest;
      assertFalse(strategy.isResting(now), "rest " + probe);
      yields(1, IdleStrategy.LONG_NANOS);
      rest = Math.min(2 * rest, IdleStrategy.LONGEST_REST_NANOS);
    }
    assertEquals(IdleStrategy.LONGEST_REST_NANOS, rest);
  }

  @Test
  void aShortProbeBeginsAnew() {
    yields(IdleStrategy.MANY, IdleStrategy.LONG_NANOS);
    now += IdleStrategy.SHORTEST_REST_NANOS;
    yields(1, IdleStrategy.LONG_NANOS);
    now += 2 * IdleStrategy.SHORTEST_REST_NANOS;
    yields(1, SHORT);
    assertFalse(strategy.isResting(now));
    yields(IdleStrategy.MANY, IdleStrategy.LONG_NANOS);
    assertTrue(strategy.isResting(now));
    assertFalse(strategy.isResting(now + IdleStrategy.SHORTEST_REST_NANOS));
  }

  @Test
  void itYieldsUntilThatTakesLong() {
    assertTrue(strategy.idle(System.nanoTime()));
  }
}
