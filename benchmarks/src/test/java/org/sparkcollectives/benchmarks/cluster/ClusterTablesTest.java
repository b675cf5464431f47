package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.schedule.Level;

class ClusterTablesTest {
  @Test
  void medianInsideSparkStandsBesideThatOfTheSameContenderAlone() {
    ClusterReport report =
        report(
            row(1024, "selected", 100.0, 200.0, 300.0),
            row(1024, "selected, in Spark", 110.0, 210.0, 900.0),
            row(1024, "ring", 500.0),
            row(2048, "selected, in Spark", 500.0));
    List<List<String>> lines = ClusterTables.inSpark(report);
    assertEquals(2, lines.size(), lines.toString());
    assertEquals(
        List.of(
            "broadcast", "1 KiB", "selected", "ring", "2.00", "200 µs", "210 µs", "1.10", "1.05"),
        lines.get(1));
  }

  @Test
  void withoutSparkThereIsNone() {
    assertEquals(1, ClusterTables.inSpark(report(row(8, "selected", 1.0))).size());
  }

  @Test
  void theModelStandsBesideWhatItWasFittedTo() {
    ClusterReport report = report(row(8, "selected", 1.0));
    String markdown = ClusterTables.markdown(report);
    assertTrue(
        markdown.contains(
            "## Calibration\n\nnetwork: α = 30.0 µs, β = 0.850 ns per byte, gap = 5.0 µs;"
                + " γ = 0.100 ns per byte. "),
        markdown);
    assertEquals(
        List.of("network", "ping-pong", "1 MiB", "1.25 ms", "1.20 ms"),
        ClusterTables.samples(report.calibration()).get(1));
  }

  private static Row row(long bytes, String contender, Double... samples) {
    return new Row("broadcast", bytes, contender, "ring", 1, List.of(samples), 100.0, null, null);
  }

  private static ClusterReport report(Row... rows) {
    Environment environment =
        new Environment("m", "2026-11-21T01:02:03Z", "c", "run", "Linux", "A", 2, 1, 0.5, "J", "");
    Calibration.Sample sample =
        new Calibration.Sample(Level.NETWORK, "ping-pong", 1 << 20, 1.25e6, 1.2e6);
    Calibration calibration = new Calibration(CostModel.DEFAULT, List.of(sample));
    return new ClusterReport("cluster", environment, 2, Map.of(), calibration, List.of(rows));
  }
}
