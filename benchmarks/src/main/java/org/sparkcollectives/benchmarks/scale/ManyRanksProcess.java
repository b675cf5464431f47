package org.sparkcollectives.benchmarks.scale;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.benchmarks.memory.MemoryProbe;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A process of several ranks, a thread each, with one endpoint, as a Spark executor has. It reads
 * orders from standard input and answers each with a line.
 */
final class ManyRanksProcess {
  /** Says where the endpoint listens: identity and port. */
  static final String CARD = "CARD";

  /** Opens a communicator: its number, the token, and a word per process in rank order. */
  static final String JOIN = "JOIN";

  /** Runs a {@link Check}, and the same {@link #WARM_UP} times more without looking: its words. */
  static final String RUN = "RUN";

  /** Times what {@link #RUN} ran: how often. */
  static final String TIME = "TIME";

  /** How many operations come between the checked one and those that are timed. */
  static final int WARM_UP = 3;

  /** Says what the process holds, as {@link Held#line}. */
  static final String HELD = "HELD";

  /** Ends the communicator in good order. */
  static final String LEAVE = "LEAVE";

  /** The answer to what has been done, before its result if it has one. */
  static final String DONE = "DONE";

  /** Before the reason in the answer to what has failed. */
  static final String FAILED = "FAILED ";

  private static final String HOST = "127.0.0.1";

  private final int lowest;
  private final int count;
  private final CommunicatorOptions options;
  private final Endpoint endpoint;
  private final ExecutorService threads;
  private final List<WatchedLinks> links = new ArrayList<>();
  private final List<Communicator> communicators = new ArrayList<>();
  private final MemoryProbe.Usage idle;

  /** What the process's ranks bring, in rank order, from {@link #RUN} to {@link #TIME}. */
  private List<double[]> inputs = List.of();

  private ManyRanksProcess(int lowest, int count, Duration timeout) {
    this.lowest = lowest;
    this.count = count;
    this.options = CommunicatorOptions.DEFAULT.withTimeout(timeout);
    this.endpoint = new Endpoint(EndpointOptions.builder().hosts(HOST, "").build());
    this.threads = Executors.newFixedThreadPool(count);
    this.idle = MemoryProbe.inUse();
  }

  /**
   * What a process holds.
   *
   * @param mostLinks the most links that a rank has
   * @param links those of all its ranks
   * @param connections open connections
   * @param shared connections so far whose bytes go through memory shared with the peer
   * @param threads threads beside the ranks' own
   * @param descriptors open files and sockets
   * @param bytes heap and direct buffers in use above the idle process
   * @param mapped bytes of memory shared with other processes, mapped by each
   */
  record Held(
      int mostLinks,
      int links,
      int connections,
      long shared,
      int threads,
      long descriptors,
      long bytes,
      long mapped) {

    String line() {
      return String.join(
          " ",
          List.of(
              String.valueOf(mostLinks),
              String.valueOf(links),
              String.valueOf(connections),
              String.valueOf(shared),
              String.valueOf(threads),
              String.valueOf(descriptors),
              String.valueOf(bytes),
              String.valueOf(mapped)));
    }

    static Held of(String line) {
      String[] words = line.split(" ", -1);
      return new Held(
          Integer.parseInt(words[0]),
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Long.parseLong(words[3]),
          Integer.parseInt(words[4]),
          Long.parseLong(words[5]),
          Long.parseLong(words[6]),
          Long.parseLong(words[7]));
    }
  }

