package org.sparkcollectives.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.algorithm.Algorithms;
import org.sparkcollectives.schedule.ScheduleJson;
import org.sparkcollectives.verify.Check;

/**
 * {@code docs/algorithms.md} says what the code says; {@code -Dupdate.docs} writes the table anew.
 */
final class AlgorithmTableTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Path FILE = DOCS.resolve("algorithms.md");
  private static final String BEGIN = "-Dupdate.docs -->\n";
  private static final String END = "<!-- end of the generated part -->";

  private static String table() {
    StringBuilder table = new StringBuilder();
    table.append("| collective | algorithm | rounds | sent | order | source |  |\n");
    table.append("|---|---|---|---|---|---|---|\n");
    for (Algorithm algorithm : Algorithms.all()) {
      String order =
          !algorithm.collective().reducing() ? "-" : algorithm.traits().keepsOrder() ? "yes" : "no";
      String[] cells = {
        algorithm.collective().slug(),
        "`" + algorithm.slug() + "`",
        algorithm.traits().rounds().replace("<=", "≤"),
        algorithm.traits().blocksSent().replace("<=", "≤"),
        order,
        algorithm.traits().source(),
        algorithm.traits().summary()
      };
      table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
    return table.toString();
  }

  @Test
  void theTableIsTheRegistry() throws IOException {
    String text = Files.readString(FILE);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    assertTrue(begin >= BEGIN.length() && end >= begin, "the marks of the generated part are gone");
    if (System.getProperty("update.docs") != null) {
      text = text.substring(0, begin) + table() + text.substring(end);
      Files.writeString(FILE, text);
      end = text.indexOf(END);
    }
    assertEquals(table(), text.substring(begin, end), "the table differs; see -Dupdate.docs");
  }

  @Test
  void theExampleOfTheJsonFormCanBeRead() throws IOException {
    String text = Files.readString(FILE);
    int begin = text.indexOf("```json\n") + "```json\n".length();
    String example = text.substring(begin, text.indexOf("```", begin));
    assertEquals(example.replaceAll("\\s", ""), ScheduleJson.write(ScheduleJson.read(example)));
  }

  @Test
  void everyCheckOfTheVerifierIsListed() throws IOException {
    String text = Files.readString(FILE);
    for (Check check : Check.values()) {
      assertTrue(text.contains("`" + check + "`"), check + " is not in " + FILE);
    }
  }

  @Test
  void everyAlgorithmsClassAndSourceStandInThePapers() throws IOException {
    String text = Files.readString(DOCS.resolve("papers.md"));
    for (Algorithm algorithm : Algorithms.all()) {
      String name = algorithm.getClass().getSimpleName();
      assertTrue(text.contains(name + "`"), name + " is not in papers.md");
      String paper = algorithm.traits().source().replaceFirst(",.*", "");
      assertTrue(
          Arrays.stream(text.split("\n")).anyMatch(line -> line.startsWith("| " + paper + " |")),
          paper + " is not in papers.md");
    }
  }
}
