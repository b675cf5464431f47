package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlPageTest {
  @Test
  void chartsOfOnePageShareNoNames() {
    HtmlPage page = new HtmlPage("a < b");
    page.chart("<?xml?><svg><g id=\"clip\"/><g mask=\"url(#clip)\"/></svg>");
    page.chart("<svg><g id=\"clip\"/></svg>");
    String html = page.html();
    assertTrue(html.contains("<title>a &lt; b</title>"), html);
    assertTrue(html.contains("<svg><g id=\"chart0-clip\"/><g mask=\"url(#chart0-clip)\"/>"), html);
    assertTrue(html.contains("<svg><g id=\"chart1-clip\"/>"), html);
  }

  @Test
  void rowsStandOut() {
    HtmlPage page = new HtmlPage("a");
    page.table(List.of(List.of("h"), List.of("1"), List.of("2 & 3")), List.of(2));
    String html = page.html();
    assertTrue(html.contains("<tr><th>h</th></tr>"), html);
    assertTrue(html.contains("<tr><td>1</td></tr>"), html);
    assertTrue(html.contains("<tr class=\"selected\"><td>2 &amp; 3</td></tr>"), html);
  }
}
