package org.sparkcollectives.spark.internal.rendezvous;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.function.LongSupplier;
import org.apache.spark.metrics.source.Source;
import org.sparkcollectives.internal.observe.OperationTotals;

/**
 * What the operations of one collective by one algorithm have come to in an executor, as a source
 * of Spark's metrics, which is registered when the first of them runs.
 */
final class OperationMetrics implements Source {
  private final MetricRegistry registry = new MetricRegistry();

  OperationMetrics(OperationTotals.Total total) {
    String name = total.collective().slug() + "." + total.algorithm() + ".";
    register(name + "operations", total::count);
    register(name + "bytes", total::bytes);
    register(name + "nanos", total::nanos);
    register(name + "failed", total::failed);
  }

  private void register(String name, LongSupplier number) {
    Gauge<Long> gauge = number::getAsLong;
    registry.register(name, gauge);
  }

  @Override
  public String sourceName() {
    return DriverEndpoint.NAME;
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }
}
