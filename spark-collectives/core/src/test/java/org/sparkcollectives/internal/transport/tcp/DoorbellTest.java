package org.sparkcollectives.internal.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.shared.SharedRings;
import org.sparkcollectives.internal.transport.tcp.channel.PlainChannel;
import org.sparkcollectives.internal.transport.tcp.lease.Connection;
import org.sparkcollectives.transport.Link;

/** A connection that wakes the rank at its other end, whose bytes go through memory. */
final class DoorbellTest {
  @TempDir Path folder;

  @Test
  void aPeerThatLeavesBeforeItsDoorbellHasTakenTheBytesAllTheSame() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open();
        Selector selector = Selector.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      PlainChannel channel = PlainChannel.open(0, 0);
      boolean connected = channel.connect(server.getLocalAddress());
      SocketChannel other = server.accept();
      while (!connected) {
        connected = channel.finishConnect();
      }
      Connection connection = new Connection(channel, "peer", new TransportCounters());
      SharedRings mine = SharedRings.create(folder, 4096);
      SharedRings theirs = SharedRings.open(folder, mine.name());
      LeasedChannel doorbell =
          new LeasedChannel(connection, channel.register(selector, 0, connection));
      Link link = mine.link(1, "the peer", doorbell);
      assertEquals(2, theirs.outbound().write(ByteBuffer.wrap(new byte[] {5, 6})));
      assertTrue(theirs.inbound().readerSleeps());
      other.setOption(StandardSocketOptions.SO_LINGER, 0).close(); // a reset, noticed at once

      assertEquals(3, link.write(ByteBuffer.allocate(3)));
      assertEquals(3, theirs.inbound().read(ByteBuffer.allocate(9)));
      assertThrows(IOException.class, () -> link.write(ByteBuffer.allocate(1)));
      assertThrows(IOException.class, link::room);
      assertEquals(2, link.read(ByteBuffer.allocate(9)));
      assertThrows(IOException.class, () -> link.read(ByteBuffer.allocate(9)));
      connection.close();
      assertFalse(doorbell.isOpen());
    }
  }
}
