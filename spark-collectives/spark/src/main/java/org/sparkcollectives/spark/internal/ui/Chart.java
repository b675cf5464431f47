package org.sparkcollectives.spark.internal.ui;

import java.util.List;
import java.util.Locale;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/** The objective of a training over its iterations, as a line. */
final class Chart {
  private static final double WIDTH = 640;
  private static final double HEIGHT = 220;
  private static final double LEFT = 90;
  private static final double BOTTOM = 24;
  private static final double TOP = 10;

  private Chart() {}

  /** The first and the last value, in words; nothing where there are none. */
  static String ends(List<Double> objective) {
    return objective.isEmpty()
        ? ""
        : number(objective.get(0)) + " to " + number(objective.get(objective.size() - 1));
  }

  /** Draws the chart, unless there are fewer than two values that can be drawn. */
  static void draw(Html html, TrainingEvent training) {
    List<Double> values = training.objective;
    double[] finite = values.stream().mapToDouble(v -> v).filter(Double::isFinite).toArray();
    if (finite.length < 2) {
      return;
    }
    double low = Double.MAX_VALUE;
    double high = -Double.MAX_VALUE;
    for (double value : finite) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    double range = high > low ? high - low : 1;
    int last = Math.max(1, Math.max(training.iterations, values.size() - 1));
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      double value = values.get(i);
      if (Double.isFinite(value)) {
        double iteration = Math.min((double) last, (double) i * training.step);
        line.append(line.length() == 0 ? "M" : "L");
        line.append(
            String.format(
                Locale.ROOT,
                "%.1f %.1f",
                LEFT + (WIDTH - LEFT - 8) * iteration / last,
                TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / range));
      }
    }
    html.raw(
        String.format(
            Locale.ROOT,
            "<svg class=\"objective\" width=\"%.0f\" height=\"%.0f\">"
                + "<path d=\"M%.0f %.0fV%.0fH%.0f\" fill=\"none\" stroke=\"#999\"/>"
                + "<path d=\"%s\" fill=\"none\" stroke=\"#0b79b8\" stroke-width=\"2\"/>",
            WIDTH,
            HEIGHT,
            LEFT,
            TOP,
            HEIGHT - BOTTOM,
            WIDTH - 8,
            line));
    label(html, LEFT - 6, TOP + 10, "end", number(high));
    label(html, LEFT - 6, HEIGHT - BOTTOM, "end", number(low));
    label(html, LEFT, HEIGHT - 6, "start", "0");
    label(html, WIDTH - 8, HEIGHT - 6, "end", "iteration " + last);
    html.raw("</svg>\n");
  }

  private static void label(Html html, double x, double y, String anchor, String text) {
    html.raw(
        String.format(
            Locale.ROOT,
            "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\" font-size=\"12\" fill=\"#777\">",
            x,
            y,
            anchor));
    html.text(text).raw("</text>");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
