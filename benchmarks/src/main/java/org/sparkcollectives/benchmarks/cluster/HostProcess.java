package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.transport.tcp.Endpoint;
import org.sparkcollectives.internal.transport.tcp.EndpointOptions;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;

/**
 * The process of a host, which is one rank. It prints its place, reads the places of all, and then
 * answers orders, a line each, until standard input ends.
 */
final class HostProcess {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String PING_ALGORITHM = "binomial";

  private final int rank;
  private final Endpoint endpoint;
  private final Introduction introduction;
  private final boolean memory;
  private final @Nullable Communicator pair;
  private int joined;
  private @Nullable Communicator all;
  private double[] source = new double[0];

  /**
   * Who takes part.
   *
   * @param token the secret of the run, hexadecimal
   * @param places where the ranks are, in rank order
   */
  record Introduction(String token, List<Place> places) {
    Introduction {
      places = List.copyOf(places);
    }
  }

  /**
   * Where a rank is.
   *
   * @param endpoint identity of its endpoint
   * @param host its address
   * @param port its port
   */
  record Place(String endpoint, String host, int port) {}

  private HostProcess(int rank, Endpoint endpoint, Introduction introduction, boolean memory)
      throws IOException {
    this.rank = rank;
    this.memory = memory;
    this.endpoint = endpoint;
    this.introduction = introduction;
    int even = rank / 2 * 2;
    pair =
        even + 1 < introduction.places().size()
            ? join(1L + even, even, even + 2, CostModel.DEFAULT)
            : null;
  }

  /**
   * Serves until standard input ends.
   *
   * @param args rank, address, whether processes of one host share memory
   * @throws IOException if the network fails
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    EndpointOptions.Builder options = EndpointOptions.builder().hosts(args[1], args[1]);
    boolean memory = Boolean.parseBoolean(args[2]);
    if (!memory) {
      options.sharedMemory("");
    }
    ObjectMapper json = new ObjectMapper();
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Endpoint endpoint = new Endpoint(options.build())) {
      Peer own = endpoint.peer(rank, args[1], "");
      Place place = new Place(own.endpoint(), own.host(), own.port());
      System.out.println(json.writeValueAsString(place));
      Introduction all = json.readValue(orders.readLine(), Introduction.class);
      HostProcess process = new HostProcess(rank, endpoint, all, memory);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        Answer answer = process.obey(json.readValue(order, Order.class));
        System.out.println(json.writeValueAsString(answer));
      }
      process.leave();
    }
  }

  private Answer obey(Order order) throws IOException {
    return switch (order.kind()) {
      case JOIN -> {
        leave();
        joined++;
        Communicator whole = join(-joined, 0, introduction.places().size(), order.model().model());
        all = whole;
        whole.barrier();
        if (memory && endpoint.statistics().notShared() > 0) {
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

  private Communicator join(long id, int from, int to, CostModel model) throws IOException {
    List<Peer> peers = new ArrayList<>();
    for (Place place : introduction.places().subList(from, to)) {
      String host = place.host();
      peers.add(new Peer(peers.size(), place.endpoint(), host, place.port(), host, "host"));
    }
    byte[] token = HexFormat.of().parseHex(introduction.token());
    return new Communicator(
        endpoint.join(new Roster(id, 0, token, peers), rank - from),
        CommunicatorOptions.DEFAULT.withTimeout(TIMEOUT).withModel(model));
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
    return Ranks.time(with, order, values(Operations.ownLength(order, rank, with.size())));
  }

  /** This rank's random values. */
  private double[] values(int length) {
    if (source.length != length) {
      source = Ranks.values(rank, length);
    }
    return source;
  }
}
