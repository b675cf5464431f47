package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.sparkcollectives.benchmarks.report.Tables;

/** A report as a page that needs nothing else: tables, and charts as SVG within. */
final class ClusterPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>Collectives on %d hosts</title>
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

  private ClusterPage() {}

  /** The whole page. */
  static String html(ClusterReport report) throws IOException {
    StringBuilder page = new StringBuilder(HEAD.formatted(report.hosts()));
    page.append("<h1>Collectives on ").append(report.hosts()).append(" hosts</h1>\n");
    environment(page, report);
    int charts = 0;
    page.append("<h2>Ping-pong</h2>\n<p>");
    page.append(escaped(ClusterTables.model(report.calibration())));
    page.append(". Half a round trip, median.</p>\n");
    table(page, ClusterTables.points(report.calibration()));
    for (String collective : ClusterTables.collectives(report)) {
      List<Row> rows =
          report.rows().stream().filter(row -> row.collective().equals(collective)).toList();
      page.append("<h2>").append(escaped(collective)).append("</h2>\n");
      for (String chart : ClusterCharts.of(rows)) {
        // Charts of one page must not share names.
        page.append(NAME.matcher(chart).replaceAll("$1chart" + charts + "-")).append('\n');
        charts++;
      }
      page.append("<table>\n");
      line(page, "", "th", ClusterTables.HEADER);
      for (Row row : rows) {
        boolean selected = row.contender().equals(ClusterCommand.SELECTED);
        line(page, selected ? " class=\"selected\"" : "", "td", ClusterTables.cells(row));
      }
      page.append("</table>\n");
    }
    return page.append("</body>\n</html>\n").toString();
  }

  private static void environment(StringBuilder page, ClusterReport report) {
    page.append("<pre>");
    page.append(escaped(Tables.environment(report.environment(), report.settings())));
    page.append("</pre>\n");
  }

  private static void table(StringBuilder page, List<List<String>> rows) {
    page.append("<table>\n");
    for (int i = 0; i < rows.size(); i++) {
      line(page, "", i == 0 ? "th" : "td", rows.get(i));
    }
    page.append("</table>\n");
  }

  private static void line(StringBuilder page, String attributes, String tag, List<String> cells) {
    page.append("<tr").append(attributes).append('>');
    for (String cell : cells) {
      page.append('<').append(tag).append('>').append(escaped(cell));
      page.append("</").append(tag).append('>');
    }
    page.append("</tr>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
