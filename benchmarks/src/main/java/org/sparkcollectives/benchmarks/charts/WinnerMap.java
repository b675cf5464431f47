package org.sparkcollectives.benchmarks.charts;

import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYBoxAnnotation;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Which algorithm is the cheapest, over ranks and bytes. Columns are numbers of ranks, 2^e and an
 * odd one near √2 · 2^e in turns.
 */
final class WinnerMap {
  private static final int SMALLEST_LOG = 2;
  private static final int LARGEST_LOG = 16;
  private static final int LEAST_BYTES = 3;
  private static final int MOST_BYTES = 30;
  private static final double COLUMNS_PER_LETTER = 0.4;

  private final Prices prices;
  private final List<Integer> sizes = new ArrayList<>();
  private final List<List<String>> winners = new ArrayList<>();
  private final List<String> registry;

  /**
   * Finds the winners.
   *
   * @param prices the operation
   * @param registry all algorithms' names, for their colours
   */
  WinnerMap(Prices prices, List<String> registry) {
    this.prices = prices;
    this.registry = registry;
    for (int log = SMALLEST_LOG; log <= LARGEST_LOG; log++) {
      sizes.add(1 << log);
      if (log < LARGEST_LOG) {
        sizes.add((int) (Math.sqrt(2) * (1 << log)) | 1);
      }
    }
    for (int size : sizes) {
      List<String> column = new ArrayList<>();
      for (int log = LEAST_BYTES; log <= MOST_BYTES; log++) {
        column.add(prices.winner(size, 1L << log));
      }
      winners.add(column);
    }
  }

  /** The number of cells won by each algorithm. */
  Map<String, Integer> shares() {
    Map<String, Integer> shares = new TreeMap<>();
    winners.forEach(column -> column.forEach(slug -> shares.merge(slug, 1, Integer::sum)));
    return shares;
  }

  /** The number of cells. */
  int cells() {
    return sizes.size() * winners.get(0).size();
  }

  JFreeChart chart() {
    XYPlot plot =
        new XYPlot(
            new XYSeriesCollection(),
            ChartStyle.axis(
                "ranks",
                -0.5,
                sizes.size() - 0.5,
                4,
                column -> column >= 0 && column < sizes.size() ? "" + sizes.get(column) : ""),
            ChartStyle.axis(
                "vector",
                LEAST_BYTES - 0.5,
                MOST_BYTES + 0.5,
                3,
                log -> log < 0 ? "" : ChartStyle.bytes(log)),
            new XYLineAndShapeRenderer());
    plot.setDomainGridlinesVisible(false);
    plot.setRangeGridlinesVisible(false);
    LegendItemCollection legend = new LegendItemCollection();
    for (Map.Entry<String, Integer> share : shares().entrySet()) {
      legend.add(
          new LegendItem(share.getKey(), ChartStyle.colour(registry.indexOf(share.getKey()))));
    }
    plot.setFixedLegendItems(legend);
    for (int column = 0; column < sizes.size(); column++) {
      addRuns(plot, column);
    }
    shares().keySet().forEach(slug -> addName(plot, slug));
    String order =
        !prices.collective().reducing()
            ? ""
            : prices.ordered() ? ", in rank order" : ", commutative operator";
    return ChartStyle.chart("Cheapest " + prices.collective() + order, plot, true);
  }

  private void addRuns(XYPlot plot, int column) {
    List<String> cells = winners.get(column);
    for (int from = 0, to; from < cells.size(); from = to) {
      to = from + 1;
      while (to < cells.size() && cells.get(to).equals(cells.get(from))) {
        to++;
      }
      plot.getRenderer()
          .addAnnotation(
              new XYBoxAnnotation(
                  column - 0.5,
                  LEAST_BYTES + from - 0.5,
                  column + 0.5,
                  LEAST_BYTES + to - 0.5,
                  new BasicStroke(0.4f),
                  ChartStyle.colour(registry.indexOf(cells.get(from))),
                  ChartStyle.colour(registry.indexOf(cells.get(from)))),
              Layer.BACKGROUND);
    }
  }

  /** Writes a name into the middle of the widest part of an algorithm's cells, if it fits there. */
  private void addName(XYPlot plot, String slug) {
    int rows = winners.get(0).size();
    List<Run> widest = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      for (Run run : runs(slug, row)) {
        int most = widest.isEmpty() ? 0 : widest.get(0).columns();
        if (run.columns() > most) {
          widest.clear();
        }
        if (run.columns() >= most) {
          widest.add(run);
        }
      }
    }
    if (widest.get(0).columns() < slug.length() * COLUMNS_PER_LETTER) {
      return;
    }
    Run middle = widest.get(widest.size() / 2);
    XYTextAnnotation name =
        new XYTextAnnotation(
            slug, middle.from() + (middle.columns() - 1) / 2.0, LEAST_BYTES + middle.row());
    name.setFont(ChartStyle.BOLD);
    name.setPaint(ChartStyle.INK);
    name.setBackgroundPaint(ChartStyle.VEIL);
    name.setTextAnchor(TextAnchor.CENTER);
    plot.addAnnotation(name);
  }

  private List<Run> runs(String slug, int row) {
    List<Run> runs = new ArrayList<>();
    for (int from = 0, to; from < sizes.size(); from = to) {
      to = from;
      while (to < sizes.size() && winners.get(to).get(row).equals(slug)) {
        to++;
      }
      if (to > from) {
        runs.add(new Run(row, from, to - from));
      } else {
        to++;
      }
    }
    return runs;
  }

  /** Neighbouring cells of one algorithm. */
  private record Run(int row, int from, int columns) {}
}
