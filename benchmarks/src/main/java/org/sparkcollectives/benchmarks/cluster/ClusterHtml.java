package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.benchmarks.report.HtmlPage;
import org.sparkcollectives.benchmarks.report.Tables;

/** A report on a page, with tables and charts. */
final class ClusterHtml {
  private ClusterHtml() {}

  /** Adds a report to a page. */
  static void addTo(HtmlPage page, ClusterReport report) throws IOException {
    page.lines(Tables.environment(report.environment(), report.settings()));
    List<List<String>> inSpark = ClusterTables.inSpark(report);
    if (inSpark.size() > 1) {
      page.heading(ClusterTables.IN_SPARK);
      page.table(inSpark);
    }
    List<List<String>> encrypted = ClusterTables.encrypted(report);
    if (encrypted.size() > 1) {
      page.heading(ClusterTables.ENCRYPTED);
      page.table(encrypted);
    }
    page.heading(ClusterTables.CALIBRATION);
    page.paragraph(ClusterTables.model(report.calibration()) + ". " + ClusterTables.FITTED_TO);
    page.table(ClusterTables.samples(report.calibration()));
    for (String collective : ClusterTables.collectives(report)) {
      List<Row> rows =
          report.rows().stream().filter(row -> row.collective().equals(collective)).toList();
      page.heading(collective);
      if (rows.get(0).bytes() > 0) { // a barrier has no sizes to compare
        ClusterCharts.of(rows).forEach(page::chart);
      }
      List<List<String>> cells = new ArrayList<>();
      List<Integer> selected = new ArrayList<>();
      cells.add(ClusterTables.HEADER);
      for (Row row : rows) {
        if (row.contender().equals(ClusterCommand.SELECTED)) {
          selected.add(cells.size());
        }
        cells.add(ClusterTables.cells(row));
      }
      page.table(cells, selected);
    }
  }
}
