package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.sparkcollectives.benchmarks.charts.ChartStyle;
import org.sparkcollectives.benchmarks.charts.ChartSvg;

/** A report on a page: its tables, and a chart of medians by size where several were measured. */
final class ReportHtml {
  private ReportHtml() {}

  /** Adds a report to a page. */
  static void addTo(HtmlPage page, Report report) throws IOException {
    page.lines(Tables.environment(report.environment(), Tables.settings(report)));
    List<Integer> partitions =
        report.measurements().stream().map(Measurement::partitions).distinct().toList();
    for (int count : partitions) {
      List<Measurement> compared =
          report.measurements().stream()
              .filter(m -> m.compared() && m.partitions() == count && m.bytes() > 0)
              .toList();
      if (compared.stream().map(Measurement::bytes).distinct().count() > 1) {
        page.chart(medians("median time, " + count + " vectors", compared));
      }
    }
    if (report.measurements().stream().anyMatch(Measurement::compared)) {
      page.table(Tables.measurements(report, true));
    }
    if (!report.volumes().isEmpty()) {
      page.heading("The driver's network card, per operation");
      page.table(Tables.volumes(report.volumes()));
    }
    if (!report.targets().isEmpty()) {
      page.heading("Targets");
      page.table(Tables.targets(report));
    }
    if (report.measurements().stream().anyMatch(m -> !m.compared())) {
      page.heading("Parts");
      page.table(Tables.measurements(report, false));
    }
    if (!report.findings().isEmpty()) {
      page.heading("Findings");
      page.lines(Tables.pairs(report.findings()));
    }
  }

  /** Medians by size, both by their logarithms. */
  private static String medians(String title, List<Measurement> measurements) throws IOException {
    Map<String, XYSeries> lines = new LinkedHashMap<>();
    for (Measurement measurement : measurements) {
      lines
          .computeIfAbsent(measurement.contender(), XYSeries::new)
          .addOrUpdate(
              ChartStyle.log((double) measurement.bytes()),
              ChartStyle.log(measurement.summary().median()));
    }
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    for (XYSeries line : lines.values()) {
      renderer.setSeriesPaint(data.getSeriesCount(), ChartStyle.colour(data.getSeriesCount()));
      renderer.setSeriesStroke(data.getSeriesCount(), ChartStyle.stroke(data.getSeriesCount()));
      data.addSeries(line);
    }
    NumberAxis sizes =
        ChartStyle.sizes(data.getDomainLowerBound(true), data.getDomainUpperBound(true));
    NumberAxis times =
        ChartStyle.times(
            "median",
            data.getRangeLowerBound(true),
            data.getRangeUpperBound(true),
            log -> Tables.micros(Math.pow(2, log)));
    return ChartSvg.text(ChartStyle.chart(title, new XYPlot(data, sizes, times, renderer), true));
  }
}
