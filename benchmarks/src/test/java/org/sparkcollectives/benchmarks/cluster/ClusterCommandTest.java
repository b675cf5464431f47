package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.schedule.Collective;
import picocli.CommandLine;

final class ClusterCommandTest {
  private static final String HYPERCUBE =
      "broadcast by hypercube is left out: it needs a power of two of ranks";

  @Test
  void refusesARunThatMeasuresNothing() {
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new ClusterCommand())
            .setErr(new PrintWriter(err, true))
            .execute(
                "--hosts=3",
                "--network=loopback",
                "--collective=broadcast",
                "--algorithms=hypercube");
    assertEquals(2, code, err::toString);
    assertTrue(
        err.toString()
            .contains("--algorithms leaves nothing to measure: " + HYPERCUBE + ". Name others, or"),
        err::toString);
  }

  @Test
  void tellsWhatIsLeftOut() {
    try (Network network = Network.loopback(3)) {
      ClusterMeasurement measurement = measurement(network, List.of(8L, 1024L));
      assertTrue(measurement.hasContenders());
      assertEquals(Set.of(HYPERCUBE), measurement.leftOut());
    }
  }

  @Test
  void sizesThatAreMeasuredByOneLengthAreMeasuredOnce() {
    try (Network network = Network.loopback(3)) {
      ClusterMeasurement measurement = measurement(network, List.of(8L, 16L, 32L, 1024L));
      assertEquals(List.of(8L, 32L, 1024L), measurement.sizes(Collective.ALLGATHER));
      assertEquals(List.of(8L, 16L, 32L, 1024L), measurement.sizes(Collective.BROADCAST));
      assertEquals(List.of(0L), measurement.sizes(Collective.BARRIER));
      assertEquals(Patience.of(0, 0, 3), measurement.patience());
    }
  }

  private static ClusterMeasurement measurement(Network network, List<Long> bytes) {
    ClusterMeasurement.Plan plan =
        new ClusterMeasurement.Plan(
            new Placement(3, 1, false),
            Racks.one(3),
            Racks.one(3),
            "200mbit",
            List.of(Collective.BROADCAST, Collective.BARRIER),
            bytes,
            List.of(),
            List.of("hypercube", "two-tree"),
            1,
            0);
    return new ClusterMeasurement(plan, network, line -> {});
  }
}
