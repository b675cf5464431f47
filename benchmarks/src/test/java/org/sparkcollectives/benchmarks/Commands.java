package org.sparkcollectives.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Runs benchmarks from their command lines and reads what they write. */
abstract class Commands {
  /** Costs of hosts with network cards of 100 Mbit/s, which a test needs not measure again. */
  static final String CALIBRATED =
      "--calibration=results/2026-11-21-linux-2core-vm-4x100mbit/cluster.json";

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @TempDir Path results = Path.of("unset");

  /** Runs what looks for complaints, and finds none. */
  JsonNode found(String benchmark, String... arguments) throws IOException {
    String[] all =
        Stream.concat(
                Stream.concat(Stream.of(benchmark), Stream.of(arguments)),
                Stream.of("--machine=somewhere", "--results=" + results))
            .toArray(String[]::new);
    assertEquals(0, execute(all), () -> out + "\n" + err);
    Path file = folder().resolve(benchmark + ".json");
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    assertEquals(0, report.get("complaints").size(), report.toString());
    assertTrue(Files.size(folder().resolve(benchmark + ".csv")) > 0);
    return report;
  }

  JsonNode run(String benchmark, String... arguments) throws IOException {
    String[] all =
        Stream.of(
                Stream.of(benchmark),
                Stream.of(arguments),
                Stream.of("--machine=somewhere", "--results=" + results))
            .flatMap(part -> part)
            .toArray(String[]::new);
    assertEquals(0, execute(all), () -> err.toString());
    assertTrue(out.toString().matches("(?s).*\\| (contender|target) .*"), out.toString());
    assertFalse(err.toString().isEmpty());
    Path folder = folder();
    assertTrue(folder.getFileName().toString().contains("-somewhere"));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          Set.of(benchmark + ".csv", benchmark + ".json", benchmark + ".md"),
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
    }
    return new ObjectMapper().readTree(folder.resolve(benchmark + ".json").toFile());
  }

  /** The folder of the run. */
  Path folder() throws IOException {
    try (Stream<Path> folders = Files.list(results)) {
      return folders.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  /** The one file of a name below the results. */
  Path file(String name) throws IOException {
    try (Stream<Path> files = Files.walk(results)) {
      return files.filter(f -> f.endsWith(name)).findFirst().orElseThrow();
    }
  }

  int execute(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  /** Whether hosts had network cards; where a machine cannot have any, the command has said why. */
  boolean hasCards(int code) {
    if (code == 2 && err.toString().contains("cannot be made: ")) {
      return false;
    }
    assertEquals(0, code, () -> out + "\n" + err);
    return true;
  }
}
