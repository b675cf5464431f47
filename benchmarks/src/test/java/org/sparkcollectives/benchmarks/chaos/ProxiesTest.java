package org.sparkcollectives.benchmarks.chaos;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.internal.transport.Peer;

@Timeout(60)
class ProxiesTest {
  private final ServerSocket server = listen();
  private final Proxies proxies = make();
  private Socket near = new Socket();
  private Socket far = new Socket();

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Proxies make() {
    try {
      return new Proxies(2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void connect() throws IOException {
    Peer zero = new Peer(0, "", "127.0.0.1", 1, "", "");
    proxies.lead(List.of(zero, new Peer(1, "", "127.0.0.1", server.getLocalPort(), "", "")));
    near = new Socket(InetAddress.getLoopbackAddress(), proxies.port(0, 1));
    near.setSoTimeout(20_000);
    far = server.accept();
    far.setSoTimeout(20_000);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    near.close();
    far.close();
    while (proxies.open() > 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    proxies.close();
    server.close();
  }

  @Test
  void bytesPassBothWays() throws IOException {
    near.getOutputStream().write(new byte[] {1, 2, 3});
    assertArrayEquals(new byte[] {1, 2, 3}, far.getInputStream().readNBytes(3));
    far.getOutputStream().write(4);
    assertEquals(4, near.getInputStream().read());
    near.shutdownOutput();
    assertEquals(-1, far.getInputStream().read());
  }

  @Test
  void aTrapIsSprungByItsByte() throws Exception {
    CompletableFuture<String> hit = new CompletableFuture<>();
    proxies.set(
        new Proxies.Trap(
            1,
            5,
            (wire, from, to) -> {
              hit.complete(from + " to " + to);
              wire.halfClose(from);
            }));
    near.getOutputStream().write(new byte[8]);
    assertEquals(5, far.getInputStream().readAllBytes().length);
    assertEquals("0 to 1", hit.get(20, TimeUnit.SECONDS));
    far.getOutputStream().write(4);
    assertEquals(4, near.getInputStream().read());
    assertTrue(proxies.disarm());
  }

  @Test
  void aResetIsOneOnBothSides() throws Exception {
    proxies.set(new Proxies.Trap(0, 1, (wire, from, to) -> wire.reset()));
    near.getOutputStream().write(new byte[8]);
    assertThrows(SocketException.class, () -> far.getInputStream().readAllBytes());
    assertThrows(SocketException.class, () -> near.getInputStream().readAllBytes());
  }

  @Test
  void whatIsStalledComesLater() throws Exception {
    proxies.way(1, 0).stall(true);
    far.getOutputStream().write(7);
    near.setSoTimeout(200);
    assertThrows(SocketTimeoutException.class, () -> near.getInputStream().read());
    proxies.heal();
    near.setSoTimeout(20_000);
    assertEquals(7, near.getInputStream().read());
  }

  @Test
  void whatIsLostDoesNotComeAndEndsTheConnection() throws Exception {
    proxies.way(0, 1).lose(true);
    near.getOutputStream().write(7);
    far.getOutputStream().write(8);
    assertEquals(8, near.getInputStream().read());
    while (!proxies.haveLost()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    proxies.heal();
    assertThrows(SocketException.class, () -> far.getInputStream().read());
  }
}
