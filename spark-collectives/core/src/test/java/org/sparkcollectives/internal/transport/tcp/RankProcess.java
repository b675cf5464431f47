package org.sparkcollectives.internal.transport.tcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/**
 * A rank that is a process of its own. It prints where it listens, reads the places of all ranks
 * from its standard input, sends bytes round a ring for as long as it works, and prints how that
 * ended and how long the last step took.
 */
final class RankProcess {
  /** What the first line of output starts with; host and port follow after the identity. */
  static final String LISTENS = "LISTENS ";

  /** A line that says how many connections share memory, and how many were to and do not. */
  static final String SHARED = "SHARED ";

  /** A line that says how many times the ring has been gone round. */
  static final String ROUND = "ROUND ";

  /** The last line when a link fails: the milliseconds of the last step, then the message. */
  static final String FAILED = "FAILED ";

  private static final int BYTES = 100_000;

  private RankProcess() {}

  /**
   * Runs a rank.
   *
   * @param args rank, size, time allowed for a step in milliseconds, folder of shared memory
   * @throws Exception if anything but a link fails
   */
  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    Duration step = Duration.ofMillis(Long.parseLong(args[2]));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    EndpointOptions options = Cluster.options().sharedMemory(args[3]).build();
    try (Endpoint endpoint = new Endpoint(options)) {
      Peer me = endpoint.peer(rank, "node", "");
      System.out.println(LISTENS + me.endpoint() + " " + me.host() + " " + me.port());
      List<Peer> peers = new ArrayList<>();
      while (peers.size() < size) {
        String[] peer = line(in).split(" ", 3);
        peers.add(
            new Peer(
                peers.size(),
                peer[0],
                peer[1],
                Integer.parseInt(peer[2]),
                "node",
                "process " + peers.size()));
      }
      Roster roster = new Roster(1, 0, new byte[Handshake.TOKEN_BYTES], peers);
      Transport transport = endpoint.join(roster, rank);
      line(in); // the start signal
      goRound(endpoint, transport, step);
    }
  }

  private static String line(BufferedReader in) throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new IOException("the standard input has ended");
    }
    return line;
  }

  private static void goRound(Endpoint endpoint, Transport transport, Duration step) {
    ByteBuffer body = ByteBuffer.allocateDirect(BYTES);
    ByteBuffer incoming = ByteBuffer.allocateDirect(BYTES);
    ByteBuffer head = ByteBuffer.allocate(0);
    int next = (transport.rank() + 1) % transport.size();
    int previous = (transport.rank() + transport.size() - 1) % transport.size();
    long start = System.nanoTime();
    try {
      for (int round = 1; ; round++) {
        start = System.nanoTime();
        Deadline deadline = Deadline.after(step);
        boolean upFirst = next > transport.rank();
        Link first = transport.link(upFirst ? next : previous, deadline, Cancellation.NONE);
        Link second = transport.link(upFirst ? previous : next, deadline, Cancellation.NONE);
        Traffic.drive(
            transport,
            upFirst ? first : second,
            head,
            body.clear(),
            upFirst ? second : first,
            incoming.clear(),
            deadline);
        if (round == 1) {
          EndpointStatistics statistics = endpoint.statistics();
          System.out.println(SHARED + statistics.shared() + " " + statistics.notShared());
        }
        if (round % 100 == 0) {
          System.out.println(ROUND + round);
        }
      }
    } catch (IOException | CollectiveException e) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      transport.close();
      System.out.println(FAILED + millis + " " + e.getMessage());
    }
  }
}
