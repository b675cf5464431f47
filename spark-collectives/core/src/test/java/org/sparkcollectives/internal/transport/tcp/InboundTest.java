package org.sparkcollectives.internal.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.PlainChannel;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.Handshake;
import org.sparkcollectives.internal.transport.tcp.lease.Connection;

/** The time of a handshake, by clocks that are asked before and after each step of it. */
final class InboundTest {
  private static final long ALLOWED = Duration.ofHours(1).toNanos();
  private static final long STEP_MILLIS = 300;

  private final EndpointOptions options =
      EndpointOptions.builder()
          .handshakeTimeout(Duration.ofNanos(ALLOWED))
          .parkTimeout(Duration.ofDays(1))
          .build();

  @Test
  void helloAndProofHaveOneTimeWhichStandsStillUntilTheTokenIsKnown() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open();
        Selector selector = Selector.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel caller = SocketChannel.open(server.getLocalAddress())) {
        PlainChannel channel = PlainChannel.accept(server);
        channel.setUp(0, 0);
        Connection connection = new Connection(channel, "caller", new TransportCounters());
        long start = System.nanoTime();
        Inbound inbound = Inbound.fresh(connection, selector);
        long begun = System.nanoTime();
        assertFalse(inbound.isLate(options, start + ALLOWED));
        assertTrue(inbound.isLate(options, begun + ALLOWED + 1));

        Thread.sleep(STEP_MILLIS);
        long beforeHello = System.nanoTime();
        inbound.greeted(Handshake.hello("callee", 0, new byte[Sealing.SHARE_BYTES]));
        long afterHello = System.nanoTime();
        assertFalse(inbound.isLate(options, begun + ALLOWED + 1), "the token's time");

        Thread.sleep(STEP_MILLIS);
        long beforeChallenge = System.nanoTime();
        inbound.challenge(new byte[Handshake.TOKEN_BYTES], Sealing.NONE);
        long afterChallenge = System.nanoTime();
        long leastSpent = beforeHello - begun;
        long mostSpent = afterHello - start;
        assertFalse(inbound.isLate(options, beforeChallenge + ALLOWED - mostSpent));
        assertTrue(inbound.isLate(options, afterChallenge + ALLOWED - leastSpent + 1));
        assertTrue(caller.isConnected());
        connection.close();
      }
    }
  }
}
