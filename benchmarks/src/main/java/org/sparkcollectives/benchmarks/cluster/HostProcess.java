package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.GroupOptions;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.testing.Introductions;

/**
 * The process of a host, which is one rank. It opens the group of all hosts, that of itself and its
 * neighbour if it has one, and then answers orders, a line each, until standard input ends.
 */
final class HostProcess {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String PING_ALGORITHM = "binomial";

  /** The line that says that the groups are open. */
  static final String CONNECTED = "connected";

  private final Group group;
  private final boolean memory;
  private final @Nullable Communicator pair;
  private @Nullable Communicator all;
  private double[] source = new double[0];

  private HostProcess(Group group, boolean memory, @Nullable Communicator pair) {
    this.group = group;
    this.memory = memory;
    this.pair = pair;
  }

  /**
   * Serves until standard input ends.
   *
   * @param args rank, number of ranks, address, whether processes of one host share memory
   * @throws IOException if the network fails
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    boolean memory = Boolean.parseBoolean(args[3]);
    ObjectMapper json = new ObjectMapper();
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Group group = open(orders, rank, size, args[2], memory);
        Group two = hasNeighbour(rank, size) ? open(orders, rank % 2, 2, args[2], memory) : null) {
      Communicator pair = two == null ? null : two.communicator(options(CostModel.DEFAULT));
      HostProcess process = new HostProcess(group, memory, pair);
      System.out.println(CONNECTED);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        Answer answer = process.obey(json.readValue(order, Order.class));
        System.out.println(json.writeValueAsString(answer));
      }
      process.leave();
    }
  }

  /** Whether a rank is one of a pair: an even one and the next. */
  static boolean hasNeighbour(int rank, int size) {
    return rank / 2 * 2 + 1 < size;
  }

  private static Group open(
      BufferedReader orders, int rank, int size, String address, boolean memory)
      throws IOException {
    GroupOptions.Builder options = GroupOptions.builder().label("host");
    if (!memory) {
      options.sharedMemory("");
    }
    return Introductions.open(orders, rank, size, address, options);
  }

  private static CommunicatorOptions options(CostModel model) {
    return CommunicatorOptions.DEFAULT.withTimeout(TIMEOUT).withModel(model);
  }

  private Answer obey(Order order) throws IOException {
    return switch (order.kind()) {
      case JOIN -> {
        leave();
        Communicator whole = group.communicator(options(order.model().model()));
        all = whole;
        whole.barrier();
        if (memory && group.connections().notShared() > 0) {
          throw new IOException(
              "The processes do not share memory: /dev/shm is not there, or full, or not theirs."
                  + " Make room in it, or measure with --network loopback.");
        }
        yield Answer.DONE;
      }
      case PING -> ping(pair, null, order);
      case ALL_PING -> ping(pair, all, order);
      case RUN -> run(Objects.requireNonNull(all), order);
    };
  }

  private void leave() {
    if (all != null) {
      all.close();
      all = null;
    }
  }

  /** Of an odd number of ranks the last one has no neighbour and does the barriers alone. */
  private Answer ping(
      @Nullable Communicator neighbour, @Nullable Communicator together, Order order) {
    double[] vector = values(Math.toIntExact(order.bytes() / Double.BYTES)).clone();
    List<Long> starts = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    for (int i = 0; i < order.operations(); i++) {
      if (together != null) {
        LockSupport.parkNanos(Ranks.PAUSE_NANOS);
        together.barrier();
      }
      if (neighbour != null) {
        neighbour.broadcast(vector, 0, PING_ALGORITHM);
        neighbour.broadcast(vector, 1, PING_ALGORITHM); // the two have met
        starts.add(System.nanoTime());
        neighbour.broadcast(vector, 0, PING_ALGORITHM);
        neighbour.broadcast(vector, 1, PING_ALGORITHM);
        ends.add(System.nanoTime());
      }
    }
    return new Answer(starts, ends, 0, 0, 0, 0);
  }

  private Answer run(Communicator with, Order order) {
    return Ranks.time(with, order, values(Operations.ownLength(order, with.rank(), with.size())));
  }

  /** This rank's random values. */
  private double[] values(int length) {
    if (source.length != length) {
      source = Ranks.values(group.rank(), length);
    }
    return source;
  }
}
