package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.algorithm.Algorithms;

/**
 * Every registered algorithm between processes, over sockets, with several numbers of ranks, and
 * over memory that they share, with four and five; those for several ranks per host are told that
 * three processes share one.
 */
class EveryAlgorithmOverSocketsIT {
  private static final List<Integer> SIZES = List.of(2, 3, 5, 8, 13);
  private static final long LIMIT_SECONDS = 300;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }
  }

  private static Process start(int rank, String folder, List<Integer> sizes) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SocketRank.class.getName(),
                String.valueOf(rank),
                folder));
    sizes.forEach(size -> command.add(size.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
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
    ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int rank = 0; rank < sizes.get(sizes.size() - 1); rank++) {
        processes.add(start(rank, folder, sizes));
      }
      // Ends the streams that are read below, whatever happens to the ranks.
      var unused =
          watch.schedule(
              () -> processes.forEach(Process::destroyForcibly), LIMIT_SECONDS, TimeUnit.SECONDS);
      List<BufferedReader> outputs = new ArrayList<>();
      List<String> places = new ArrayList<>();
      for (Process process : processes) {
        BufferedReader output =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = String.valueOf(output.readLine());
        assertTrue(line.startsWith(SocketRank.LISTENS), line);
        places.add(line.substring(SocketRank.LISTENS.length()));
        outputs.add(output);
      }
      for (Process process : processes) {
        PrintStream input =
            new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        places.forEach(input::println);
      }
      Set<String> all =
          Algorithms.all().stream()
              .map(a -> a.collective().slug() + " " + a.slug())
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> ran = new TreeSet<>();
      for (BufferedReader output : outputs) {
        ran.addAll(ranBy(output));
      }
      assertEquals(all, ran);
    } finally {
      watch.shutdownNow();
    }
  }

  private static Set<String> ranBy(BufferedReader output) throws IOException {
    Set<String> ran = new TreeSet<>();
    String line = output.readLine();
    while (line != null && line.startsWith(SocketRank.RAN)) {
      ran.add(line.substring(SocketRank.RAN.length()));
      line = output.readLine();
    }
    assertEquals(SocketRank.DONE, line);
    return ran;
  }
}