  /**
   * Serves until standard input ends.
   *
   * @param args lowest rank, number of ranks, seconds that an operation may take
   * @throws IOException if the endpoint or standard input fails
   */
  public static void main(String[] args) throws IOException {
    ManyRanksProcess process =
        new ManyRanksProcess(
            Integer.parseInt(args[0]),
            Integer.parseInt(args[1]),
            Duration.ofSeconds(Long.parseLong(args[2])));
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      System.out.println(process.obey(order.split(" ", -1)));
    }
    process.threads.shutdownNow();
    process.endpoint.close();
  }

  private String obey(String[] words) throws IOException {
    try {
      return switch (words[0]) {
        case CARD -> {
          Peer own = endpoint.peer(lowest, "", "");
          yield own.endpoint() + " " + own.port();
        }
        case JOIN -> join(roster(words));
        case RUN -> run(Check.of(words[1], words[2], words[3]));
        case TIME -> time(Check.of(words[1], words[2], words[3]), Integer.parseInt(words[4]));
        case HELD -> held().line();
        case LEAVE -> leave();
        default -> throw new IOException("no order: " + words[0]);
      };
    } catch (ExecutionException e) {
      return FAILED + String.valueOf(e.getCause()).replace('\n', ' ');
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** A process in an order: identity, port, node and its number of ranks. */
  static String word(String identity, String port, String node, int ranks) {
    return String.join(",", identity, port, node, String.valueOf(ranks));
  }

  private static Roster roster(String[] words) {
    List<Peer> peers = new ArrayList<>();
    for (int process = 3; process < words.length; process++) {
      String[] parts = words[process].split(",", -1);
      for (int i = 0; i < Integer.parseInt(parts[3]); i++) {
        int port = Integer.parseInt(parts[1]);
        String label = "process " + (process - 3);
        peers.add(new Peer(peers.size(), parts[0], HOST, port, parts[2], label));
      }
    }
    return new Roster(Long.parseLong(words[1]), 0, HexFormat.of().parseHex(words[2]), peers);
  }

  private String join(Roster roster) throws IOException {
    for (int rank = lowest; rank < lowest + count; rank++) {
      WatchedLinks watched = new WatchedLinks(endpoint.join(roster, rank));
      links.add(watched);
      communicators.add(new Communicator(watched, options));
    }
    return DONE;
  }

  /** Rank 0's algorithm. */
  private String run(Check check) throws ExecutionException, InterruptedException {
    inputs = all(communicator -> () -> run(communicator, check));
    return DONE + " " + (lowest == 0 ? chosen(check) : "-");
  }

  /** The time of an operation on the slowest rank, in microseconds. */
  private String time(Check check, int times) throws ExecutionException, InterruptedException {
    double slowest = 0;
    for (double micros : all(communicator -> () -> time(communicator, check, times))) {
      slowest = Math.max(slowest, micros);
    }
    inputs = List.of();
    return DONE + " " + slowest;
  }

  private String chosen(Check check) {
    String named = check.algorithm();
    if (named != null) {
      return named;
    }
    Communicator first = communicators.get(0);
    boolean reducing = check.collective().reducing();
    Collective collective = check.collective();
    double[] value =
        collective == Collective.SCATTER
            ? new double[check.elements()]
            : check.input(0, first.size());
    return first.explain(collective, value, reducing ? ReduceOp.SUM : null).choice().algorithm();
  }

  /** What the rank has brought. */
  private static double[] run(Communicator all, Check check) {
    int rank = all.rank();
    double[] input = check.input(rank, all.size());
    String fault = check.fault(check.run(all, input), rank, all.size());
    if (fault != null) {
      throw new IllegalStateException(fault);
    }
    for (int i = 0; i < WARM_UP; i++) {
      check.run(all, input);
    }
    return input;
  }

  private double time(Communicator all, Check check, int times) {
    double[] input = inputs.get(all.rank() - lowest);
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      check.run(all, input);
    }
    return (System.nanoTime() - start) / 1e3 / times;
  }

  /** Lets every rank's thread work; a rank that fails lets the others fail. */
  private <R> List<R> all(Function<Communicator, Callable<R>> work)
      throws ExecutionException, InterruptedException {
    List<Future<R>> futures =
        communicators.stream()
            .map(
                communicator -> {
                  Callable<R> own = work.apply(communicator);
                  return threads.submit(
                      () -> {
                        try {
                          return own.call();
                        } catch (Exception | OutOfMemoryError e) {
                          communicator.abort(e);
                          throw e;
                        }
                      });
                })
            .toList();
    List<R> results = new ArrayList<>();
    @Nullable ExecutionException first = null;
    for (Future<R> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
    return results;
  }

  private Held held() {
    EndpointStatistics now = endpoint.statistics();
    IntStream counts = links.stream().mapToInt(WatchedLinks::count);
    long mapped =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("mapped"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getOpenFileDescriptorCount()
            : 0;
    return new Held(
        links.stream().mapToInt(WatchedLinks::count).max().orElse(0),
        counts.sum(),
        now.openConnections(),
        now.shared(),
        ManagementFactory.getThreadMXBean().getThreadCount() - count,
        descriptors,
        MemoryProbe.inUse().total() - idle.total(),
        mapped);
  }

  private String leave() {
    communicators.forEach(Communicator::close);
    communicators.clear();
    links.clear();
    return DONE;
  }
}
