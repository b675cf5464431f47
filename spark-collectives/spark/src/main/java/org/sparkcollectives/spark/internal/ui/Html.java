package org.sparkcollectives.spark.internal.ui;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A page under construction. Every text that is given to it is escaped. */
final class Html {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private final String title;
  private final StringBuilder text = new StringBuilder();

  Html(String title) {
    this.title = title;
  }

  /** What the page is, unescaped. */
  String title() {
    return title;
  }

  /** The HTML so far. */
  String text() {
    return text.toString();
  }

  /** Text for people, safe between tags and in quoted attributes. */
  static String escape(String plain) {
    StringBuilder safe = new StringBuilder(plain.length() + 16);
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c < ' ' && c != '\n' && c != '\t' ? ' ' : c);
      }
    }
    return safe.toString();
  }

  /** Adds HTML that is known to be safe. */
  Html raw(String html) {
    text.append(html);
    return this;
  }

  Html text(String plain) {
    return raw(escape(plain));
  }

  Html heading(String plain) {
    return raw("<h4>").text(plain).raw("</h4>\n");
  }

  Html paragraph(String plain) {
    return raw("<p>").text(plain).raw("</p>\n");
  }

  /** A name and what it is, as an entry of a list. */
  Html item(String name, String plain) {
    return plain.isEmpty()
        ? this
        : raw("<li><strong>").text(name).raw(":</strong> ").text(plain).raw("</li>\n");
  }

  /** Begins a table with a head of texts. */
  Html table(String... head) {
    raw("<table class=\"table table-bordered table-sm table-striped\"><thead><tr>");
    for (String each : head) {
      raw("<th>").text(each).raw("</th>");
    }
    return body();
  }

  /** Ends the head of a table. */
  Html body() {
    return raw("</tr></thead><tbody>\n");
  }

  Html endTable() {
    return raw("</tbody></table>\n");
  }

  Html cell(String plain) {
    return raw("<td>").text(plain).raw("</td>");
  }

  /** A cell with a link. */
  Html link(String address, String plain) {
    return raw("<td>").anchor(address, plain).raw("</td>");
  }

  Html anchor(String address, String plain) {
    return raw("<a href=\"").text(address).raw("\">").text(plain).raw("</a>");
  }

  /** A time in the unit that suits it; nothing for none. */
  static String millis(double millis) {
    if (millis <= 0) {
      return "";
    } else if (millis < 1) {
      return String.format(Locale.ROOT, "%.0f µs", millis * 1e3);
    } else if (millis < 10) {
      return String.format(Locale.ROOT, "%.2f ms", millis);
    }
    return millis < 10_000
        ? String.format(Locale.ROOT, "%.0f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  /** A size in the unit that suits it; nothing for none. */
  static String bytes(long bytes) {
    return bytes((double) bytes);
  }

  /** A size that need not be a whole number of bytes. */
  static String bytes(double bytes) {
    if (bytes <= 0) {
      return "";
    }
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double number = bytes;
    while (number >= 1024 && unit < units.length - 1) {
      number /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", number, units[unit]);
  }

  /** A moment in the time zone of this JVM, as Spark's own pages show it. */
  static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis));
  }

  /** A number and what it counts. */
  static String count(long number, String one) {
    return number + " " + (number == 1 ? one : one + "s");
  }
}
