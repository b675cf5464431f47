package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.benchmarks.report.TemporaryFolder;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Caller;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;

/** Two endpoints that work together, and call upon call of others to the second of them. */
final class Fuzz implements AutoCloseable {
  private static final Duration VICTIM = Duration.ofMillis(500);
  private static final Duration HONEST = Duration.ofSeconds(60);
  private static final Duration SETTLE = Duration.ofSeconds(60);
  private static final int LOOK_MILLIS = 20;
  private static final long LIMIT_HOURS = 12;
  private static final int CALLERS = 2;
  private static final int WARM_UP = 300;
  private static final int HEAP_MIB = 16;
  private static final int COUNT = 4;
  private static final int HONEST_CALLS = 4;
  private static final int ELEMENTS = 2000;

  private final TemporaryFolder folder;
  private final Consumer<String> progress;
  private final byte[] token = new byte[Handshake.TOKEN_BYTES];
  private final Endpoint first;
  private final Endpoint second;
  private final AtomicLong communicators = new AtomicLong(1000);
  private final AtomicLong honest = new AtomicLong();
  private final Map<String, Long> counts = new ConcurrentHashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool(Fuzz::thread);

  Fuzz(Consumer<String> progress) throws IOException {
    this.progress = progress;
    this.folder = TemporaryFolder.of("fuzz");
    EndpointOptions options =
        EndpointOptions.builder()
            .hosts("127.0.0.1", "")
            .sharedMemory(folder.path().toString())
            .parkTimeout(Duration.ofSeconds(2))
            .build();
    this.first = new Endpoint(options);
    this.second = new Endpoint(options);
    new SecureRandom().nextBytes(token);
  }

  private static Thread thread(Runnable body) {
    Thread thread = new Thread(body, "fuzz");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs all.
   *
   * @param strangers how many call without the token
   * @param liars how many call with it
   * @param seed of all that they say
   */
  void run(long strangers, long liars, long seed) throws IOException {
    AtomicBoolean enough = new AtomicBoolean();
    Future<?> work = threads.submit(() -> work(enough));
    round(WARM_UP, WARM_UP, seed - 1);
    settle();
    Held before = Held.here();
    counts.clear();
    round(strangers, liars, seed);
    enough.set(true);
    await(work);
    settle();
    // a selector closes what is cut off a little later
    Polling.until(
        SETTLE, LOOK_MILLIS, () -> Held.here().growthSince(before, HEAP_MIB, COUNT).isEmpty());
    Held after = Held.here();
    progress.accept("before: " + before);
    progress.accept("after: " + after);
    complaints.addAll(after.growthSince(before, HEAP_MIB, COUNT));
    try (Stream<Path> files = Files.list(folder.path())) {
      files.forEach(file -> complaints.add(file + " is left"));
    }
  }

  private void round(long strangers, long liars, long seed) throws IOException {
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Random random = new Random(seed * CALLERS + i);
      long calls = strangers / CALLERS + (i < strangers % CALLERS ? 1 : 0);
      callers.add(threads.submit(() -> strangers(calls, random)));
    }
    callers.add(threads.submit(() -> liars(liars, new Random(~seed))));
    for (Future<?> caller : callers) {
      await(caller);
    }
  }

  private static void await(Future<?> work) throws IOException {
    try {
      work.get(LIMIT_HOURS, TimeUnit.HOURS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while others call", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the calls have failed: " + e, e);
    }
  }

  private void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  private void complain(String what) {
    synchronized (complaints) {
      complaints.add(what);
    }
  }

  private boolean strangers(long calls, Random random) throws IOException {
    Stranger[] kinds = Stranger.values();
    for (long i = 0; i < calls; i++) {
      Stranger kind = kinds[random.nextInt(kinds.length)];
      Peer target = second.peer(1, "", "");
      try (Caller caller = new Caller(target, address(random))) {
        if (kind.call(caller, random)) {
          complain("a stranger was let in: " + kind);
        }
        count("stranger " + kind);
      } catch (IOException cut) {
        count("stranger " + kind + ", cut off while it spoke");
      }
      if ((i + 1) % 50_000 == 0) {
        progress.accept((i + 1) * CALLERS + " strangers");
      }
    }
    return true;
  }

