package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.report.TemporaryFolder;
import org.sparkcollectives.internal.transport.Peer;

/** Runs faults one after the other, in the same processes as long as these live. */
final class Trials implements AutoCloseable {
  /** What a rank may take to answer beyond what collectives may. */
  private static final long ANSWER_MILLIS = 90_000;

  private static final long CLEAN_MILLIS = 60_000;
  private static final long GRACE_MILLIS = 1000;
  private static final Duration SETTLE = Duration.ofSeconds(10);
  private static final int LOOK_MILLIS = 2;
  private static final int CALLS = 8;

  /** Some more where the moment of a fault is drawn, and not the byte that it waits for. */
  private static final int CALLS_OF_HOSTS = 40;

  private static final int NEXT_CALLS = 3;
  private static final int ELEMENTS = 1 << 15;
  private static final int HEAP_MIB = 24;
  private static final int COUNT = 6;

  /** From this share of the deadline on a stop that was to be shorter leaves too little of it. */
  private static final double STOPPED_TOO_LONG = 0.75;

  private static final String ERRORS = "org.sparkcollectives.error.";

  private final long deadlineMillis;
  private final double slack;
  private final long answerMillis;
  private final Network network;
  private final TemporaryFolder folder;
  private final ChaosRanks ranks;

  /** What stands between processes of one host; null between hosts. */
  private final @Nullable Proxies proxies;

  private final List<@Nullable Held> baselines = new ArrayList<>();

  /**
   * Starts the ranks.
   *
   * @param network their hosts, or one for all
   * @param deadlineMillis what a collective may take
   * @param slack by what the time is multiplied that a failure may take, or a collective that need
   *     not fail
   */
  Trials(Network network, long deadlineMillis, double slack) throws IOException {
    this.network = network;
    this.deadlineMillis = deadlineMillis;
    this.slack = slack;
    this.answerMillis = ANSWER_MILLIS + Math.round(slack * deadlineMillis);
    Path memory = Path.of("/dev/shm");
    this.folder =
        Files.isWritable(memory)
            ? TemporaryFolder.in(memory, "chaos")
            : TemporaryFolder.of("chaos");
    this.proxies = network.hasCards() ? null : new Proxies(network.hosts());
    this.ranks = new ChaosRanks(network, folder.path());
    for (int rank = 0; rank < ranks.size(); rank++) {
      baselines.add(null);
    }
  }

  /** What the ranks say after the collectives; null for one that is dead. */
  private record Answers(List<@Nullable String> lines) {
    boolean allRight() {
      return lines.stream().allMatch(ChaosRank.DONE::equals);
    }

    boolean anyRight() {
      return lines.stream().anyMatch(ChaosRank.DONE::equals);
    }
  }

  /** Runs collectives without a fault, in all layouts, so that what they load is there. */
  void warmUp() throws IOException {
    long number = 0;
    for (Fault.Layout layout : Fault.Layout.of(network.hasCards())) {
      List<String> complaints = new ArrayList<>();
      number++;
      callWithout(layout, number, 1, number, CALLS, complaints);
      closeAll(complaints);
      if (!complaints.isEmpty()) {
        throw new IOException("the ranks do not work even without faults: " + complaints);
      }
    }
  }

  /** Makes a fault happen, and looks what comes of it. */
  Outcome run(Fault fault) throws IOException {
    try (Injection injector = injection(fault)) {
      List<String> complaints = new ArrayList<>();
      Answers answers = meet(fault, injector);
      boolean ended = injector.end();
      injector.beforeLeave();
      leave();
      boolean happened = injector.end() || ended;
      complaints.addAll(injector.complaints());
      judge(fault, injector, answers, complaints);
      ranks.replaceDead();
      callWithout(
          fault.layout(),
          Injector.communicator(fault),
          2,
          fault.work() + 1,
          NEXT_CALLS,
          complaints);
      long recovered = System.nanoTime() - injector.hitNanos();
      closeAll(complaints);
      return new Outcome(
          fault,
          end(answers, happened),
          happened ? TimeUnit.NANOSECONDS.toMillis(recovered) : 0,
          message(answers),
          complaints);
    }
  }

  private Injection injection(Fault fault) {
    return proxies == null
        ? new HostInjector(fault, ranks, network, deadlineMillis)
        : new Injector(fault, ranks, proxies, deadlineMillis);
  }

  /** Asks the ranks where they listen, and leads the proxies there. */
  private List<Peer> cards(Fault.Layout layout) throws IOException {
    List<Peer> cards = ranks.cards(layout, answerMillis);
    if (proxies != null) {
      proxies.lead(cards);
    }
    return cards;
  }

  /** Where a rank dials another. */
  private int port(int from, int to) {
    return proxies == null ? ranks.port(to) : proxies.port(from, to);
  }

