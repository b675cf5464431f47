package org.sparkcollectives.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.benchmarks.cluster.SavedResults;

class ReportCommandTest {
  private static final Path RESULTS = Path.of("results");
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("unset");

  private int execute(String... arguments) {
    return Main.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }

  /** The files that git keeps are CSV, Markdown and JSON; every JSON file can be shown again. */
  @Test
  void readsWhatIsOnFile() throws IOException {
    List<Path> files;
    try (Stream<Path> below = Files.walk(RESULTS)) {
      files = below.filter(Files::isRegularFile).sorted().toList();
    }
    assertEquals(
        List.of("csv", "json", "md"),
        files.stream()
            .map(f -> f.toString().replaceFirst(".*\\.", ""))
            .distinct()
            .sorted()
            .toList());
    for (Path file : files) {
      if (file.toString().endsWith(".json")) {
        assertFalse(SavedResults.read(file).markdown().isEmpty(), file.toString());
      }
    }
  }

  @Test
  void makesOnePageOfAFolder() throws IOException {
    Path page = folder.resolve("new/page.html");
    Path hosts = RESULTS.resolve("2026-11-21-linux-2core-vm-2x100mbit");
    Path one = RESULTS.resolve("2026-11-21-linux-2core-vm/loopback.json");
    assertEquals(
        0,
        execute("report", hosts.toString(), one.toString(), "--html", page.toString()),
        err::toString);
    assertEquals("2 results written to " + page, err.toString().strip());
    String html = Files.readString(page);
    assertTrue(
        html.indexOf("<h1>Collectives on 2 hosts</h1>")
            < html.indexOf("<h1>benchmarks/run loopback</h1>"));
    assertTrue(html.contains("<h2>allreduce</h2>\n<svg"), "charts stand above tables");
    assertTrue(html.contains("id=\"chart0-"), "charts have names of their own");
  }

  @Test
  void earlierCalibrationsKeepTheirNumbers() throws IOException {
    Path cards = RESULTS.resolve("2026-11-21-linux-2core-vm-2x100mbit/cluster.json");
    String markdown = SavedResults.read(cards).markdown();
    assertTrue(
        markdown.contains(
            "network: α = 8.7 µs, β = 83.673 ns per byte, gap = 8.4 µs; γ = 0.100 ns per byte"),
        markdown);
    assertTrue(markdown.contains("| network            | ping-pong | 2 MiB   | "), markdown);
    Path loopback = RESULTS.resolve("2026-11-21-linux-2core-vm-4xloopback/mpi.json");
    String other = SavedResults.read(loopback).markdown();
    assertTrue(other.contains("\nhost: α = "), other);
  }

  @Test
  void saysWhatIsNoResult() throws IOException {
    assertEquals(2, execute("report", RESULTS.toString()));
    assertTrue(err.toString().contains("Missing required option: '--html=FILE'"), err.toString());
    String page = folder.resolve("page.html").toString();
    assertEquals(2, execute("report", folder.toString(), "--html", page));
    assertTrue(err.toString().contains(folder + " is no JSON file of a result and no folder with"));
    Path other = Files.writeString(folder.resolve("other.json"), "{\"a\":1}");
    assertEquals(2, execute("report", folder.toString(), "--html", page));
    assertTrue(err.toString().contains(other + " holds no result: it has neither measurements"));
    Files.writeString(other, "{\"rows\":[");
    assertEquals(2, execute("report", other.toString(), "--html", page));
    assertTrue(err.toString().contains(other + " holds no result: Unexpected end-of-input"));
    assertFalse(Files.exists(Path.of(page)));
  }
}
