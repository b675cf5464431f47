package org.sparkcollectives.spark.internal.result;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.sparkcollectives.spark.internal.input.ExecutorSlots;

/**
 * Where parts are, asked for all at once: Spark's scheduler wants to know it for one partition
 * after the other. An answer holds for a second. Thread-safe.
 */
final class PartPlaces {
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<List<List<String>>> asks;
  private final LongSupplier nanos;
  private List<List<String>> known = List.of();
  private long since;

  /**
   * Knows nothing yet.
   *
   * @param asks says for each part Spark's names of the places where it is
   * @param nanos the time, as {@link System#nanoTime}
   */
  PartPlaces(Supplier<List<List<String>>> asks, LongSupplier nanos) {
    this.asks = asks;
    this.nanos = nanos;
  }

  /** The places where a part is, as Spark reads their names. */
  synchronized List<String> of(int part) {
    long now = nanos.getAsLong();
    if (known.isEmpty() || now - since > KEPT_NANOS) {
      known = asks.get();
      since = now;
    }
    return known.get(part).stream().map(ExecutorSlots::readable).toList();
  }
}
