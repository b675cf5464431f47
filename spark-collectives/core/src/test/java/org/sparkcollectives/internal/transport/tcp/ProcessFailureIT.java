package org.sparkcollectives.internal.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ranks that are processes: one is killed or stopped in the middle of traffic, over sockets and
 * over shared memory.
 */
@ParameterizedClass
@EnumSource(Carrier.class)
final class ProcessFailureIT {
  private static final long NEVER_MILLIS = 240_000;
  private static final long STEP_MILLIS = 3_000;
  private static final long FAST_MILLIS = 30_000;

  private final Carrier carrier;
  private final List<Rank> ranks = new ArrayList<>();

  @TempDir Path folder;

  ProcessFailureIT(Carrier carrier) {
    this.carrier = carrier;
  }

  /** A rank's process and its two streams. */
  private record Rank(Process process, BufferedReader out, PrintStream in) {
    String expect(String start) throws IOException {
      String line = out.readLine();
      while (line != null && !line.startsWith(start)) {
        line = out.readLine();
      }
      assertTrue(line != null, "the output ended before " + start);
      return String.valueOf(line).substring(start.length());
    }

    String failure() throws IOException {
      return expect(RankProcess.FAILED);
    }
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Rank rank : ranks) {
      rank.process().destroyForcibly();
      assertTrue(rank.process().waitFor(30, TimeUnit.SECONDS));
    }
    assertEquals(List.of(), Carrier.files(folder));
  }

  private void start(int size, long stepMillis) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    for (int rank = 0; rank < size; rank++) {
      Process process =
          new ProcessBuilder(
                  java,
                  "-Xmx64m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  RankProcess.class.getName(),
                  String.valueOf(rank),
                  String.valueOf(size),
                  String.valueOf(stepMillis),
                  carrier == Carrier.MEMORY ? folder.toString() : "")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      ranks.add(
          new Rank(
              process,
              new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)),
              new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8)));
    }
    List<String> places = new ArrayList<>();
    for (Rank rank : ranks) {
      places.add(rank.expect(RankProcess.LISTENS));
    }
    ranks.forEach(rank -> places.forEach(rank.in()::println));
  }

  private void go(Rank... which) {
    for (Rank rank : which) {
      rank.in().println("GO");
    }
  }

  private void go() {
    ranks.forEach(rank -> go(rank));
  }

  /** Waits until all ranks are at work, with as many connections in memory as there should be. */
  private void awaitRounds() throws IOException {
    int links = carrier == Carrier.MEMORY ? Math.min(2, ranks.size() - 1) : 0;
    for (Rank rank : ranks) {
      assertEquals(links + " 0", rank.expect(RankProcess.SHARED));
      rank.expect(RankProcess.ROUND);
    }
  }

  private static void signal(String signal, Rank rank) throws Exception {
    String pid = String.valueOf(rank.process().pid());
    Process kill = new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start();
    assertTrue(kill.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, kill.exitValue());
  }

  @Test
  void aKilledPeerFailsTheOthersAtOnce() throws Exception {
    start(3, NEVER_MILLIS);
    go();
    awaitRounds();
    long start = System.nanoTime();
    signal("KILL", ranks.get(1));
    String zero = ranks.get(0).failure();
    String two = ranks.get(2).failure();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(millis < FAST_MILLIS, millis + " ms");
    assertTrue((zero + two).contains("rank 1 on 127.0.0.1 (process 1)"), zero + "\n" + two);
  }

  @Test
  void aStoppedPeerFailsTheOthersAtTheDeadlineAndNotBefore() throws Exception {
    start(3, STEP_MILLIS);
    go();
    awaitRounds();
    signal("STOP", ranks.get(1));
    long zero = Long.parseLong(ranks.get(0).failure().split(" ", 2)[0]);
    long two = Long.parseLong(ranks.get(2).failure().split(" ", 2)[0]);
    // The first to give up closes its links, which ends the other's wait too.
    assertTrue(Math.max(zero, two) >= STEP_MILLIS, zero + " and " + two + " ms");
    assertTrue(Math.max(zero, two) < FAST_MILLIS, zero + " and " + two + " ms");
  }

  @Test
  void aPeerThatIsStoppedBeforeItsLinksOpenIsDialedUntilTheDeadline() throws Exception {
    start(2, STEP_MILLIS);
    signal("STOP", ranks.get(1));
    go(ranks.get(0));
    String failure = ranks.get(0).failure();
    long millis = Long.parseLong(failure.split(" ", 2)[0]);
    assertTrue(millis >= STEP_MILLIS, failure);
    assertTrue(millis < FAST_MILLIS, failure);
    assertTrue(failure.contains("rank 1 on 127.0.0.1 (process 1)"), failure);
  }

  @Test
  void aPeerThatIsGoneBeforeItsLinksOpenIsNamedAtOnce() throws Exception {
    start(2, NEVER_MILLIS);
    signal("KILL", ranks.get(1));
    assertTrue(ranks.get(1).process().waitFor(30, TimeUnit.SECONDS));
    go(ranks.get(0));
    String failure = ranks.get(0).failure();
    assertTrue(Long.parseLong(failure.split(" ", 2)[0]) < FAST_MILLIS, failure);
    assertTrue(failure.contains("no connection to rank 1 on 127.0.0.1"), failure);
  }

  @Test
  void aPauseThatIsShorterThanTheDeadlineHarmsNothing() throws Exception {
    start(2, NEVER_MILLIS);
    go();
    awaitRounds();
    signal("STOP", ranks.get(1));
    Thread.sleep(500);
    while (ranks.get(0).out().ready()) {
      ranks.get(0).expect(RankProcess.ROUND);
    }
    signal("CONT", ranks.get(1));
    for (int i = 0; i < 5; i++) {
      ranks.get(0).expect(RankProcess.ROUND);
    }
    assertTrue(ranks.get(0).process().isAlive());
  }
}
