package org.sparkcollectives.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents that list others leave none out. */
final class DocumentIndexTest {
  private static final Path ROOT = Path.of("../..");

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
}
