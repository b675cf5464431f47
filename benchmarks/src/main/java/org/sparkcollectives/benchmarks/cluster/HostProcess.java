package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.GroupOptions;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.testing.Introductions;

/**
 * A process on a host, which is one rank. It opens the group of all ranks, and then answers orders,
 * a line each, until standard input ends.
 */
final class HostProcess {
  /** The line that says that the group is open. */
  static final String CONNECTED = "connected";

  private final Group group;
  private final boolean memory;
  private final Duration timeout;
  private @Nullable Communicator all;
  private double[] source = new double[0];

  private HostProcess(Group group, boolean memory, Duration timeout) {
    this.group = group;
    this.memory = memory;
    this.timeout = timeout;
  }

  /**
   * Serves until standard input ends.
   *
   * @param args rank, number of ranks, address, whether processes of one host share memory, whether
   *     connections are encrypted, how many two ranks have, the host's rack, how many seconds an
   *     operation may take
   * @throws IOException if the network fails
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    boolean memory = Boolean.parseBoolean(args[3]);
    GroupOptions.Builder options =
        GroupOptions.builder()
            .label("host")
            .encrypted(Boolean.parseBoolean(args[4]))
            .connectionsPerPeer(Integer.parseInt(args[5]))
            .rack(args[6]);
    if (!memory) {
      options.sharedMemory("");
    }
    ObjectMapper json = new ObjectMapper();
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Group group = Introductions.open(orders, rank, size, args[2], options)) {
      Duration timeout = Duration.ofSeconds(Long.parseLong(args[7]));
      HostProcess process = new HostProcess(group, memory, timeout);
      System.out.println(CONNECTED);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        Object answer = process.obey(json.readValue(order, Order.class));
        System.out.println(json.writeValueAsString(answer));
      }
      process.leave();
    }
  }

  private CommunicatorOptions options(CostModel model) {
    return CommunicatorOptions.DEFAULT.withTimeout(timeout).withModel(model);
  }

  private Object obey(Order order) throws IOException {
    return switch (order.kind()) {
      case JOIN -> {
        leave();
        Communicator whole =
            group.communicator(options(CostProfile.read(order.text(), "the order")));
        all = whole;
        whole.barrier();
        if (memory && group.connections().notShared() > 0) {
          throw new IOException(
              "The processes do not share memory: /dev/shm is not there, or full, or not theirs."
                  + " Make room in it, or measure with --network loopback.");
        }
        yield HostAnswer.DONE;
      }
      case CALIBRATE -> Calibration.measure(Objects.requireNonNull(all), order.text());
      case RUN -> run(Objects.requireNonNull(all), order);
    };
  }

  private void leave() {
    if (all != null) {
      all.close();
      all = null;
    }
  }

  private HostAnswer run(Communicator with, Order order) {
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
