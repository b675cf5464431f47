package org.sparkcollectives.internal.transport.endpoint;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;

/** A process that uses up its descriptors, links all the same, and says what it is told. */
final class ScarceProcess {
  /** Begins the line of what a rank says that has had no links. */
  static final String FRESH = "FRESH ";

  /** Begins the line of what the dialer says. */
  static final String DIALER = "DIALER ";

  /** Begins the line of what the log says. */
  static final String LOG = "LOG ";

  /** The line after the link. */
  static final String LINKED = "LINKED";

  private static final Logger LOGGER =
      Logger.getLogger("org.sparkcollectives.internal.transport.tcp.Rejections");

  private final Deque<InputStream> files = new ArrayDeque<>();

  private ScarceProcess() {}

  /**
   * Runs the process.
   *
   * @param arguments none
   * @throws IOException if it does not link in the end
   */
  public static void main(String... arguments) throws IOException {
    new ScarceProcess().run();
  }

  private void run() throws IOException {
    EndpointOptions options = Cluster.options().build();
    try (Endpoint one = new Endpoint(options);
        Endpoint two = new Endpoint(options)) {
      Peer nobody = new Peer(2, "nobody", "127.0.0.1", 1, "node", "");
      List<Peer> peers = List.of(one.peer(0, "node", ""), two.peer(1, "node", ""), nobody);
      Transport[] ranks = new Transport[3];
      for (int i = 0; i < ranks.length; i++) {
        Roster roster = new Roster(i, 0, new byte[32], peers);
        ranks[i] = one.join(roster, 0);
        two.join(roster, 1);
      }
      link(ranks[0], 1);
      ranks[0].close();
      for (int i = 0; i < 2; i++) { // loads what is needed without a descriptor
        System.out.println(failure(ranks[i], 2));
      }
      ranks[1].await(null, null, 1); // a selector keeps what was closed until it is asked again
      listen();
      useUp();
      System.out.println(FRESH + failure(ranks[2], 1));
      System.out.println(DIALER + failure(ranks[1], 1));
      files.pop().close();
      link(ranks[1], 1); // with a socket here, and first none there
      System.out.println(LINKED);
    }
  }

  private static void link(Transport rank, int peer) throws IOException {
    rank.link(peer, Deadline.after(Duration.ofSeconds(30)), Cancellation.NONE);
  }

  private static String failure(Transport rank, int peer) {
    try {
      link(rank, peer);
      return "there is a link";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void useUp() throws IOException {
    try {
      while (true) {
        files.push(new FileInputStream("/dev/null"));
      }
    } catch (FileNotFoundException none) {
      System.out.println(none.getMessage());
    }
  }

  /** Passes the log on, and then gives the descriptors back. */
  private void listen() {
    LOGGER.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            System.out.println(LOG + line.getMessage());
            while (!files.isEmpty()) {
              try {
                files.pop().close();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }
}
