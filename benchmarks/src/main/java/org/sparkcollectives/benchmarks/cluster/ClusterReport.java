package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.HtmlPage;
import org.sparkcollectives.benchmarks.report.Result;
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
    List<Row> rows)
    implements Result {

  ClusterReport {
    settings = new LinkedHashMap<>(settings);
    rows = List.copyOf(rows);
  }

  @Override
  public String title() {
    return "Collectives on " + hosts + " hosts";
  }

  @Override
  public String markdown() {
    return ClusterTables.markdown(this);
  }

  @Override
  public void write(Path folder) throws IOException {
    ClusterFiles.write(this, folder);
  }

  @Override
  public void addTo(HtmlPage page) throws IOException {
    ClusterHtml.addTo(page, this);
  }
}
