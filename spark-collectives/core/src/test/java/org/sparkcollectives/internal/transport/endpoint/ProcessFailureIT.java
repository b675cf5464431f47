package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.testing.JavaProcess;

/**
 * Ranks that are processes: one is killed or stopped in the middle of traffic, over sockets and
 * over shared memory.
 */
@ParameterizedClass
@EnumSource(Medium.class)
final class ProcessFailureIT {
  private static final long NEVER_MILLIS = 240_000;
  private static final long STEP_MILLIS = 3_000;
  private static final long FAST_MILLIS = 30_000;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Medium medium;
  private final List<JavaProcess> ranks = new ArrayList<>();

  @TempDir Path folder;

  ProcessFailureIT(Medium medium) {
    this.medium = medium;
  }

  @AfterEach
  void endAll() {
    ranks.forEach(JavaProcess::close);
    assertEquals(List.of(), Medium.files(folder));
  }

  private static String failure(JavaProcess rank) throws IOException {
    return rank.expect(RankProcess.FAILED);
  }

  private void start(int size, long stepMillis) throws IOException {
    for (int rank = 0; rank < size; rank++) {
      List<String> arguments =
          List.of(
              String.valueOf(rank),
              String.valueOf(size),
              String.valueOf(stepMillis),
              medium == Medium.MEMORY ? folder.toString() : "");
      List<String> options = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
      ranks.add(
          JavaProcess.start(JavaProcess.command(options, RankProcess.class, arguments))
              .within(LIMIT));
    }
    Introductions.introduce(ranks);
    for (JavaProcess rank : ranks) {
      rank.expect(RankProcess.MET);
    }
  }

  private static void go(JavaProcess rank) throws IOException {
    rank.tell("GO");
  }

  private void go() throws IOException {
    for (JavaProcess rank : ranks) {
      go(rank);
    }
  }

  /** Waits until all ranks are at work, with as many connections in memory as there should be. */
  private void awaitRounds() throws IOException {
    int links = medium == Medium.MEMORY ? Math.min(2, ranks.size() - 1) : 0;
    for (JavaProcess rank : ranks) {
      assertEquals(links + " 0", rank.expect(RankProcess.SHARED));
      rank.expect(RankProcess.ROUND);
    }
  }

  @Test
  void aKilledPeerFailsTheOthersAtOnce() throws Exception {
    start(3, NEVER_MILLIS);
    go();
    awaitRounds();
    long start = System.nanoTime();
    ranks.get(1).signal("KILL");
    String zero = failure(ranks.get(0));
    String two = failure(ranks.get(2));
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(millis < FAST_MILLIS, millis + " ms");
    assertTrue((zero + two).contains("rank 1 on 127.0.0.1 (process 1)"), zero + "\n" + two);
  }

  @Test
  void aStoppedPeerFailsTheOthersAtTheDeadlineAndNotBefore() throws Exception {
    start(3, STEP_MILLIS);
    go();
    awaitRounds();
    ranks.get(1).signal("STOP");
    long zero = Long.parseLong(failure(ranks.get(0)).split(" ", 2)[0]);
    long two = Long.parseLong(failure(ranks.get(2)).split(" ", 2)[0]);
    // The first to give up closes its links, which ends the other's wait too.
    assertTrue(Math.max(zero, two) >= STEP_MILLIS, zero + " and " + two + " ms");
    assertTrue(Math.max(zero, two) < FAST_MILLIS, zero + " and " + two + " ms");
  }

  @Test
  void aPeerThatIsStoppedBeforeItsLinksOpenIsDialedUntilTheDeadline() throws Exception {
    start(2, STEP_MILLIS);
    ranks.get(1).signal("STOP");
    go(ranks.get(0));
    String failure = failure(ranks.get(0));
    long millis = Long.parseLong(failure.split(" ", 2)[0]);
    assertTrue(millis >= STEP_MILLIS, failure);
    assertTrue(millis < FAST_MILLIS, failure);
    assertTrue(failure.contains("rank 1 on 127.0.0.1 (process 1)"), failure);
  }

  @Test
  void aPeerThatIsGoneBeforeItsLinksOpenIsNamedAtOnce() throws Exception {
    start(2, NEVER_MILLIS);
    ranks.get(1).signal("KILL");
    assertTrue(ranks.get(1).awaitEnd());
    go(ranks.get(0));
    String failure = failure(ranks.get(0));
    assertTrue(Long.parseLong(failure.split(" ", 2)[0]) < FAST_MILLIS, failure);
    assertTrue(failure.contains("no connection to rank 1 on 127.0.0.1"), failure);
  }

  @Test
  void aPauseThatIsShorterThanTheDeadlineHarmsNothing() throws Exception {
    start(2, NEVER_MILLIS);
    go();
    awaitRounds();
    ranks.get(1).signal("STOP");
    Thread.sleep(500);
    while (ranks.get(0).hasOutput()) {
      ranks.get(0).expect(RankProcess.ROUND);
    }
    ranks.get(1).signal("CONT");
    for (int i = 0; i < 5; i++) {
      ranks.get(0).expect(RankProcess.ROUND);
    }
    assertTrue(ranks.get(0).isAlive());
  }
}
