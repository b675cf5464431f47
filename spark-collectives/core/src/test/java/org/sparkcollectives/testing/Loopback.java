package org.sparkcollectives.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** The addresses of this machine that only itself reaches. */
public final class Loopback {
  private Loopback() {}

  /**
   * That of IPv6, where this machine has one, else that of IPv4.
   *
   * @return as a host is given, {@code [::1]} or {@code 127.0.0.1}
   */
  public static String newest() {
    byte[] loopback = new byte[16];
    loopback[15] = 1;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(loopback))) {
      return socket.isBound() ? "[::1]" : "127.0.0.1";
    } catch (IOException e) {
      return "127.0.0.1";
    }
  }
}
