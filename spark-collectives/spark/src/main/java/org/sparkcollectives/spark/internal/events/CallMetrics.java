package org.sparkcollectives.spark.internal.events;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.metrics.source.Source;

/** The calls of an application, as a source of the metrics of its driver. Thread-safe. */
public final class CallMetrics implements Source {
  private static final String OTHER = "other";

  /** The metrics of failures, by the class of the exception. */
  private static final Map<String, String> KINDS =
      Map.of(
          "InvalidInputException", "invalid-input",
          "DeadlineException", "deadline",
          "RankFailedException", "rank-failed",
          "AbortedException", "aborted");

  private static final double NANOS_PER_MILLI = 1e6;

  private final MetricRegistry registry = new MetricRegistry();
  private final LongAdder succeeded = counter("calls.succeeded");
  private final LongAdder failed = counter("calls.failed");
  private final LongAdder nanos = counter("calls.nanos");
  private final LongAdder retries = counter("calls.retries");
  private final Map<String, LongAdder> failures = new TreeMap<>();

  /** Makes metrics that are zero. */
  public CallMetrics() {
    KINDS.values().forEach(kind -> failures.put(kind, counter("calls.failed." + kind)));
    failures.put(OTHER, counter("calls.failed." + OTHER));
  }

  private LongAdder counter(String name) {
    LongAdder counter = new LongAdder();
    Gauge<Long> gauge = counter::sum;
    registry.register(name, gauge);
    return counter;
  }

  /**
   * Counts a call that has ended.
   *
   * @param event the call
   */
  public void count(CallEvent event) {
    nanos.add((long) (event.millis * NANOS_PER_MILLI));
    retries.add(Math.max(0, event.attemptCount - 1));
    if (event.state.equals(CallEvent.SUCCEEDED)) {
      succeeded.increment();
    } else {
      failed.increment();
      String kind = KINDS.getOrDefault(event.failureKind, OTHER);
      requireNonNull(failures.get(kind)).increment();
    }
  }

  @Override
  public String sourceName() {
    return "spark-collectives";
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }
}
