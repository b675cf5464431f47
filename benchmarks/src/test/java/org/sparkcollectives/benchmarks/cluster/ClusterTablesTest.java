package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.report.Environment;

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

  private static Row row(long bytes, String contender, Double... samples) {
    return new Row("broadcast", bytes, contender, "ring", 1, List.of(samples), 100.0, null, null);
  }

  private static ClusterReport report(Row... rows) {
    Environment environment =
        new Environment("m", "2026-11-21T01:02:03Z", "c", "run", "Linux", "A", 2, 1, 0.5, "J", "");
    Calibration calibration = new Calibration(Parameters.UNKNOWN, List.of());
    return new ClusterReport("cluster", environment, 2, Map.of(), calibration, List.of(rows));
  }
}
