package org.sparkcollectives.internal.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.shared.SharedMemory;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.testing.FreePorts;

/** What is left of a listening socket that comes to nothing. */
final class TcpProviderTest {

  @Test
  void aThreadThatDoesNotStartLeavesThePortFree() throws Exception {
    int port = FreePorts.choose(1).get(0);
    EndpointOptions options =
        EndpointOptions.builder().hosts("127.0.0.1", "").ports(port, port).build();
    assertThrows(OutOfMemoryError.class, () -> listen(options));
    try (ServerSocketChannel next = ServerSocketChannel.open()) {
      next.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
  }

  private static TcpProvider listen(EndpointOptions options) throws Exception {
    return TcpProvider.listen(
        "this",
        options,
        new TransportCounters(),
        new SharedMemory("", options.ringBytes()),
        Sealing.NONE,
        new Lookup(),
        thread -> {
          throw new OutOfMemoryError("unable to create native thread");
        });
  }

  @Test
  void aSocketOfIPv4AloneSaysSoAndIsClosed() throws Exception {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET);
    InetSocketAddress other = new InetSocketAddress(InetAddress.getByAddress(new byte[16]), 0);
    BindException e = assertThrows(BindException.class, () -> TcpProvider.bind(server, 0, other));
    assertEquals("this JVM uses IPv4 alone", e.getMessage());
    assertFalse(server.isOpen());
  }
}
