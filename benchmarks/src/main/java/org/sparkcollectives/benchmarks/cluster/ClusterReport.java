package org.sparkcollectives.benchmarks.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.internal.calibrate.Calibration;

/**
 * All that one run found.
 *
 * @param benchmark its name
 * @param environment where and how it ran
 * @param hosts how many hosts there were
 * @param settings what it was told and what it set, by name
 * @param calibration what communication costs, and what that was fitted to
 * @param rows what was measured
 */
record ClusterReport(
    String benchmark,
    Environment environment,
    int hosts,
    Map<String, String> settings,
    Calibration calibration,
    List<Row> rows) {

  ClusterReport {
    settings = new LinkedHashMap<>(settings);
    rows = List.copyOf(rows);
  }
}
