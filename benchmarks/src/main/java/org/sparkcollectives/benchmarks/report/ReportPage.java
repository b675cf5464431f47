package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.sparkcollectives.benchmarks.charts.Look;
import org.sparkcollectives.benchmarks.charts.Svg;

/** A report as a page: its tables, and a chart of medians by size where several were measured. */
final class ReportPage {
  private ReportPage() {}

  /** The whole page. */
  static String html(Report report) throws IOException {
    Page page = new Page("benchmarks/run " + report.benchmark());
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
    page.table(Tables.measurements(report, true));
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
    return page.html();
  }

  /** Medians by size, both by their logarithms. */
  private static String medians(String title, List<Measurement> measurements) throws IOException {
    Map<String, XYSeries> lines = new LinkedHashMap<>();
    for (Measurement measurement : measurements) {
      lines
          .computeIfAbsent(measurement.contender(), XYSeries::new)
          .addOrUpdate(log((double) measurement.bytes()), log(measurement.summary().median()));
    }
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    for (XYSeries line : lines.values()) {
      renderer.setSeriesPaint(data.getSeriesCount(), Look.colour(data.getSeriesCount()));
      renderer.setSeriesStroke(data.getSeriesCount(), Look.stroke(data.getSeriesCount()));
      data.addSeries(line);
    }
    NumberAxis sizes =
        axis("vector", data.getDomainLowerBound(true), data.getDomainUpperBound(true));
    NumberAxis times = axis("median", data.getRangeLowerBound(true), data.getRangeUpperBound(true));
    StringWriter svg = new StringWriter();
    Svg.write(Look.chart(title, new XYPlot(data, sizes, times, renderer), true), svg);
    return svg.toString();
  }

  private static NumberAxis axis(String label, double least, double most) {
    double from = Math.floor(least);
    double to = Math.max(from + 1, Math.ceil(most));
    return label.equals("vector")
        ? Look.axis(label, from, to, to - from > 10 ? 3 : 1, Look::bytes)
        : Look.axis(label, from, to, 2, log -> Tables.micros(Math.pow(2, log)));
  }

  private static double log(double value) {
    return Math.log(value) / Math.log(2);
  }
}
