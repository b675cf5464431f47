package org.sparkcollectives.spark.internal.rendezvous;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.spark.metrics.source.Source;
import org.sparkcollectives.internal.observe.OperationTotals;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;

/** What an executor's connections and ranks have done, as a source of Spark's metrics. */
final class EndpointMetrics implements Source {
  private final MetricRegistry registry = new MetricRegistry();
  private final Endpoint endpoint;

  /**
   * Metrics of an endpoint.
   *
   * @param endpoint the endpoint
   * @param met what gives how long its ranks have waited at rendezvous, in nanoseconds
   */
  EndpointMetrics(Endpoint endpoint, LongSupplier met) {
    this.endpoint = endpoint;
    gauge("connections.open", EndpointStatistics::openConnections);
    gauge("connections.dialed", EndpointStatistics::dialed);
    gauge("connections.reused", EndpointStatistics::reused);
    gauge("connections.idle", statistics -> statistics.idleDialed() + statistics.idleAccepted());
    gauge("connections.shared", EndpointStatistics::shared);
    gauge("connections.notShared", EndpointStatistics::notShared);
    gauge("connections.rejected", EndpointStatistics::rejections);
    for (Rejection reason : Rejection.values()) {
      String name = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
      gauge("connections.rejected." + name, s -> s.rejected().getOrDefault(reason, 0L));
    }
    OperationTotals operations = endpoint.operations();
    register("operations.sentBytes", operations::sentBytes);
    register("operations.receivedBytes", operations::receivedBytes);
    register("operations.waitedNanos", operations::waitedNanos);
    register("rendezvous.waitedNanos", met);
  }

  /** One of the numbers. */
  private interface Count {
    long of(EndpointStatistics statistics);
  }

  private void gauge(String name, Count number) {
    register(name, () -> number.of(endpoint.statistics()));
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
