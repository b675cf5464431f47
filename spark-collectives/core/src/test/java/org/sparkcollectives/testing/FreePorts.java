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
      if (isFree(port)) {
        ports.add(port);
      }
    }
    return List.copyOf(ports);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
