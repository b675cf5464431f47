package org.sparkcollectives.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.tools.internal.json.ScheduleJson;
import org.sparkcollectives.verify.Check;

/**
 * {@code docs/algorithms.md} and {@code docs/schedules.md} say what the code says; {@code
 * -Dupdate.docs} writes what is generated anew.
 */
final class AlgorithmTableTest {
  private static final Path DOCS = Path.of("../../docs");
  private static final Path FILE = DOCS.resolve("algorithms.md");
  private static final Path SCHEDULES = DOCS.resolve("schedules.md");
  private static final Path PICTURES = DOCS.resolve("pictures");
  private static final boolean UPDATE = System.getProperty("update.docs") != null;
  private static final String ANEW =
      "; 'mvn -pl spark-collectives/tools -am test -Dtest=AlgorithmTableTest -Dupdate.docs' writes"
          + " page and pictures anew";
  private static final long LARGEST_PICTURE = 48 << 10;
  private static final String BEGIN = "-Dupdate.docs -->\n";
  private static final String END = "<!-- end of the generated part -->";

  @Test
  void thePageIsTheRegistry() throws IOException {
    String generated = AlgorithmPages.text();
    String text = Files.readString(FILE);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    assertTrue(begin >= BEGIN.length() && end >= begin, "the marks of the generated part are gone");
    if (UPDATE) {
      text = text.substring(0, begin) + generated + text.substring(end);
      Files.writeString(FILE, text);
      end = text.indexOf(END);
    }
    assertEquals(generated, text.substring(begin, end), FILE + " differs" + ANEW);
  }

  @Test
  void thePicturesAreThoseOfTheSchedules() throws IOException {
    Map<String, String> pictures = AlgorithmPages.pictures();
    if (UPDATE) {
      for (String name : names(PICTURES)) {
        Files.delete(PICTURES.resolve(name));
      }
      for (Map.Entry<String, String> picture : pictures.entrySet()) {
        Files.writeString(PICTURES.resolve(picture.getKey()), picture.getValue());
      }
    }
    for (Map.Entry<String, String> picture : pictures.entrySet()) {
      Path file = PICTURES.resolve(picture.getKey());
      assertTrue(Files.exists(file), () -> file + " is missing" + ANEW);
      assertEquals(picture.getValue(), Files.readString(file), () -> file + " differs" + ANEW);
      assertTrue(
          Files.size(file) <= LARGEST_PICTURE, () -> file + " is too large for a page of many");
    }
    assertEquals(
        new TreeSet<>(pictures.keySet()),
        names(PICTURES),
        PICTURES + " has a picture of no algorithm" + ANEW);
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void theExampleOfTheJsonFormCanBeRead() throws IOException {
    String text = Files.readString(SCHEDULES);
    int begin = text.indexOf("```json\n") + "```json\n".length();
    String example = text.substring(begin, text.indexOf("```", begin));
    List<Schedule> schedules = ScheduleJson.read(example);
    assertEquals(example.replaceAll("\\s", ""), ScheduleJson.write(schedules));
    for (Schedule schedule : schedules) {
      Problem problem = schedule.problem();
      Algorithm algorithm = Algorithms.find(problem.collective(), schedule.algorithm());
      assertEquals(algorithm.schedule(problem, schedule.rank()).owned(), schedule.owned());
    }
  }

  @Test
  void everyCheckOfTheVerifierIsListed() throws IOException {
    String text = Files.readString(SCHEDULES);
    for (Check check : Check.values()) {
      assertTrue(text.contains("`" + check + "`"), check + " is not in " + SCHEDULES);
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
