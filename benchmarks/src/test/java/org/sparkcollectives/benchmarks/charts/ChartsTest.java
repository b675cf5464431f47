package org.sparkcollectives.benchmarks.charts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.schedule.Collective;
import picocli.CommandLine;

final class ChartsTest {
  private static final Path DOCS = Path.of("../docs");

  @Test
  void theWinnerIsTheCheapest() {
    for (Prices prices :
        List.of(new Prices(Collective.ALLREDUCE, true), new Prices(Collective.SCAN, true))) {
      for (int size : List.of(4, 13, 65_536)) {
        for (long bytes : List.of(8L, 1L << 17, 1L << 30)) {
          Map<String, Double> all = prices.of(size, bytes);
          assertEquals(Collections.min(all.values()), all.get(prices.winner(size, bytes)));
        }
      }
    }
  }

  @Test
  void onlyAlgorithmsThatKeepOrderCompeteWhereItIsAsked() {
    assertTrue(new Prices(Collective.ALLREDUCE, false).of(13, 1 << 20).containsKey("ring"));
    assertFalse(new Prices(Collective.ALLREDUCE, true).of(13, 1 << 20).containsKey("ring"));
  }

  @Test
  void thePageShowsEveryChart(@TempDir Path folder) throws IOException {
    assertEquals(0, new CommandLine(new ChartsCommand()).execute("--folder", folder.toString()));
    String page = Files.readString(DOCS.resolve("where-each-wins.md"));
    Set<String> shown =
        Pattern.compile("\\(charts/([^)]*)\\)")
            .matcher(page)
            .results()
            .map((MatchResult result) -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(shown, names(folder), "what the command draws");
    assertEquals(shown, names(DOCS.resolve("charts")), "what is on file");
    for (String name : shown) {
      String chart = Files.readString(folder.resolve(name));
      assertTrue(chart.contains("<svg") && chart.contains("GiB"), name);
    }
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
