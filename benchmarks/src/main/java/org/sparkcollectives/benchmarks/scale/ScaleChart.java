package org.sparkcollectives.benchmarks.scale;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.sparkcollectives.benchmarks.charts.ChartStyle;
import org.sparkcollectives.schedule.Collective;

/**
 * Times as multiples of the lower bound over bytes, a line per collective; axes are logarithmic.
 */
final class ScaleChart {
  private static final int LEAST_LOG = 3;
  private static final int MOST_LOG = 30;

  private ScaleChart() {}

  /**
   * Draws a chart.
   *
   * @param cells those of one number of ranks and one placement
   * @param title its title
   */
  static JFreeChart of(List<Cell> cells, String title) {
    Map<String, List<Cell>> lines = cells.stream().collect(Collectors.groupingBy(Cell::collective));
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    double most = 1;
    for (Collective collective : Collective.values()) {
      List<Cell> line = lines.getOrDefault(collective.slug(), List.of());
      if (line.size() < 2) {
        continue; // a barrier has no bytes
      }
      XYSeries series = new XYSeries(collective.slug());
      for (Cell cell : line) {
        double over = ChartStyle.log(cell.overBound());
        series.add(ChartStyle.log((double) cell.bytes()), over);
        most = Math.max(most, over);
      }
      int number = data.getSeriesCount();
      renderer.setSeriesPaint(number, ChartStyle.colour(number));
      renderer.setSeriesStroke(number, ChartStyle.stroke(number));
      data.addSeries(series);
    }
    XYPlot plot =
        new XYPlot(
            data,
            ChartStyle.axis("vector", LEAST_LOG, MOST_LOG, 3, ChartStyle::bytes),
            ChartStyle.axis(
                "times the bound",
                -0.08,
                Math.ceil(most),
                1,
                log -> log < 0 ? "" : "" + (1 << log)),
            renderer);
    return ChartStyle.chart(title, plot, true);
  }
}
