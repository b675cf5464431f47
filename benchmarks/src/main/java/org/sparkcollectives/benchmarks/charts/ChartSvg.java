package org.sparkcollectives.benchmarks.charts;

import java.awt.Dimension;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;

/** Charts as SVG. */
public final class ChartSvg {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 480;

  private ChartSvg() {}

  /**
   * A chart as part of a page.
   *
   * @param chart the chart
   * @return its element, without a prologue
   * @throws IOException if it cannot be drawn
   */
  public static String text(JFreeChart chart) throws IOException {
    StringWriter document = new StringWriter();
    write(chart, document);
    return document.toString().substring(document.toString().indexOf("<svg"));
  }

  /**
   * Writes a chart as a document of its own.
   *
   * @param chart the chart
   * @param out where to
   * @throws IOException if that fails
   */
  public static void write(JFreeChart chart, Writer out) throws IOException {
    System.setProperty("java.awt.headless", "true");
    SVGGeneratorContext context;
    try {
      context =
          SVGGeneratorContext.createDefault(
              DocumentBuilderFactory.newDefaultInstance()
                  .newDocumentBuilder()
                  .getDOMImplementation()
                  .createDocument("http://www.w3.org/2000/svg", "svg", null));
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the JDK has no XML parser", e);
    }
    context.setComment(null);
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
    chart.draw(graphics, new Rectangle(WIDTH, HEIGHT));
    graphics.stream(out, true);
  }
}
