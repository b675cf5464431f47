package org.sparkcollectives.internal.transport.endpoint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.sparkcollectives.Group;
import org.sparkcollectives.GroupOptions;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/**
 * A rank that is a process of its own. It opens a group, waits for a start signal, sends bytes
 * round a ring for as long as that works, and prints how it ended and how long the last step took.
 */
final class RankProcess {
  /** A line that says that the group is complete. */
  static final String MET = "MET";

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
    GroupOptions.Builder options =
        GroupOptions.builder().node("node").label("process " + rank).sharedMemory(args[3]);
    try (Group group = Introductions.open(in, rank, size, "127.0.0.1", options)) {
      Transport transport = group.transport();
      System.out.println(MET);
      if (in.readLine() == null) { // the start signal
        throw new IOException("the standard input has ended");
      }
      goRound(group, transport, step);
    }
  }

  private static void goRound(Group group, Transport transport, Duration step) {
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
          Group.Connections connections = group.connections();
          System.out.println(SHARED + connections.shared() + " " + connections.notShared());
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
