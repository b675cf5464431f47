package org.sparkcollectives.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback interface that nobody listens on, none of those that the system gives. */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;

  private FreePorts() {}

  /**
   * Chooses ports.
   *
   * @param count how many
   * @return different ports
   */
  public static List<Integer> choose(int count) {
    Set<Integer> ports = new TreeSet<>();
    while (ports.size() < count) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
        ports.add(socket.getLocalPort());
      } catch (IOException taken) {
        continue;
      }
    }
    return List.copyOf(ports);
  }
}
