package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.testing.Await;

/** Connections that were cut off are seen in Spark's metrics. */
@Timeout(60)
final class EndpointMetricsTest {
  private static Map<String, Object> values(EndpointMetrics metrics) {
    Map<String, Object> values = new TreeMap<>();
    metrics
        .metricRegistry()
        .getGauges()
        .forEach((name, gauge) -> values.put(name, gauge.getValue()));
    return values;
  }

  private static Map<String, Object> without(Map<String, Object> values, String... prefixes) {
    values.keySet().removeIf(name -> Stream.of(prefixes).anyMatch(name::startsWith));
    return values;
  }

  @Test
  void thePageHasEveryName() throws Exception {
    String text = Files.readString(Path.of("..", "..", "docs", "monitoring.md"));
    try (Endpoint endpoint = new Endpoint(EndpointOptions.builder().build())) {
      EndpointMetrics metrics = new EndpointMetrics(endpoint, () -> 0);
      for (String name : without(values(metrics), "connections.rejected.").keySet()) {
        int dot = name.lastIndexOf('.');
        String first = "`" + name.substring(0, dot) + ".";
        String last = "`" + name.substring(dot) + "`";
        boolean there =
            text.contains("`" + name + "`")
                || text.lines().anyMatch(row -> row.contains(first) && row.contains(last));
        assertTrue(there, name + " is not in docs/monitoring.md");
      }
    }
  }

  @Test
  void whatIsCutOffIsCounted() throws Exception {
    EndpointOptions options = EndpointOptions.builder().hosts("127.0.0.1", "").build();
    try (Endpoint endpoint = new Endpoint(options)) {
      EndpointMetrics metrics = new EndpointMetrics(endpoint, () -> 5);
      assertEquals("spark-collectives", metrics.sourceName());
      assertEquals(
          Map.of(
              "connections.open", 0L,
              "connections.dialed", 0L,
              "connections.reused", 0L,
              "connections.idle", 0L,
              "connections.shared", 0L,
              "connections.notShared", 0L,
              "connections.rejected", 0L,
              "operations.sentBytes", 0L,
              "operations.receivedBytes", 0L,
              "rendezvous.waitedNanos", 5L),
          without(values(metrics), "connections.rejected.", "operations.waitedNanos"));
      Peer peer = endpoint.peer(0, "node", "");
      try (Socket stranger = new Socket(peer.host(), peer.port())) {
        stranger.getOutputStream().write("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII));
        Await.until("a rejection", () -> values(metrics).get("connections.rejected").equals(1L));
        assertEquals(1L, values(metrics).get("connections.rejected.not-ours"));
        assertEquals(0L, values(metrics).get("connections.rejected.token"));
      }
    }
  }
}
