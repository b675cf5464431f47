package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.channel.BrokenSeal;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Seed;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/**
 * Everything after the handshake goes through the channel that has been put upon the plain one:
 * leases, data, doorbells and the frames that end leases.
 */
@ParameterizedClass
@EnumSource(Medium.class)
@Timeout(240)
final class SealedEndpointTest {
  private final Medium medium;

  SealedEndpointTest(Medium medium) {
    this.medium = medium;
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 1", "1 0 1 0 2", "0 1 2 0 1 2 0"})
  void carriesRandomTrafficOverOneCommunicatorAfterTheOther(String layout) {
    int[] homes = layout.chars().filter(c -> c != ' ').map(c -> c - '0').toArray();
    Seed.run(
        SealedEndpointTest.class,
        seed -> {
          EndpointOptions options = medium.options().ringBytes(4096).build();
          for (Sealing sealing :
              List.of(RandomChannel.sealing(seed), new RecordSealing(), Certificates.sealing())) {
            try (Cluster cluster = new Cluster(3, options, sealing)) {
              for (int i = 0; i < 3; i++) {
                List<Transport> ranks = cluster.communicator(homes);
                Traffic.run(ranks, seed + i, 20, 100_000);
                ranks.forEach(Transport::release);
              }
            }
          }
        });
  }

  @Test
  void aReleasedConnectionServesTheNextCommunicator() {
    Seed.run(
        SealedEndpointTest.class,
        seed -> {
          EndpointOptions options = medium.options().build();
          AtomicInteger ends = new AtomicInteger();
          Sealing random = RandomChannel.sealing(seed);
          Sealing counted =
              new Sealing() {
                @Override
                public int code() {
                  return random.code();
                }

                @Override
                public Share share() throws IOException {
                  ends.incrementAndGet();
                  return random.share();
                }
              };
          try (Cluster cluster = new Cluster(2, options, counted)) {
            for (int i = 0; i < 10; i++) {
              List<Transport> ranks = cluster.communicator(0, 1);
              Traffic.run(ranks, i, 5, 1000);
              ranks.forEach(Transport::release);
              Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 1);
            }
            assertEquals(1, cluster.endpoint(0).statistics().dialed());
            assertEquals(9, cluster.endpoint(0).statistics().reused());
            assertEquals(2, ends.get(), "a connection is sealed once");
          }
        });
  }

  @Test
  void aPeerThatClosesIsHeardThroughWhatWasTakenFromTheSocketBefore() {
    Seed.run(
        SealedEndpointTest.class,
        seed -> {
          EndpointOptions options = medium.options().build();
          try (Cluster cluster = new Cluster(2, options, RandomChannel.sealing(seed))) {
            List<Transport> ranks = cluster.communicator(0, 1);
            Traffic.run(ranks, 1, 5, 1000);
            Deadline deadline = Deadline.after(Duration.ofSeconds(60));
            Link link = ranks.get(0).link(1, deadline, Cancellation.NONE);
            ranks.get(1).close();
            ByteBuffer target = ByteBuffer.allocate(1);
            try {
              int count = link.read(target);
              while (count == 0 && !deadline.expired()) {
                ranks.get(0).await(link, null, Duration.ofSeconds(1).toNanos());
                count = link.read(target);
              }
              assertEquals(-1, count);
            } catch (IOException reset) { // as it had not read that there is room in its memory
              assertTrue(reset.getMessage().contains("(process 1) broke"), reset.getMessage());
            }
            ranks.get(0).close();
          }
        });
  }

  @Test
  void aCertificateThatIsNotTrustedOpensNoLink() throws Exception {
    EndpointOptions options = Medium.SOCKET.options().build();
    try (Endpoint one = new Endpoint(options, Certificates.sealing());
        Endpoint other = new Endpoint(options, Certificates.sealingOfAStranger())) {
      List<Peer> peers = List.of(one.peer(0, "node", ""), other.peer(1, "node", ""));
      Roster roster = new Roster(1, 0, new byte[32], peers);
      Transport lower = one.join(roster, 0);
      Transport higher = other.join(roster, 1);
      Deadline deadline = Deadline.after(Duration.ofSeconds(60));
      assertThrows(IOException.class, () -> lower.link(1, deadline, Cancellation.NONE));
      assertTrue(deadline.remainingNanos() > 0, "found at once");
      List.of(lower, higher).forEach(Transport::close);
    }
  }

