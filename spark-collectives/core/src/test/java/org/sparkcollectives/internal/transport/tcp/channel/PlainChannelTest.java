package org.sparkcollectives.internal.transport.tcp.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;

/** How sockets of links are set up. */
final class PlainChannelTest {

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
