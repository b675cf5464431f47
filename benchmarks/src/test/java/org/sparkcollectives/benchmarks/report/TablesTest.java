package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TablesTest {
  @Test
  void writesTimesInAFittingUnit() {
    assertEquals("0.05 µs", Tables.micros(0.05));
    assertEquals("10.0 µs", Tables.micros(9.996));
    assertEquals("123 µs", Tables.micros(123.4));
    assertEquals("1.00 ms", Tables.micros(1000));
    assertEquals("12.3 ms", Tables.micros(12_345));
    assertEquals("2.50 s", Tables.micros(2_500_000));
  }

  @Test
  void writesSizesInBinaryUnits() {
    assertEquals("8 B", Tables.bytes(8));
    assertEquals("1 KiB", Tables.bytes(1024));
    assertEquals("1.5 MiB", Tables.bytes(3 << 19));
    assertEquals("64 MiB", Tables.bytes(64 << 20));
  }

  @Test
  void alignsColumns() {
    assertEquals(
        """
        | a   | bb |
        | --- | -- |
        | ccc | d  |""",
        Tables.table(List.of(List.of("a", "bb"), List.of("ccc", "d"))));
  }

  @Test
  void showsMeasurementsTargetsAndWhatIsTimed() {
    String text = Tables.of(Reports.example());
    assertTrue(
        text.contains(
            "| 8 MiB  | 4          | mine      | end to end | 1.00 ms | 2.00 ms | 4.00 ms |"),
        text);
    assertTrue(text.contains("| mine   | ≥ 2.0 x | 3.0 x    | yes  |"), text);
    assertTrue(text.contains("| theirs    | 60 MiB      | 40 MiB          | 100.0 % |"), text);
    assertTrue(text.contains("| mine      | 1 MiB       | 0 B             | 1.0 %   |"), text);
    assertTrue(text.contains("“end to end”: from here to there"), text);
    assertTrue(text.contains("- command: `benchmarks/run example`"), text);
    assertTrue(
        text.indexOf("| part ") > text.indexOf("| yes  |"), "parts stand after what is compared");
  }

  @Test
  void theDriversBytesAreAShareOnlyOfSparksOwnWay() {
    Volume alone = new Volume("mine", "", 4, 8, List.of(1L), List.of(2L));
    assertEquals(
        List.of(
            List.of("vector", "partitions", "contender", "driver sent", "driver received"),
            List.of("8 B", "4", "mine", "1 B", "2 B")),
        Tables.volumes(List.of(alone)));
    Report report = Reports.example();
    String clause = "medians, and which share that is of Spark's own way, the first of its kind:";
    assertTrue(Tables.of(report).contains(clause), "a share has a base");
    Report without =
        new Report(
            report.benchmark(),
            report.environment(),
            report.settings(),
            report.timed(),
            report.measurements(),
            List.of(alone),
            report.findings(),
            report.targets());
    assertTrue(Tables.of(without).contains("carried per operation, medians:"), "none has none");
  }
}
