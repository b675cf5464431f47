package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.testing.JavaProcess;

/**
 * Every registered algorithm between processes, over sockets, with several numbers of ranks, and
 * over memory that they share, with four and five; those for several ranks per host are told that
 * three processes share one.
 */
class EveryAlgorithmOverSocketsIT {
  private static final List<Integer> SIZES = List.of(2, 3, 5, 8, 13);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final List<JavaProcess> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(JavaProcess::close);
  }

  private static JavaProcess start(int rank, String folder, List<Integer> sizes)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(String.valueOf(rank), folder));
    sizes.forEach(size -> arguments.add(size.toString()));
    List<String> options = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    return JavaProcess.start(JavaProcess.command(options, SocketRank.class, arguments))
        .within(LIMIT);
  }

  @Test
  void everyAlgorithmIsRightWithEveryNumberOfRanks() throws Exception {
    run(SIZES, "");
  }

  @Test
  void everyAlgorithmIsRightThroughSharedMemory(@TempDir Path folder) throws Exception {
    run(List.of(4, 5), folder.toString());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  private void run(List<Integer> sizes, String folder) throws Exception {
    for (int rank = 0; rank < sizes.get(sizes.size() - 1); rank++) {
      processes.add(start(rank, folder, sizes));
    }
    for (int size : sizes) {
      for (int ignored : SocketRank.ranksPerHost(folder, size)) {
        Introductions.introduce(processes.subList(0, size));
      }
    }
    Set<String> all =
        Algorithms.all().stream()
            .map(a -> a.collective().slug() + " " + a.slug())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> ran = new TreeSet<>();
    for (JavaProcess process : processes) {
      ran.addAll(ranBy(process));
    }
    assertEquals(all, ran);
  }

  private static Set<String> ranBy(JavaProcess process) throws IOException {
    Set<String> ran = new TreeSet<>();
    String line = process.line();
    while (line != null && line.startsWith(SocketRank.RAN)) {
      ran.add(line.substring(SocketRank.RAN.length()));
      line = process.line();
    }
    assertEquals(SocketRank.DONE, line);
    return ran;
  }
}
