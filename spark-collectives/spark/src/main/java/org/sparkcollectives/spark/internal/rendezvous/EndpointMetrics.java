package org.sparkcollectives.spark.internal.rendezvous;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import org.apache.spark.metrics.source.Source;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;

/** What an executor's connections have done, as a source of Spark's metrics. */
final class EndpointMetrics implements Source {
  private final MetricRegistry registry = new MetricRegistry();
  private final Endpoint endpoint;

  /** Metrics of an endpoint. */
  EndpointMetrics(Endpoint endpoint) {
    this.endpoint = endpoint;
    gauge("connections.open", EndpointStatistics::openConnections);
    gauge("connections.dialed", EndpointStatistics::dialed);
    gauge("connections.reused", EndpointStatistics::reused);
    gauge("connections.rejected", EndpointStatistics::rejections);
  }

  /** One of the numbers. */
  private interface Count {
    long of(EndpointStatistics statistics);
  }

  private void gauge(String name, Count number) {
    Gauge<Long> gauge = () -> number.of(endpoint.statistics());
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