  /** In TLS 1.3 the dialer has ended its handshake before the acceptor looks at its certificate. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bothSidesAreToldWhereOneDoesNotTrustTheOther(boolean dialerIsTrusted) throws Exception {
    Sealing own = Certificates.sealing();
    Sealing stranger = Certificates.sealingOfATrustingStranger();
    EndpointOptions options = Medium.SOCKET.options().build();
    try (Endpoint one = new Endpoint(options, dialerIsTrusted ? own : stranger);
        Endpoint other = new Endpoint(options, dialerIsTrusted ? stranger : own)) {
      List<Peer> peers = List.of(one.peer(0, "node", ""), other.peer(1, "node", ""));
      Roster roster = new Roster(1, 0, new byte[32], peers);
      Transport lower = one.join(roster, 0);
      Transport higher = other.join(roster, 1);
      Deadline deadline = Deadline.after(Duration.ofSeconds(60));
      IOException refused =
          assertThrows(IOException.class, () -> lower.link(1, deadline, Cancellation.NONE));
      String said = String.valueOf(refused.getMessage());
      assertTrue(said.contains(dialerIsTrusted ? "PKIX" : "Received fatal alert"), said);
      assertTrue(said.contains("trusts the certificate"), said);
      assertInstanceOf(BrokenSeal.class, refused.getCause());
      Cluster.await(other, s -> Long.valueOf(1).equals(s.rejected().get(Rejection.SEAL)));
      assertEquals(1, other.statistics().rejections());
      List.of(lower, higher).forEach(Transport::close);
    }
  }

  @Test
  void cipherSuitesAreThoseThatAreAllowed() throws Exception {
    IOException refused = refused(Certificates.sealingByAnotherSuite());
    assertInstanceOf(BrokenSeal.class, refused.getCause());
  }

  @Test
  void aTrustedCertificateOfSomebodyElseOpensNoLink() throws Exception {
    IOException refused = refused(Certificates.sealingThatNamesAnother());
    assertTrue(String.valueOf(refused.getMessage()).contains("another certificate"));
  }

  /** What a rank is told that dials another one, which seals in another way. */
  private static IOException refused(Sealing sealing) throws Exception {
    EndpointOptions options = Medium.SOCKET.options().build();
    try (Endpoint one = new Endpoint(options, Certificates.sealing());
        Endpoint other = new Endpoint(options, sealing)) {
      List<Peer> peers = List.of(one.peer(0, "node", ""), other.peer(1, "node", ""));
      Roster roster = new Roster(1, 0, new byte[32], peers);
      Transport lower = one.join(roster, 0);
      Transport higher = other.join(roster, 1);
      Deadline deadline = Deadline.after(Duration.ofSeconds(60));
      IOException refused =
          assertThrows(IOException.class, () -> lower.link(1, deadline, Cancellation.NONE));
      List.of(lower, higher).forEach(Transport::close);
      return refused;
    }
  }

  @Test
  void endpointsThatSealInDifferentWaysDoNotLink() throws Exception {
    EndpointOptions options = Medium.SOCKET.options().build();
    try (Endpoint sealed = new Endpoint(options, new RecordSealing());
        Endpoint plain = new Endpoint(options)) {
      List<Peer> peers = List.of(sealed.peer(0, "node", ""), plain.peer(1, "node", ""));
      Roster roster = new Roster(1, 0, new byte[32], peers);
      Transport lower = sealed.join(roster, 0);
      Transport higher = plain.join(roster, 1);
      Deadline deadline = Deadline.after(Duration.ofSeconds(60));
      IOException refused =
          assertThrows(IOException.class, () -> lower.link(1, deadline, Cancellation.NONE));
      String said = String.valueOf(refused.getMessage());
      assertTrue(said.contains("settings of encryption differ"), said);
      assertTrue(deadline.remainingNanos() > 0, "found at once");
      List.of(lower, higher).forEach(Transport::close);
    }
  }
}
