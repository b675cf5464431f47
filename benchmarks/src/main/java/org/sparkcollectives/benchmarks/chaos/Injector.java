package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.Transport;

/** Makes one fault happen, and ends it. */
final class Injector implements AutoCloseable {
  private static final int FILE_BYTES = 1 << 16;
  private static final int MOST_DESCRIPTORS = 20;
  private static final long END_SECONDS = 60;

  private final Fault fault;
  private final ChaosRanks ranks;
  private final Proxies proxies;
  private final long deadlineMillis;
  private final ExecutorService later = Executors.newCachedThreadPool(Injector::thread);
  private final List<Future<?>> due = Collections.synchronizedList(new ArrayList<>());
  private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> hit = Collections.synchronizedList(new ArrayList<>());
  private final CompletableFuture<Boolean> struck = new CompletableFuture<>();
  private volatile long hitNanos;
  private volatile long stoppedMillis;
  private List<Peer> cards = List.of();
  private boolean isSet;

  Injector(Fault fault, ChaosRanks ranks, Proxies proxies, long deadlineMillis) {
    this.fault = fault;
    this.ranks = ranks;
    this.proxies = proxies;
    this.deadlineMillis = deadlineMillis;
  }

  private static Thread thread(Runnable body) {
    Thread thread = new Thread(body, "fault");
    thread.setDaemon(true);
    return thread;
  }

  /** Prepares what happens while collectives run. */
  void beforeJoin(List<Peer> all) throws IOException {
    cards = all;
    switch (fault.kind()) {
      case RETURN, OUT_OF_MEMORY -> {}
      case MEMORY_FULL -> {
        limit("--fsize=" + FILE_BYTES + ":");
        isHit(List.of(fault.victim()));
      }
      case NO_DESCRIPTORS -> {
        limit("--nofile=" + (open() + (int) (fault.share() * MOST_DESCRIPTORS)) + ":");
        isHit(List.of(fault.victim()));
      }
      default -> set();
    }
  }

  /** Prepares what happens when the communicator ends. */
  void beforeLeave() {
    if (fault.kind() == Kind.RETURN) {
      set();
    }
  }

  /** Says that the collectives run now. */
  void running() {
    if (fault.kind() == Kind.OUT_OF_MEMORY) {
      isHit(List.of(fault.victim()));
    }
  }

  private void set() {
    isSet = true;
    proxies.set(new Proxies.Trap(fault.victim(), fault.offset(), this::strike));
  }

  private void isHit(List<Integer> who) {
    hit.addAll(who);
    hitNanos = System.nanoTime();
  }

  private void strike(Wire wire, int from, int to) throws IOException {
    try {
      happen(wire, from, to);
    } finally {
      struck.complete(true);
    }
  }

  private void happen(Wire wire, int from, int to) throws IOException {
    boolean single =
        switch (fault.kind()) {
          case KILL, STOP_SHORT, STOP_LONG, DUPLICATE, OLD_EPOCH -> true;
          default -> false;
        };
    isHit(single ? List.of(fault.victim()) : List.of(from, to));
    switch (fault.kind()) {
      case KILL -> ranks.process(fault.victim()).close();
      case STOP_SHORT, STOP_LONG -> stop();
      case RESET, HANDSHAKE, RETURN -> wire.reset();
      case HALF_CLOSE -> wire.halfClose(from);
      case STALL_SHORT, STALL_LONG -> {
        stall(from, to, true);
        after(() -> stall(from, to, false));
      }
      case DELAY -> {
        long millis = Math.max(1, lasting() / 10);
        proxies.way(from, to).delay(millis);
        proxies.way(to, from).delay(millis);
        after(
            () -> {
              proxies.way(from, to).delay(0);
              proxies.way(to, from).delay(0);
            });
      }
      case PARTITION -> proxies.way(from, to).lose(true);
      case DUPLICATE -> due.add(later.submit(() -> call(1)));
      case OLD_EPOCH -> due.add(later.submit(() -> call(0)));
      default -> throw new IllegalStateException(fault.kind() + " is not sprung by a byte");
    }
  }

  private long lasting() {
    return (long) (fault.share() * deadlineMillis);
  }

  private void after(Runnable end) {
    due.add(
        later.submit(
            () -> {
              TimeUnit.MILLISECONDS.sleep(lasting());
              end.run();
              return true;
            }));
  }

  private void stall(int from, int to, boolean whether) {
    proxies.way(from, to).stall(whether);
    proxies.way(to, from).stall(whether);
  }

  private void stop() throws IOException {
    long start = System.nanoTime();
    ranks.process(fault.victim()).signal("STOP");
    due.add(
        later.submit(
            () -> {
              TimeUnit.MILLISECONDS.sleep(lasting());
              ranks.process(fault.victim()).signal("CONT");
              stoppedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
              return true;
            }));
  }

  /** Another process calls the next rank in the victim's name. */
  private void call(int epoch) {
    EndpointOptions options =
        EndpointOptions.builder().hosts("127.0.0.1", "").sharedMemory("").build();
    int next = (fault.victim() + 1) % cards.size();
    try (Endpoint endpoint = new Endpoint(options)) {
      List<Peer> view = new ArrayList<>(cards);
      view.set(fault.victim(), endpoint.peer(fault.victim(), "impostor", ""));
      Roster roster = new Roster(communicator(fault), epoch, ranks.token(), view);
      Transport transport = endpoint.join(roster, fault.victim());
      if (fault.victim() < next) {
        transport.link(next, Deadline.after(Duration.ofMillis(lasting())), Cancellation.NONE);
        if (epoch == 0) {
          complaints.add("a process of an earlier epoch was let in");
        }
      }
      transport.close();
    } catch (IOException | RuntimeException refused) {
      // as it should be
    }
  }

  /** The communicator of a fault's collectives. */
  static long communicator(Fault fault) {
    return fault.number() + 1000L;
  }

  private int open() throws IOException {
    Path files = Path.of("/proc", Long.toString(ranks.process(fault.victim()).pid()), "fd");
    try (Stream<Path> all = Files.list(files)) {
      return (int) all.count();
    }
  }

  private void limit(String option) throws IOException {
    String pid = Long.toString(ranks.process(fault.victim()).pid());
    Process prlimit = new ProcessBuilder("prlimit", "--pid", pid, option).inheritIO().start();
    try {
      if (!prlimit.waitFor(END_SECONDS, TimeUnit.SECONDS) || prlimit.exitValue() != 0) {
        throw new IOException("prlimit " + option + " of process " + pid + " has failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while limits were set", e);
    }
  }

  /**
   * Ends the fault, and waits until it has.
   *
   * @return whether it has happened
   */
  boolean end() throws IOException {
    switch (fault.kind()) {
      case MEMORY_FULL -> limit("--fsize=unlimited:");
      case NO_DESCRIPTORS -> limit("--nofile=" + ChaosRanks.DESCRIPTORS + ":");
      default -> {}
    }
    try {
      if (isSet && proxies.disarm()) {
        struck.get(END_SECONDS, TimeUnit.SECONDS);
      }
      for (Future<?> last : List.copyOf(due)) {
        last.get(END_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a fault was ended", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(fault + " does not end", e);
    }
    proxies.heal();
    return !hit.isEmpty();
  }

  /** The ranks that it has happened to. */
  List<Integer> hit() {
    return List.copyOf(hit);
  }

  /** When it happened, 0 before. */
  long hitNanos() {
    return hitNanos;
  }

  /** How long the victim was stopped. */
  long stoppedMillis() {
    return stoppedMillis;
  }

  /** What should not have been possible. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  @Override
  public void close() {
    later.shutdownNow();
  }
}