  private Answers meet(Fault fault, Injection injector) throws IOException {
    injector.beforeJoin(cards(fault.layout()));
    long allowed = fault.kind().mayFail() ? deadlineMillis : Math.round(slack * deadlineMillis);
    ranks.join(Injector.communicator(fault), 1, allowed, this::port, answerMillis);
    injector.running();
    int calls = proxies == null ? CALLS_OF_HOSTS : CALLS;
    for (int rank = 0; rank < ranks.size(); rank++) {
      boolean full = fault.kind() == Kind.OUT_OF_MEMORY && rank == fault.victim();
      ranks.tell(rank, order(fault.work(), calls, full));
    }
    List<@Nullable String> lines = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      lines.add(ranks.answer(rank, answerMillis));
    }
    return new Answers(lines);
  }

  private static String order(long seed, int calls, boolean full) {
    return "%s %d %d %d %b".formatted(ChaosRank.RUN, seed, calls, ELEMENTS, full);
  }

  private void leave() throws IOException {
    ranks.tellAll(ChaosRank.LEAVE);
    for (int rank = 0; rank < ranks.size(); rank++) {
      ranks.answer(rank, answerMillis);
    }
  }

  private void callWithout(
      Fault.Layout layout,
      long communicator,
      int epoch,
      long seed,
      int calls,
      List<String> complaints)
      throws IOException {
    cards(layout);
    ranks.join(communicator, epoch, CLEAN_MILLIS, this::port, answerMillis);
    ranks.tellAll(order(seed, calls, false));
    for (int rank = 0; rank < ranks.size(); rank++) {
      String line = ranks.require(rank, answerMillis);
      if (!line.equals(ChaosRank.DONE)) {
        complaints.add("the next call: rank " + rank + ": " + line);
      }
    }
  }

  private void judge(Fault fault, Injection injector, Answers answers, List<String> complaints) {
    boolean victimIsNamed = answers.allRight();
    for (int rank = 0; rank < ranks.size(); rank++) {
      String line = answers.lines().get(rank);
      if (line == null) {
        boolean killed = fault.kind() == Kind.KILL || fault.kind() == Kind.HOST_LOST;
        if (!killed || rank != fault.victim()) {
          complaints.add("rank " + rank + " has ended");
        }
      } else if (line.startsWith(ChaosRank.FAILED)) {
        String[] parts = line.substring(ChaosRank.FAILED.length()).split(" ", 2);
        long stopped = rank == fault.victim() ? injector.stoppedMillis() : 0;
        if (Long.parseLong(parts[0]) > (deadlineMillis + GRACE_MILLIS) * slack + stopped) {
          complaints.add("rank " + rank + " failed only after " + parts[0] + " ms");
        }
        boolean own = fault.kind() == Kind.OUT_OF_MEMORY && rank == fault.victim();
        if (own ? !parts[1].contains("OutOfMemoryError") : !parts[1].startsWith(ERRORS)) {
          complaints.add("rank " + rank + " failed without a clear exception: " + parts[1]);
        }
        victimIsNamed |= injector.hit().stream().anyMatch(h -> parts[1].contains("rank " + h));
      } else if (!line.equals(ChaosRank.DONE)) {
        complaints.add("rank " + rank + ": " + line);
      }
    }
    long stopped = injector.stoppedMillis();
    boolean mayFail = fault.kind().mayFail() || stopped > STOPPED_TOO_LONG * deadlineMillis;
    if (!answers.allRight() && !mayFail) {
      String after = stopped == 0 ? "" : ", after a stop of " + stopped + " ms";
      complaints.add("it failed, which it need not" + after + ": " + message(answers));
    }
    if (fault.kind().named() && !injector.hit().isEmpty() && !victimIsNamed) {
      complaints.add("nobody names one of the ranks " + injector.hit());
    }
  }

  /** Closes all endpoints and looks what is left. */
  private void closeAll(List<String> complaints) throws IOException {
    ranks.tellAll(ChaosRank.CLOSE);
    for (int rank = 0; rank < ranks.size(); rank++) {
      String[] parts = ranks.require(rank, answerMillis).split(" ", 2);
      Held held = Held.parse(parts[1]);
      if (!parts[0].equals("0")) {
        complaints.add("rank " + rank + " holds connections, threads or leases: " + parts[0]);
      }
      Held before = baselines.get(rank);
      if (before != null) {
        if (held.sockets() > before.sockets()) {
          complaints.add("rank " + rank + " holds " + held.sockets() + " sockets");
        }
        for (String grown : held.growthSince(before, HEAP_MIB, COUNT)) {
          complaints.add("rank " + rank + ": " + grown);
        }
      } else {
        baselines.set(rank, held);
      }
    }
    settle(complaints);
  }

  private void settle(List<String> complaints) throws IOException {
    if (!Polling.until(SETTLE, LOOK_MILLIS, () -> open() == 0 && files().isEmpty())) {
      complaints.add(open() + " connections and the files " + files() + " are left");
      for (Path file : files()) {
        Files.delete(file);
      }
    }
  }

  /** The connections through proxies. */
  private int open() {
    return proxies == null ? 0 : proxies.open();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.path())) {
      return files.toList();
    }
  }

  private static Outcome.End end(Answers answers, boolean happened) {
    if (answers.allRight()) {
      return happened ? Outcome.End.RIGHT : Outcome.End.MISSED;
    }
    return answers.anyRight() ? Outcome.End.PARTLY : Outcome.End.FAILED;
  }

  private static String message(Answers answers) {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < answers.lines().size(); rank++) {
      String line = answers.lines().get(rank);
      if (line != null && !line.equals(ChaosRank.DONE)) {
        text.append(text.isEmpty() ? "" : " | ").append(rank).append(": ").append(line);
      }
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    ranks.close();
    if (proxies != null) {
      proxies.close();
    }
    folder.close();
  }
}
