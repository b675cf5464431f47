package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A page that needs no other file: headings, tables, and charts as SVG within. */
public final class HtmlPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>%1$s</title>
      <style>
      body { font-family: sans-serif; margin: 2em auto; max-width: 110em; padding: 0 1em; }
      table { border-collapse: collapse; font-size: 85%%; }
      th, td { border: 1px solid #ccc; padding: .2em .5em; text-align: right; }
      td:nth-child(2), td:nth-child(3) { text-align: left; }
      tr.selected { background: #eef6e6; }
      svg { max-width: 100%%; height: auto; }
      pre { white-space: pre-wrap; }
      </style>
      </head>
      <body>
      """;

  private static final Pattern NAME = Pattern.compile("(\\bid=\"|url\\(#)");

  private final StringBuilder html;
  private int charts;

  /**
   * Begins a page.
   *
   * @param title its title, which the window shows
   */
  public HtmlPage(String title) {
    html = new StringBuilder(HEAD.formatted(escaped(title)));
  }

  /**
   * Adds the title of a part.
   *
   * @param text the title
   */
  public void title(String text) {
    html.append("<h1>").append(escaped(text)).append("</h1>\n");
  }

  /**
   * Adds a heading.
   *
   * @param text its text
   */
  public void heading(String text) {
    html.append("<h2>").append(escaped(text)).append("</h2>\n");
  }

  /**
   * Adds a paragraph.
   *
   * @param text its text
   */
  public void paragraph(String text) {
    html.append("<p>").append(escaped(text)).append("</p>\n");
  }

  /**
   * Adds text whose lines stay as they are.
   *
   * @param text the text
   */
  public void lines(String text) {
    html.append("<pre>").append(escaped(text)).append("</pre>\n");
  }

  /**
   * Adds a chart.
   *
   * @param svg an SVG document, with or without a prologue
   */
  public void chart(String svg) {
    // Charts of one page must not share names.
    String own = svg.substring(svg.indexOf("<svg"));
    html.append(NAME.matcher(own).replaceAll("$1chart" + charts + "-")).append('\n');
    charts++;
  }

  /**
   * Adds a table.
   *
   * @param rows its rows, of which the first is the header
   */
  public void table(List<List<String>> rows) {
    table(rows, List.of());
  }

  /**
   * Adds a table with rows that stand out.
   *
   * @param rows its rows, of which the first is the header
   * @param selected numbers of the rows that stand out
   */
  public void table(List<List<String>> rows, List<Integer> selected) {
    html.append("<table>\n");
    for (int i = 0; i < rows.size(); i++) {
      String tag = i == 0 ? "th" : "td";
      html.append(selected.contains(i) ? "<tr class=\"selected\">" : "<tr>");
      for (String cell : rows.get(i)) {
        html.append('<').append(tag).append('>').append(escaped(cell));
        html.append("</").append(tag).append('>');
      }
      html.append("</tr>\n");
    }
    html.append("</table>\n");
  }

  /**
   * Writes results into a file, one after the other.
   *
   * @param results at least one
   * @param file where to; its folder is made where it is missing
   * @throws IOException if that fails
   */
  public static void write(List<? extends Result> results, Path file) throws IOException {
    HtmlPage page = new HtmlPage(results.get(0).title());
    for (Result result : results) {
      page.title(result.title());
      result.addTo(page);
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(file, page.html(), StandardCharsets.UTF_8);
  }

  /**
   * The whole page.
   *
   * @return HTML
   */
  public String html() {
    return html + "</body>\n</html>\n";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
