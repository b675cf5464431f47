package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Where reports go, of a benchmark that measures nothing. */
final class OutputTest {
  private static final String OTHERS = "another run's";

  private final StringWriter err = new StringWriter();

  @TempDir private Path results = Path.of("unset");

  /** A run of that name, of the day on which the test runs or ends. */
  @BeforeEach
  void another() throws IOException {
    LocalDate today = LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC);
    for (LocalDate day : List.of(today, today.plusDays(1))) {
      Path folder = Files.createDirectories(results.resolve(day + "-somewhere"));
      Files.writeString(folder.resolve("nothing.json"), OTHERS);
    }
  }

  @Test
  void aReportOfAnotherRunIsNotOverwritten() throws IOException {
    assertEquals(2, execute("--machine=somewhere", "--results=" + results));
    assertTrue(err.toString().contains("-somewhere has a report nothing of another run"), "" + err);
    List<Path> files = files("nothing");
    assertEquals(2, files.size());
    for (Path file : files) {
      assertEquals(OTHERS, Files.readString(file));
    }
  }

  @Test
  void aNameHasNoFolders() throws IOException {
    for (String name : List.of("a/mine", "../mine", results + "/mine")) {
      assertEquals(
          2, execute("--machine=somewhere", "--results=" + results, "--report=" + name), name);
      assertTrue(err.toString().contains("--report takes a name without folders"), err::toString);
    }
    assertEquals(0, files("mine").size());
  }

  @Test
  void aReportHasTheNameThatItIsGiven() throws IOException {
    assertEquals(0, execute("--machine=somewhere", "--results=" + results, "--report=mine"));
    assertEquals(1, files("mine").size(), () -> "" + err);
    assertEquals(0, execute("--machine=elsewhere", "--results=" + results), () -> "" + err);
    assertEquals(3, files("nothing").size());
  }

  private List<Path> files(String name) throws IOException {
    try (var files = Files.walk(results)) {
      return files.filter(file -> file.endsWith(name + ".json")).toList();
    }
  }

  private int execute(String... arguments) {
    return new CommandLine(new Nothing())
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  /** Delivers a report without measurements. */
  @Command(name = "nothing")
  static final class Nothing implements Runnable {
    @Mixin private final Output output = new Output();

    @Override
    public void run() {
      Environment environment = output.environment("");
      Report example = Reports.example();
      try {
        output.deliver(
            new Report(
                output.name(),
                environment,
                example.settings(),
                example.timed(),
                example.measurements(),
                example.findings(),
                example.targets()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
