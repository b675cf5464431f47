package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.Peer;

/**
 * What stands between the ranks: a listening socket for each pair of who dials and who is dialed. A
 * {@link Trap} is sprung by the byte that it waits for.
 */
final class Proxies implements AutoCloseable {
  private static final int CONNECT_MILLIS = 5000;

  private final int size;
  private final List<ServerSocket> servers = new ArrayList<>();
  private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
  private final Way[][] ways;
  private final Object counting = new Object();
  private volatile List<Peer> targets = List.of();
  private @Nullable Trap trap;
  private long passed;

  /**
   * What happens at a byte.
   *
   * @param rank the rank whose bytes count, in both directions
   * @param offset the byte, from 1
   * @param action gets the connection that it passes
   */
  record Trap(int rank, long offset, Action action) {}

  /** What is done to a connection. */
  @FunctionalInterface
  interface Action {
    /**
     * Happens before the byte after those is passed on.
     *
     * @param wire the connection
     * @param from the rank that has sent the byte
     * @param to the rank that it is for
     */
    void hit(Wire wire, int from, int to) throws IOException;
  }

  /** How bytes get from one rank to another. */
  static final class Way {
    private volatile long delayMillis;
    private volatile boolean stalled;
    private volatile boolean lost;

    void delay(long millis) {
      delayMillis = millis;
    }

    void stall(boolean whether) {
      stalled = whether;
    }

    void lose(boolean whether) {
      lost = whether;
    }

    boolean isStalled() {
      return stalled;
    }

    boolean isLost() {
      return lost;
    }

    long delayMillis() {
      return delayMillis;
    }
  }

  /** Listens for all ranks. */
  Proxies(int size) throws IOException {
    this.size = size;
    this.ways = new Way[size][size];
    for (int from = 0; from < size; from++) {
      for (int to = 0; to < size; to++) {
        ways[from][to] = new Way();
        ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        servers.add(server);
        int dialer = from;
        int dialed = to;
        daemon(() -> accept(server, dialer, dialed), "proxy " + from + " to " + to);
      }
    }
  }

  static void daemon(Runnable body, String name) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Where a rank dials another. */
  int port(int from, int to) {
    return servers.get(from * size + to).getLocalPort();
  }

  /** Where the ranks listen from now on. */
  void lead(List<Peer> cards) {
    targets = cards;
  }

  Way way(int from, int to) {
    return ways[from][to];
  }

  /** Counts from now on, and springs a trap once. */
  void set(Trap next) {
    synchronized (counting) {
      trap = next;
      passed = 0;
    }
  }

  /**
   * Takes the trap away.
   *
   * @return whether it was sprung
   */
  boolean disarm() {
    synchronized (counting) {
      boolean sprung = trap == null;
      trap = null;
      return sprung;
    }
  }

  /** Lets all bytes pass, and resets the connections that have lost some. */
  void heal() {
    for (Way[] row : ways) {
      for (Way way : row) {
        way.delay(0);
        way.stall(false);
        way.lose(false);
      }
    }
    wires.stream().filter(Wire::hasLost).forEach(Wire::reset);
  }

  /** Whether a connection has lost bytes. */
  boolean haveLost() {
    return wires.stream().anyMatch(Wire::hasLost);
  }

  /** How many connections there are. */
  int open() {
    return wires.size();
  }

  void ended(Wire wire) {
    wires.remove(wire);
  }

  /**
   * Bytes on their way.
   *
   * @param before how many pass before the trap is sprung, all if it is not
   * @param sprung the trap that they spring, or null
   */
  record Passage(int before, @Nullable Trap sprung) {}

  /** Counts bytes between two ranks. */
  Passage count(int from, int to, int bytes) {
    synchronized (counting) {
      Trap now = trap;
      if (now == null || (now.rank() != from && now.rank() != to)) {
        return new Passage(bytes, null);
      }
      passed += bytes;
      if (passed < now.offset()) {
        return new Passage(bytes, null);
      }
      trap = null;
      return new Passage((int) (bytes - (passed - now.offset())), now);
    }
  }

  private void accept(ServerSocket server, int from, int to) {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        Socket far = new Socket();
        Wire wire = new Wire(this, near, far, from, to);
        wires.add(wire);
        try {
          Peer target = targets.get(to);
          far.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MILLIS);
          wire.start();
        } catch (IOException refused) {
          wire.reset();
        }
      } catch (IOException closed) {
        // the loop's condition says whether that is the end
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (ServerSocket server : servers) {
      server.close();
    }
    wires.forEach(Wire::reset);
  }
}
