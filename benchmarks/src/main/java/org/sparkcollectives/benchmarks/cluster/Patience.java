package org.sparkcollectives.benchmarks.cluster;

import java.time.Duration;

/**
 * How long ranks may take: more than they need where network cards are what limits them.
 *
 * @param operation how long one waits for the others in an operation
 * @param order how long all of them may take to answer an order, which has many operations
 */
record Patience(Duration operation, Duration order) {
  private static final Duration LEAST_OPERATION = Duration.ofSeconds(60);
  private static final Duration LEAST_ORDER = Duration.ofMinutes(5);

  /** How many times as long as the network allows an operation may take. */
  private static final int LEAST_TIMES = 10;

  /**
   * That with network cards which carry so much.
   *
   * @param operationMicros the longest time below which no algorithm does an operation
   * @param orderMicros the longest time below which none does the operations of an order
   * @param ranks how many ranks there are: some algorithms send a vector to one after another
   */
  static Patience of(double operationMicros, double orderMicros, int ranks) {
    int times = times(ranks);
    return new Patience(
        longer(LEAST_OPERATION, times * operationMicros), longer(LEAST_ORDER, times * orderMicros));
  }

  /**
   * How long other software may take for all that is asked of it at once.
   *
   * @param micros the longest time below which no algorithm does all these operations
   * @param ranks how many ranks there are
   */
  static Duration ofRival(double micros, int ranks) {
    return longer(LEAST_ORDER, times(ranks) * micros);
  }

  private static int times(int ranks) {
    return Math.max(LEAST_TIMES, 2 * ranks);
  }

  private static Duration longer(Duration least, double micros) {
    return Duration.ofMillis(Math.max(least.toMillis(), (long) (micros / 1e3)));
  }
}
