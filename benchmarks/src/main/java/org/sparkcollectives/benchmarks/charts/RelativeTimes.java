package org.sparkcollectives.benchmarks.charts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Every algorithm's time as a multiple of the cheapest one's, over bytes. Both axes are
 * logarithmic.
 */
final class RelativeTimes {
  private static final int LEAST_BYTES = 3;
  private static final int MOST_BYTES = 30;

  /** What is eight times as dear is off the chart. */
  private static final int FAR = 3;

  private static final int MOST_SIMULATED = 64;

  private final Prices prices;
  private final int size;
  private final List<String> registry;
  private final Map<String, XYSeries> lines = new LinkedHashMap<>();

  /**
   * Finds the times.
   *
   * @param prices the operation
   * @param size p, the number of ranks
   * @param registry all algorithms' names, for their colours
   */
  RelativeTimes(Prices prices, int size, List<String> registry) {
    this.prices = prices;
    this.size = size;
    this.registry = registry;
    for (int log = LEAST_BYTES; log <= MOST_BYTES; log++) {
      Map<String, Double> all =
          simulated() ? prices.simulated(size, 1L << log) : prices.of(size, 1L << log);
      double best = Collections.min(all.values());
      for (Map.Entry<String, Double> each : all.entrySet()) {
        lines
            .computeIfAbsent(each.getKey(), slug -> new XYSeries(slug))
            .add(log, Math.log(each.getValue() / best) / Math.log(2));
      }
    }
  }

  /** Few enough ranks for their schedules to be executed; one chart holds times of one kind. */
  private boolean simulated() {
    return size <= MOST_SIMULATED;
  }

  JFreeChart chart() {
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, false);
    List<XYSeries> shown = new ArrayList<>(lines.values());
    shown.removeIf(line -> line.getMinY() > FAR);
    for (int i = 0; i < shown.size(); i++) {
      int number = registry.indexOf(String.valueOf(shown.get(i).getKey()));
      data.addSeries(shown.get(i));
      renderer.setSeriesPaint(i, ChartStyle.colour(number));
      renderer.setSeriesStroke(i, ChartStyle.stroke(number));
    }
    XYPlot plot =
        new XYPlot(
            data,
            ChartStyle.axis("vector", LEAST_BYTES, MOST_BYTES, 3, ChartStyle::bytes),
            ChartStyle.axis(
                "times the cheapest", -0.08, FAR, 1, log -> log < 0 ? "" : "" + (1 << log)),
            renderer);
    String order = prices.collective().reducing() && prices.ordered() ? ", in rank order" : "";
    return ChartStyle.chart(
        (simulated() ? "Simulated time of " : "Closed form of ")
            + prices.collective()
            + ", "
            + size
            + " ranks"
            + order,
        plot,
        true);
  }
}
