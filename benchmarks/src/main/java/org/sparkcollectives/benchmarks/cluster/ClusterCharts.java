package org.sparkcollectives.benchmarks.cluster;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.charts.ChartStyle;
import org.sparkcollectives.benchmarks.charts.ChartSvg;
import org.sparkcollectives.benchmarks.report.Tables;

/** Charts of one collective's rows, as SVG. Bytes and times are shown by their logarithms. */
final class ClusterCharts {
  private static final String BOUND = "lower bound";
  private static final double TOLERANCE = 1.25;
  private static final double MOST_RATIO = 4;
  private static final float WIDE = 4;
  private static final float NARROW = 1;

  /** Below this size, ratios say more about starting a message than about the network. */
  private static final long LARGE = 64 << 10;

  private ClusterCharts() {}

  /** All charts, one after the other. */
  static List<String> of(List<Row> rows) throws IOException {
    List<String> charts = new ArrayList<>();
    charts.add(times(rows));
    List<Row> large = rows.stream().filter(row -> row.bytes() >= LARGE).toList();
    if (large.stream().anyMatch(row -> row.overBound() != null)) {
      charts.add(ratios("median ÷ lower bound", large, Row::overBound));
    }
    charts.add(ratios("median ÷ predicted", large.isEmpty() ? rows : large, Row::overPredicted));
    return charts;
  }

  /** Medians by size, and the lower bound where there is one. */
  private static String times(List<Row> rows) throws IOException {
    Map<String, XYSeries> lines = lines(rows, row -> ChartStyle.log(row.summary().median()));
    for (Row row : rows) {
      if (row.boundMicros() != null) {
        lines
            .computeIfAbsent(BOUND, XYSeries::new)
            .addOrUpdate(ChartStyle.log((double) row.bytes()), ChartStyle.log(row.boundMicros()));
      }
    }
    double least = lines.values().stream().mapToDouble(XYSeries::getMinY).min().orElseThrow();
    double most = lines.values().stream().mapToDouble(XYSeries::getMaxY).max().orElseThrow();
    NumberAxis axis =
        ChartStyle.times("median", least, most, log -> Tables.micros(Math.pow(2, log)));
    return draw("median time", rows, lines, axis, List.of());
  }

  /** Ratios by size, with lines at 1 and a quarter above and below. */
  private static String ratios(String title, List<Row> rows, Function<Row, @Nullable Double> value)
      throws IOException {
    Map<String, XYSeries> lines = lines(rows, value);
    double most = lines.values().stream().mapToDouble(XYSeries::getMaxY).max().orElse(1);
    IntFunction<String> names = Integer::toString;
    NumberAxis axis = ChartStyle.axis(title, 0, Math.min(MOST_RATIO, Math.ceil(most)), 1, names);
    return draw(title, rows, lines, axis, List.of(1 / TOLERANCE, 1.0, TOLERANCE));
  }

  private static Map<String, XYSeries> lines(
      List<Row> rows, Function<Row, @Nullable Double> value) {
    Map<String, XYSeries> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      Double y = value.apply(row);
      if (y != null) {
        lines
            .computeIfAbsent(row.contender(), XYSeries::new)
            .add(ChartStyle.log((double) row.bytes()), y);
      }
    }
    return lines;
  }

  private static String draw(
      String title,
      List<Row> rows,
      Map<String, XYSeries> lines,
      NumberAxis axis,
      List<Double> markers)
      throws IOException {
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    int number = 0;
    for (XYSeries line : lines.values()) {
      data.addSeries(line);
      boolean bound = BOUND.equals(line.getKey());
      boolean selected = ClusterCommand.SELECTED.equals(line.getKey());
      renderer.setSeriesPaint(number, bound ? Color.GRAY : ChartStyle.colour(number));
      renderer.setSeriesStroke(
          number,
          bound || selected
              ? new BasicStroke(selected ? WIDE : NARROW)
              : ChartStyle.stroke(number));
      renderer.setSeriesShapesVisible(number, !bound);
      number++;
    }
    double least = rows.stream().mapToLong(Row::bytes).min().orElseThrow();
    double most = rows.stream().mapToLong(Row::bytes).max().orElseThrow();
    NumberAxis sizes = ChartStyle.sizes(ChartStyle.log(least), ChartStyle.log(most));
    XYPlot plot = new XYPlot(data, sizes, axis, renderer);
    for (double marker : markers) {
      plot.addRangeMarker(new ValueMarker(marker, Color.GRAY, new BasicStroke(NARROW)));
    }
    String collective = rows.get(0).collective();
    return ChartSvg.text(ChartStyle.chart(collective + ": " + title, plot, true));
  }
}
