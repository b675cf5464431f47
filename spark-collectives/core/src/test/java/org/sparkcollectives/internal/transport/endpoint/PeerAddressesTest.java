package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.sparkcollectives.transport.Failures.assertSays;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.testing.FreePorts;
import org.sparkcollectives.testing.Stranger;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;

/** A name of a peer's machine behind which there are two addresses, the first of them another's. */
@Timeout(60)
final class PeerAddressesTest {
  private static final String NAME = "of-two-machines";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final EndpointOptions options = Cluster.options().build();
  private final Lookup lookup = new Lookup(host -> new InetAddress[] {numbered(2), numbered(1)});

  private static InetAddress numbered(int last) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  private static Roster roster(Endpoint dialer, Peer known) throws IOException {
    Peer named = new Peer(1, known.endpoint(), NAME, known.port(), "node", "");
    return new Roster(1, 0, new byte[32], List.of(dialer.peer(0, "node", ""), named));
  }

  private void linkDespite(Somebody stranger) throws Exception {
    try (Endpoint dialer = new Endpoint(options, Sealing.NONE, lookup);
        Endpoint peer = new Endpoint(options)) {
      Peer known = peer.peer(1, "node", "");
      Roster roster = roster(dialer, known);
      Transport lower = dialer.join(roster, 0);
      Transport higher = peer.join(roster, 1);
      AutoCloseable other = stranger.listen(known.port());
      try {
        lower.link(1, Deadline.after(LIMIT), Cancellation.NONE);
        higher.link(0, Deadline.after(LIMIT), Cancellation.NONE);
      } finally {
        other.close();
      }
      assertEquals(1, dialer.statistics().dialed());
      List.of(lower, higher).forEach(Transport::close);
    }
  }

  /** Lets somebody listen at the first address. */
  private interface Somebody {
    AutoCloseable listen(int port) throws Exception;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"})
  void aServerOfAnotherKindIsPassedOver(String said) throws Exception {
    int heard = WireFormat.bytes(WireFormat.HELLO);
    linkDespite(
        port -> new Stranger(numbered(2), port, heard, said.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void anotherEndpointIsPassedOver() throws Exception {
    linkDespite(
        port -> {
          Endpoint other =
              new Endpoint(
                  EndpointOptions.builder().hosts("127.0.0.2", "").ports(port, port).build());
          other.expect(new byte[32]);
          return () -> {
            Cluster.await(other, s -> s.rejected().get(Rejection.ENDPOINT) == 1);
            other.close();
          };
        });
  }

  @Test
  void whereNoneIsThePeersTheStrangerIsTold() throws Exception {
    int port = FreePorts.choose(1).get(0);
    EndpointOptions elsewhere =
        EndpointOptions.builder().hosts("127.0.0.2", "").ports(port, port).build();
    try (Endpoint dialer = new Endpoint(options, Sealing.NONE, lookup);
        Endpoint other = new Endpoint(elsewhere)) {
      Peer stranger = other.peer(1, "node", "");
      Peer known = new Peer(1, "elsewhere", "127.0.0.1", stranger.port(), "node", "");
      Transport lower = dialer.join(roster(dialer, known), 0);
      IOException failure =
          assertThrows(
              IOException.class, () -> lower.link(1, Deadline.after(LIMIT), Cancellation.NONE));
      assertSays(failure, AnswerCode.ENDPOINT.reason());
      assertSays(failure, "127.0.0.2");
      assertSays(failure.getSuppressed()[0], "refused");
      lower.close();
    }
  }
}
