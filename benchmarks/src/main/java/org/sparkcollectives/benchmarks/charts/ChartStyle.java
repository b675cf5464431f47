package org.sparkcollectives.benchmarks.charts;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Stroke;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.List;
import java.util.function.IntFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;

/** Colours, fonts and axes that all charts share. */
public final class ChartStyle {
  static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 12);
  static final Color INK = new Color(0x1f2328);
  static final Color VEIL = new Color(255, 255, 255, 190);
  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 15);
  private static final Color GRID = new Color(0xd1d9e0);

  private static final int[] COLOURS = {
    0x4477aa, 0xee8866, 0x44aa77, 0xaa4499, 0xddaa33, 0x66ccee, 0x994455, 0x99aa55, 0x777777,
    0x332288, 0xee99aa, 0x117733, 0x661100, 0x88ccee, 0xbbcc33, 0xaa3377, 0x006699, 0xcc6677
  };
  private static final float[][] DASHES = {{}, {8, 3}, {2, 3}, {9, 3, 2, 3}};

  private ChartStyle() {}

  /**
   * The colour of a line.
   *
   * @param number the line's number
   * @return one of few colours
   */
  public static Color colour(int number) {
    return new Color(COLOURS[number % COLOURS.length]);
  }

  /**
   * The stroke of a line.
   *
   * @param number the line's number
   * @return one of few strokes
   */
  public static Stroke stroke(int number) {
    float[] dash = DASHES[number % DASHES.length];
    return dash.length == 0
        ? new BasicStroke(2.2f)
        : new BasicStroke(2.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0);
  }

  /**
   * An axis of whole numbers that are shown by names.
   *
   * @param label what the axis shows
   * @param from where it begins
   * @param to where it ends
   * @param step the distance of labels
   * @param names the labels
   * @return the axis
   */
  public static NumberAxis axis(
      String label, double from, double to, double step, IntFunction<String> names) {
    NumberAxis axis = new NumberAxis(label);
    axis.setRange(from, to);
    axis.setTickUnit(new NumberTickUnit(step, new Names(names)));
    axis.setLabelFont(TEXT);
    axis.setTickLabelFont(TEXT);
    axis.setLabelPaint(INK);
    axis.setTickLabelPaint(INK);
    return axis;
  }

  /**
   * An axis of vectors' sizes.
   *
   * @param least logarithm of the smallest size shown
   * @param most logarithm of the largest
   * @return the axis, from one power of two to another
   */
  public static NumberAxis sizes(double least, double most) {
    double from = Math.floor(least);
    double to = Math.max(from + 1, Math.ceil(most));
    return axis("vector", from, to, to - from > 10 ? 3 : 1, ChartStyle::bytes);
  }

  /**
   * An axis of times.
   *
   * @param label what the axis shows
   * @param least logarithm of the shortest time shown
   * @param most logarithm of the longest
   * @param names times by their logarithms
   * @return the axis, from one power of two to another
   */
  public static NumberAxis times(
      String label, double least, double most, IntFunction<String> names) {
    double from = Math.floor(least);
    return axis(label, from, Math.max(from + 1, Math.ceil(most)), 2, names);
  }

  /**
   * The place of a value on a logarithmic axis.
   *
   * @param value above 0
   * @return its logarithm to the base 2
   */
  public static double log(double value) {
    return Math.log(value) / Math.log(2);
  }

  /**
   * A chart.
   *
   * @param title its title
   * @param plot what it shows
   * @param legend whether lines are named below
   * @return the chart
   */
  public static JFreeChart chart(String title, XYPlot plot, boolean legend) {
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(GRID);
    plot.setRangeGridlinePaint(GRID);
    plot.setDomainGridlineStroke(new BasicStroke(1));
    plot.setRangeGridlineStroke(new BasicStroke(1));
    plot.setOutlinePaint(GRID);
    JFreeChart chart = new JFreeChart(title, TITLE, plot, legend);
    chart.setBackgroundPaint(Color.WHITE);
    chart.setPadding(new RectangleInsets(8, 8, 8, 14));
    chart.getTitle().setPaint(INK);
    if (chart.getLegend() != null) {
      chart.getLegend().setItemFont(TEXT);
      chart.getLegend().setItemPaint(INK);
      chart.getLegend().setPosition(RectangleEdge.BOTTOM);
      chart.getLegend().setFrame(new BlockBorder(Color.WHITE));
    }
    return chart;
  }

  /**
   * A power of two of bytes.
   *
   * @param log its logarithm
   * @return such as {@code 8 MiB}
   */
  public static String bytes(int log) {
    List<String> units = List.of(" B", " KiB", " MiB", " GiB");
    return (1 << log % 10) + units.get(log / 10);
  }

  /** Shows numbers by names; never parsed. */
  private static final class Names extends NumberFormat {
    private static final long serialVersionUID = 1L;
    private final transient IntFunction<String> names;

    Names(IntFunction<String> names) {
      this.names = names;
    }

    @Override
    public StringBuffer format(double number, StringBuffer to, FieldPosition position) {
      return to.append(names.apply((int) Math.round(number)));
    }

    @Override
    public StringBuffer format(long number, StringBuffer to, FieldPosition position) {
      return to.append(names.apply((int) number));
    }

    @Override
    public Number parse(String source, ParsePosition position) {
      throw new UnsupportedOperationException("labels are not read");
    }
  }
}
