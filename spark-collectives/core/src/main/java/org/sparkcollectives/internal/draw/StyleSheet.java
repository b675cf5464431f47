package org.sparkcollectives.internal.draw;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Colours and fonts. Light unless the viewer prefers dark; whatever differs in colour differs in
 * dashes or in brightness too.
 */
final class StyleSheet {
  /** So many trees have a colour of their own. */
  static final int COLOURS = 4;

  /** The width of a digit in a small label. */
  static final double DIGIT = 6.4;

  private static final String SHEET =
      """

      text{font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif;fill:#1f2328}
      .bg{fill:#fff}
      .title{font-size:15px;font-weight:600}
      .muted{fill:#59636e}
      .mid{text-anchor:middle}
      .end{text-anchor:end}
      .bold{font-weight:700}
      .label{font-size:11px;text-anchor:middle}
      .halo{font-size:11px;text-anchor:middle;stroke:#fff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
      .rail{fill:none;stroke:#d1d9e0;stroke-width:1}
      .band{fill:#f3f5f7}
      .node{fill:#fff;stroke:#59636e;stroke-width:1.3}
      .ring{fill:none;stroke:#59636e;stroke-width:1.3}
      .n0{fill:#bfe6dd}.n1{fill:#e5d6fb}.n2{fill:#f2e3a6}.n3{fill:#fbd0e0}
      .box{fill:#fff;stroke:#8c959f;stroke-width:1}
      .sum{fill:#b9c2cb;stroke:#59636e;stroke-width:1}
      .e{fill:none;stroke:#59636e;stroke-width:1.6}
      .h{fill:#59636e}
      .c0{fill:none;stroke:#0a58ca;stroke-width:2}
      .d0{fill:#0a58ca}
      .c1{fill:none;stroke:#c2410c;stroke-width:2;stroke-dasharray:6 3}
      .d1{fill:#c2410c}
      .e0{fill:none;stroke:#0b6e5f;stroke-width:1.8}
      .h0{fill:#0b6e5f}
      .e1{fill:none;stroke:#9a5cf0;stroke-width:1.8;stroke-dasharray:7 2.5}
      .h1{fill:#9a5cf0}
      .e2{fill:none;stroke:#8a6a00;stroke-width:1.8;stroke-dasharray:2.5 2}
      .h2{fill:#8a6a00}
      .e3{fill:none;stroke:#d1347b;stroke-width:1.8;stroke-dasharray:9 2 2 2}
      .h3{fill:#d1347b}
      @media(prefers-color-scheme:dark){
      text{fill:#e6edf3}
      .bg{fill:#0d1117}
      .muted{fill:#9da7b1}
      .halo{stroke:#0d1117}
      .rail{stroke:#343b43}
      .band{fill:#171d25}
      .node{fill:#0d1117;stroke:#9da7b1}
      .ring{stroke:#9da7b1}
      .n0{fill:#0f4a41}.n1{fill:#46297a}.n2{fill:#5a4a08}.n3{fill:#6e1d42}
      .box{fill:#0d1117;stroke:#7d8793}
      .sum{fill:#4a535e;stroke:#9da7b1}
      .e{stroke:#9da7b1}
      .h{fill:#9da7b1}
      .c0{stroke:#6cb0ff}
      .d0{fill:#6cb0ff}
      .c1{stroke:#ff9a57}
      .d1{fill:#ff9a57}
      .e0{stroke:#4fc9b4}
      .h0{fill:#4fc9b4}
      .e1{stroke:#c297ff}
      .h1{fill:#c297ff}
      .e2{stroke:#dfba3f}
      .h2{fill:#dfba3f}
      .e3{stroke:#ff86b6}
      .h3{fill:#ff86b6}
      }
      """;

  private static final Pattern RULE = Pattern.compile("\\.(\\w+)\\{[^}]*\\}");

  private StyleSheet() {}

  /** The style sheet without the rules of classes that a picture does not use. */
  static String sheet(Set<String> used) {
    Matcher rules = RULE.matcher(SHEET);
    return rules
        .replaceAll(
            rule -> used.contains(rule.group(1)) ? Matcher.quoteReplacement(rule.group()) : "")
        .replaceAll("\n+", "\n");
  }
}