  /** Each address has ports of its own, so that the system does not run out of them. */
  private static InetAddress address(Random random) throws IOException {
    byte[] address = new byte[4];
    random.nextBytes(address);
    address[0] = 127;
    address[3] = (byte) ((address[3] & 0x7f) | 1);
    return InetAddress.getByAddress(address);
  }

  private boolean liars(long calls, Random random) throws IOException {
    Liar[] kinds = Liar.values();
    for (long i = 0; i < calls; i++) {
      Liar kind = kinds[random.nextInt(kinds.length)];
      long number = communicators.incrementAndGet();
      Peer target = second.peer(1, "node", "");
      Peer liar = new Peer(0, "elsewhere", "127.0.0.1", 1, "node", "liar");
      Roster roster = new Roster(number, 0, token, List.of(liar, target));
      try (Communicator victim =
          new Communicator(
              second.join(roster, 1), CommunicatorOptions.DEFAULT.withTimeout(VICTIM))) {
        try (Caller caller = new Caller(target, address(random))) {
          kind.call(caller, token, number, folder.path(), random);
        } catch (IOException cut) {
          count("liar " + kind + ", cut off while it spoke");
        }
        listen(victim, kind, random.nextBoolean());
      }
      if ((i + 1) % 10_000 == 0) {
        progress.accept((i + 1) + " liars");
      }
    }
    return true;
  }

  /** What one who is lied to hears. */
  private void listen(Communicator victim, Liar kind, boolean objects) {
    if (kind == Liar.LEASE || kind == Liar.FRAME) {
      count("liar " + kind + ": let in nowhere");
      return;
    }
    long start = System.nanoTime();
    try {
      if (objects) {
        victim.objects().broadcast("", 0);
      } else {
        victim.broadcast(new double[ELEMENTS], 0);
      }
      count("liar " + kind + ": believed");
    } catch (CollectiveException e) {
      count("liar " + kind + ": " + e.getClass().getSimpleName());
    } catch (RuntimeException | OutOfMemoryError e) {
      complain(kind + " made of its peer: " + e);
    }
    long took = System.nanoTime() - start;
    if (took > VICTIM.plusSeconds(5).toNanos()) {
      complain(kind + " was heard for " + TimeUnit.NANOSECONDS.toMillis(took) + " ms");
    }
  }

  /** Collectives of the two endpoints, on new communicators all the time. */
  private boolean work(AtomicBoolean enough) throws IOException {
    while (!enough.get()) {
      long number = communicators.incrementAndGet();
      String other = number % 2 == 0 ? "node" : "elsewhere";
      List<Peer> peers = List.of(first.peer(0, "node", ""), second.peer(1, other, ""));
      Roster roster = new Roster(number, 0, token, peers);
      Future<?> one = threads.submit(() -> rank(first, roster, 0));
      Future<?> two = threads.submit(() -> rank(second, roster, 1));
      await(one);
      await(two);
    }
    return true;
  }

  private boolean rank(Endpoint endpoint, Roster roster, int rank) throws IOException {
    try (Communicator all =
        new Communicator(
            endpoint.join(roster, rank), CommunicatorOptions.DEFAULT.withTimeout(HONEST))) {
      new Workload(roster.communicator(), HONEST_CALLS, ELEMENTS).run(all);
      honest.addAndGet(HONEST_CALLS);
    } catch (CollectiveException | Workload.WrongResult e) {
      complain("an honest rank failed: " + e);
    }
    return true;
  }

  private void settle() throws IOException {
    boolean settled =
        Polling.until(
            SETTLE,
            LOOK_MILLIS,
            () -> {
              EndpointStatistics now = second.statistics();
              return now.pending() == 0 && now.parkedLeases() == 0;
            });
    if (!settled) {
      complain("connections are left: " + second.statistics());
    }
  }

  /** What was done to whom, and how often; and why the endpoint cut connections off. */
  List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("what", "times"));
    rows.add(List.of("collectives meanwhile, all right", Long.toString(honest.get())));
    new TreeMap<>(counts).forEach((what, times) -> rows.add(List.of(what, times.toString())));
    new TreeMap<>(second.statistics().rejected())
        .forEach((why, times) -> rows.add(List.of("cut off: " + why, times.toString())));
    return rows;
  }

  /** What is not as promised. */
  List<String> complaints() {
    synchronized (complaints) {
      return List.copyOf(complaints);
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    first.close();
    second.close();
    folder.close();
  }
}
