package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.draw.ScheduleText;
import org.sparkcollectives.schedule.Schedule;

/**
 * Every algorithm's schedules for seven ranks, or the next number that it accepts, as text: worked
 * examples, and a guard against changes that nobody meant. {@code -Dupdate.golden} writes the files
 * anew.
 */
final class GoldenSchedulesTest {
  private static final int SIZE = 7;
  private static final Path FOLDER = Path.of("src/test/resources/schedules");
  private static final String ANEW =
      "; 'mvn -pl spark-collectives/core test -Dtest=GoldenSchedulesTest -Dupdate.golden' writes all"
          + " files anew";

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @BeforeAll
  static void update() throws IOException {
    if (System.getProperty("update.golden") != null) {
      Files.createDirectories(FOLDER);
      try (Stream<Path> files = Files.list(FOLDER)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      for (Algorithm algorithm : algorithms()) {
        Files.writeString(file(algorithm), text(algorithm));
      }
    }
  }

  private static Path file(Algorithm algorithm) {
    int size = Sweep.example(algorithm, SIZE).size();
    return FOLDER.resolve(
        algorithm.collective().slug() + "-" + algorithm.slug() + "-p" + size + ".txt");
  }

  private static String text(Algorithm algorithm) {
    List<Schedule> schedules = Conformance.schedules(algorithm, Sweep.example(algorithm, SIZE));
    return ScheduleText.header(schedules.get(0))
        + "\n"
        + schedules.stream().map(ScheduleText::rounds).collect(Collectors.joining());
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void schedulesAreThoseOnFile(Algorithm algorithm) throws IOException {
    Path file = file(algorithm);
    String onFile = Files.exists(file) ? Files.readString(file) : "";
    assertEquals(onFile, text(algorithm), () -> file + " differs, or is missing" + ANEW);
  }

  @Test
  void everyFileBelongsToAnAlgorithm() throws IOException {
    Set<Path> expected =
        algorithms().stream()
            .map(GoldenSchedulesTest::file)
            .collect(Collectors.toCollection(TreeSet::new));
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertEquals(
          expected,
          files.collect(Collectors.toCollection(TreeSet::new)),
          FOLDER + " has no file for an algorithm, or one for none" + ANEW);
    }
  }
}
