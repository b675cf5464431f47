package org.sparkcollectives.benchmarks.loopback;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.tcp.Endpoint;
import org.sparkcollectives.transport.tcp.EndpointOptions;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A process that is one rank. It reads orders from standard input and answers each with a line:
 * first its address, then, once it has been told all ranks' addresses, times.
 */
final class RankProcess {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long BYTES_PER_ROUND = 64L << 20;
  private static final int MOST_OPERATIONS = 200;
  private static final int FEWEST_OPERATIONS = 3;

  private RankProcess() {}

  /**
   * How many operations a round has. Each multiplies the values by the number of ranks, so there
   * are few enough to stay far from infinity.
   *
   * @param elements the vector's length
   */
  static int operations(int elements) {
    long fitting = BYTES_PER_ROUND / ((long) elements * Double.BYTES);
    return (int) Math.max(FEWEST_OPERATIONS, Math.min(MOST_OPERATIONS, fitting));
  }

  /**
   * Serves until standard input ends.
   *
   * @param args rank, α and β (NaN for the library's)
   * @throws IOException if the network fails
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    LevelCost given = CostModel.DEFAULT.network();
    double alpha = Double.parseDouble(args[1]);
    double beta = Double.parseDouble(args[2]);
    alpha = Double.isNaN(alpha) ? given.alphaNanos() : alpha;
    beta = Double.isNaN(beta) ? given.betaNanosPerByte() : beta;
    CostModel model =
        CostModel.DEFAULT.withNetwork(
            new LevelCost(alpha, beta, Math.min(alpha, given.gapNanos())));
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    EndpointOptions options = EndpointOptions.builder().hosts("127.0.0.1", "127.0.0.1").build();
    try (Endpoint endpoint = new Endpoint(options)) {
      Peer own = endpoint.peer(rank, "loopback", "");
      System.out.println(own.endpoint() + " " + own.port());
      Roster roster = roster(orders.readLine());
      CommunicatorOptions how = CommunicatorOptions.DEFAULT.withTimeout(TIMEOUT).withModel(model);
      try (Communicator communicator = new Communicator(endpoint.join(roster, rank), how)) {
        communicator.barrier();
        System.out.println("connected");
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
          System.out.println(time(communicator, order.split(" ", -1)));
        }
      }
    }
  }

  private static Roster roster(String line) {
    String[] words = line.split(" ", -1);
    List<Peer> peers = new ArrayList<>();
    for (int i = 1; i < words.length; i += 2) {
      int port = Integer.parseInt(words[i + 1]);
      peers.add(new Peer(peers.size(), words[i], "127.0.0.1", port, "loopback", ""));
    }
    return new Roster(1, 0, HexFormat.of().parseHex(words[0]), peers);
  }

  private static double time(Communicator communicator, String[] order) {
    String slug = order[0].equals(LoopbackCommand.AUTO) ? null : order[0];
    int operations = Integer.parseInt(order[2]);
    double[] vector =
        new SplittableRandom(communicator.rank()).doubles(Integer.parseInt(order[1])).toArray();
    communicator.barrier();
    long start = System.nanoTime();
    for (int i = 0; i < operations; i++) {
      communicator.allReduce(vector, ReduceOp.SUM, slug);
    }
    return (System.nanoTime() - start) / 1e3 / operations;
  }
}
