package org.sparkcollectives.internal.transport.tcp.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

/** How sockets of links are set up. */
final class PlainChannelTest {

  /** Else who dials before the other listens would take itself for the other. */
  @Test
  void aSocketThatMeetsItselfIsRefused() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    SocketChannel socket = SocketChannel.open().bind(any);
    SocketAddress itself = socket.getLocalAddress();
    PlainChannel channel = PlainChannel.of(socket, 0, 0);
    assertThrows(
        ConnectException.class,
        () -> {
          boolean connected = channel.connect(itself);
          while (!connected) {
            connected = channel.finishConnect();
          }
        });
    channel.close();
  }

  @Test
  void aSocketOfIPv4AloneSaysSo() throws Exception {
    InetSocketAddress other = new InetSocketAddress(InetAddress.getByAddress(new byte[16]), 7);
    PlainChannel channel = PlainChannel.of(SocketChannel.open(StandardProtocolFamily.INET), 0, 0);
    ConnectException e = assertThrows(ConnectException.class, () -> channel.connect(other));
    assertEquals("this JVM uses IPv4 alone", e.getMessage());
    channel.close();
  }

  /** A machine that has gone without a word is missed after 35 s, at either end. */
  @Test
  void aSilentConnectionIsProbed() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      PlainChannel dialed = PlainChannel.open(0, 0);
      boolean connected = dialed.connect(server.getLocalAddress());
      PlainChannel accepted = PlainChannel.accept(server);
      while (!connected) {
        connected = dialed.finishConnect();
      }
      assertTrue(accepted != null);
      accepted.setUp(0, 0);
      for (PlainChannel end : List.of(dialed, accepted)) {
        assertTrue(end.option(StandardSocketOptions.SO_KEEPALIVE));
        assertEquals(15, end.option(ExtendedSocketOptions.TCP_KEEPIDLE));
        assertEquals(5, end.option(ExtendedSocketOptions.TCP_KEEPINTERVAL));
        assertEquals(4, end.option(ExtendedSocketOptions.TCP_KEEPCOUNT));
        end.close();
      }
    }
  }
}
