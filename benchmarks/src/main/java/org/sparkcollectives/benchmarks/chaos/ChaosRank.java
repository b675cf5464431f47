package org.sparkcollectives.benchmarks.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;

/** The process of a rank. It answers orders, a line each, until standard input ends. */
final class ChaosRank {
  /** Says where the rank listens: identity and port. */
  static final String CARD = "CARD";

  /** Takes part: communicator, epoch, token, deadline in milliseconds, and a peer per rank. */
  static final String JOIN = "JOIN";

  /** Runs collectives: seed, number, most elements, whether the heap is to be full. */
  static final String RUN = "RUN";

  /** Ends the communicator in good order. */
  static final String LEAVE = "LEAVE";

  /** Closes the endpoint, and says what is left: connections, and what the process holds. */
  static final String CLOSE = "CLOSE";

  /** Says what the process holds. */
  static final String HELD = "HELD";

  /** The answer to what has been done. */
  static final String DONE = "DONE";

  /** The answer when a collective's result is wrong; why follows. */
  static final String WRONG = "WRONG ";

  /** The answer when a collective fails; its milliseconds, the error's class and text follow. */
  static final String FAILED = "FAILED ";

  private static final int FEWEST_BYTES = 1 << 14;

  private final Endpoint endpoint;
  private final int rank;
  private @Nullable Communicator communicator;
  private final List<byte[]> ballast = new ArrayList<>(1 << 14);

  private ChaosRank(int rank, String folder, String host) {
    this.rank = rank;
    this.endpoint =
        new Endpoint(EndpointOptions.builder().hosts(host, "").sharedMemory(folder).build());
  }

  /**
   * Serves until standard input ends.
   *
   * @param args rank, folder of shared memory, address of its host
   * @throws IOException if the endpoint or standard input fails
   */
  public static void main(String[] args) throws IOException {
    ChaosRank process = new ChaosRank(Integer.parseInt(args[0]), args[1], args[2]);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      System.out.println(process.obey(order.split(" ", -1)));
    }
    process.endpoint.close();
  }

  private String obey(String[] words) throws IOException {
    return switch (words[0]) {
      case CARD -> {
        Peer own = endpoint.peer(rank, "", "");
        yield own.endpoint() + " " + own.port();
      }
      case JOIN -> join(words);
      case RUN -> run(words);
      case LEAVE -> {
        leave();
        yield DONE;
      }
      case CLOSE -> close();
      case HELD -> Held.here().line();
      default -> throw new IOException("no order: " + words[0]);
    };
  }

  /** A peer in an order: identity, host, port and node. */
  static String word(Peer card, int port) {
    return card.endpoint() + "," + card.host() + "," + port + "," + card.node();
  }

  private String join(String[] words) {
    List<Peer> peers = new ArrayList<>();
    for (int i = 5; i < words.length; i++) {
      String[] parts = words[i].split(",", -1);
      int port = Integer.parseInt(parts[2]);
      peers.add(new Peer(i - 5, parts[0], parts[1], port, parts[3], "process " + (i - 5)));
    }
    Roster roster =
        new Roster(
            Long.parseLong(words[1]),
            Integer.parseInt(words[2]),
            HexFormat.of().parseHex(words[3]),
            peers);
    Duration deadline = Duration.ofMillis(Long.parseLong(words[4]));
    try {
      communicator =
          new Communicator(
              endpoint.join(roster, rank), CommunicatorOptions.DEFAULT.withTimeout(deadline));
      return DONE;
    } catch (IOException | RuntimeException e) {
      return failed(0, e);
    }
  }

  private String run(String[] words) {
    Communicator all = Objects.requireNonNull(communicator);
    Workload work =
        new Workload(
            Long.parseLong(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
    try {
      if (Boolean.parseBoolean(words[4])) {
        fillHeap();
      }
      work.run(all);
      ballast.clear();
      return DONE;
    } catch (Workload.WrongResult e) {
      ballast.clear();
      all.abort(e);
      return WRONG + e.getMessage();
    } catch (Exception | OutOfMemoryError e) {
      long millis = TimeUnit.NANOSECONDS.toMillis(work.nanos());
      ballast.clear();
      all.abort(e);
      return failed(millis, e);
    }
  }

  private static String failed(long millis, Throwable e) {
    StringBuilder text = new StringBuilder(e.toString());
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      text.append(" / ").append(cause);
    }
    return FAILED + millis + " " + text.toString().replace('\n', ' ');
  }

  /** Leaves nothing of the heap but some room for what the rank says. */
  private void fillHeap() {
    for (int bytes = 1 << 22; bytes >= FEWEST_BYTES; bytes /= 2) {
      try {
        while (true) {
          ballast.add(new byte[bytes]);
        }
      } catch (OutOfMemoryError full) {
        ballast.remove(ballast.size() - 1);
      }
    }
  }

  private void leave() {
    if (communicator != null) {
      communicator.close();
      communicator = null;
    }
  }

  private String close() {
    leave();
    endpoint.close();
    EndpointStatistics last = endpoint.statistics();
    int left = last.openConnections() + last.threads() + last.transports() + last.parkedLeases();
    return left + last.closeFailures() + " " + Held.here().line();
  }
}
