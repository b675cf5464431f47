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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;

/** Makes a fault happen at a byte that passes the proxies between the ranks. */
final class Injector extends Injection {
  private static final int FILE_BYTES = 1 << 16;
  private static final int MOST_DESCRIPTORS = 20;

  private final Proxies proxies;
  private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
  private final CompletableFuture<Boolean> struck = new CompletableFuture<>();
  private List<Peer> cards = List.of();
  private boolean isSet;

  Injector(Fault fault, ChaosRanks ranks, Proxies proxies, long deadlineMillis) {
    super(fault, ranks, deadlineMillis);
    this.proxies = proxies;
  }

  @Override
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

  @Override
  void beforeLeave() {
    if (fault.kind() == Kind.RETURN) {
      set();
    }
  }

  @Override
  void running() {
    if (fault.kind() == Kind.OUT_OF_MEMORY) {
      isHit(List.of(fault.victim()));
    }
  }

  private void set() {
    isSet = true;
    proxies.set(new Proxies.Trap(fault.victim(), fault.offset(), this::strike));
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
      case DUPLICATE -> beside(() -> call(1));
      case OLD_EPOCH -> beside(() -> call(0));
      default -> throw new IllegalStateException(fault.kind() + " is not sprung by a byte");
    }
  }

  private void after(Runnable end) {
    beside(
        () -> {
          TimeUnit.MILLISECONDS.sleep(lasting());
          end.run();
          return true;
        });
  }

  private void stall(int from, int to, boolean whether) {
    proxies.way(from, to).stall(whether);
    proxies.way(to, from).stall(whether);
  }

  /** Another process calls the next rank in the victim's name. */
  private boolean call(int epoch) {
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
      return false; // as it should be
    }
    return true;
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

  @Override
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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a fault was ended", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(fault + " does not end", e);
    }
    awaitDue();
    proxies.heal();
    return !hit().isEmpty();
  }

  @Override
  List<String> complaints() {
    return List.copyOf(complaints);
  }
}
