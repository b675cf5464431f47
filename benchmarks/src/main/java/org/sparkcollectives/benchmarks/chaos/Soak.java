package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.report.TemporaryFolder;

/** Many collectives of mixed kinds and sizes in one group of processes. */
final class Soak {
  private static final int BATCH = 500;
  private static final int PROGRESS = 20 * BATCH;
  private static final int ELEMENTS = 2048;
  private static final int WARM_UP_BATCHES = 4;
  private static final int BATCHES_PER_COMMUNICATOR = 3;
  private static final long DEADLINE_MILLIS = 60_000;
  private static final long ANSWER_MILLIS = 600_000;
  private static final int HEAP_MIB = 8;
  private static final int COUNT = 3;

  private final Consumer<String> progress;
  private final List<List<String>> rows;
  private final List<String> complaints;
  private long communicator;

  /**
   * Prepares.
   *
   * @param rows gets a row per process: who, before, after
   * @param complaints gets what has grown
   */
  Soak(Consumer<String> progress, List<List<String>> rows, List<String> complaints) {
    this.progress = progress;
    this.rows = rows;
    this.complaints = complaints;
  }

  /**
   * Runs them, half of the ranks on each of two hosts.
   *
   * @param ranks the number of processes
   * @param operations how many
   * @param seed of kinds, sizes and values
   */
  void run(int ranks, int operations, long seed) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.of("soak");
        Network one = Network.loopback(ranks);
        ChaosRanks all = new ChaosRanks(one, folder.path())) {
      for (int i = 0; i < WARM_UP_BATCHES; i++) {
        batch(all, BATCH, seed - 1 - i);
      }
      List<Held> before = held(all);
      for (int done = 0; done < operations; ) {
        int next = Math.min(BATCH, operations - done);
        batch(all, next, seed + done / BATCH);
        done += next;
        if (done % PROGRESS == 0) {
          progress.accept(done + " operations of " + ranks + " processes");
        }
      }
      List<Held> after = held(all);
      for (int rank = 0; rank < ranks; rank++) {
        compare("process " + rank, before.get(rank), after.get(rank), HEAP_MIB, COUNT);
      }
      all.tellAll(ChaosRank.CLOSE);
      for (int rank = 0; rank < ranks; rank++) {
        String left = all.require(rank, ANSWER_MILLIS).split(" ", 2)[0];
        if (!left.equals("0")) {
          complaints.add("process " + rank + " holds connections, threads or leases: " + left);
        }
      }
      try (Stream<Path> files = Files.list(folder.path())) {
        files.forEach(file -> complaints.add(file + " is left"));
      }
    }
  }

  /** Adds a row, and what has grown. */
  void compare(String who, Held before, Held after, int heapMib, int count) {
    rows.add(List.of(who, before.toString(), after.toString()));
    for (String grown : after.growthSince(before, heapMib, count)) {
      complaints.add(who + ": " + grown);
    }
  }

  private void batch(ChaosRanks all, int calls, long seed) throws IOException {
    if (communicator % BATCHES_PER_COMMUNICATOR == 0) {
      all.tellAll(ChaosRank.LEAVE);
      done(all);
      all.cards(Fault.Layout.HOSTS, ANSWER_MILLIS);
      all.join(communicator + 1, 0, DEADLINE_MILLIS, (from, to) -> all.port(to), ANSWER_MILLIS);
    }
    communicator++;
    all.tellAll("%s %d %d %d false".formatted(ChaosRank.RUN, seed, calls, ELEMENTS));
    done(all);
  }

  private static void done(ChaosRanks all) throws IOException {
    for (int rank = 0; rank < all.size(); rank++) {
      String answer = all.require(rank, ANSWER_MILLIS);
      if (!answer.equals(ChaosRank.DONE)) {
        throw new IOException("rank " + rank + ": " + answer);
      }
    }
  }

  private static List<Held> held(ChaosRanks all) throws IOException {
    all.tellAll(ChaosRank.HELD);
    List<Held> held = new ArrayList<>();
    for (int rank = 0; rank < all.size(); rank++) {
      held.add(Held.parse(all.require(rank, ANSWER_MILLIS)));
    }
    return held;
  }
}
