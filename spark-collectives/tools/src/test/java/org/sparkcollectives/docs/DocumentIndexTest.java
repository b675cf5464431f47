package org.sparkcollectives.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents that list others leave none out. */
final class DocumentIndexTest {
  private static final Path ROOT = Path.of("../..");

  /** A target of a report that was not kept; the group is what was measured. */
  private static final Pattern MISSED =
      Pattern.compile("(?m)^\\|.*\\| *([0-9.]+)[^|]*\\| no +\\|$");

  private static List<Path> pages(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  @Test
  void everyDecisionIsInTheIndexByItsTitle() throws IOException {
    Path index = ROOT.resolve("docs/decisions/README.md");
    String text = Files.readString(index);
    Set<String> missing = new TreeSet<>();
    int decisions = 0;
    for (Path page : pages(index.getParent())) {
      String title = Files.readAllLines(page).get(0).replaceFirst("^# ", "");
      if (!page.equals(index)) {
        decisions++;
        if (!text.contains("[" + title + "](" + page.getFileName() + ")")) {
          missing.add(page.getFileName() + ": " + title);
        }
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(decisions > 40, decisions + " decisions were found");
  }

  @Test
  void targetsThatReportsMissedAreTold() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/performance.md"));
    String told =
        page.replaceFirst("(?s)^.*\n## Not reached\n", "").replaceFirst("(?s)\n## .*", "");
    Set<String> missing = new TreeSet<>();
    int missed = 0;
    for (Path report : pages(ROOT.resolve("benchmarks/results"))) {
      String name = ROOT.relativize(report).toString();
      for (MatchResult row : MISSED.matcher(Files.readString(report)).results().toList()) {
        missed++;
        if (!told.contains("(../" + name + ")") || !told.contains(row.group(1))) {
          missing.add(name + ": " + row.group());
        }
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(missed > 10, missed + " targets were found that were missed");
  }
}
