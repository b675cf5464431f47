package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.Seed;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/** Several connections between two ranks, plain and sealed. */
@Timeout(240)
final class StripedEndpointTest {
  private static EndpointOptions striped(int connections) {
    return Medium.SOCKET.options().stripes(connections).build();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7})
  void carryRandomTrafficInOrder(int connections) {
    Seed.run(
        StripedEndpointTest.class,
        seed -> {
          for (Sealing sealing :
              List.of(
                  Sealing.NONE,
                  RandomChannel.sealing(seed), // takes and delivers any part of what it might
                  new RecordSealing(),
                  Certificates.sealing())) {
            try (Cluster cluster = new Cluster(3, striped(connections), sealing)) {
              for (int i = 0; i < 2; i++) {
                List<Transport> ranks = cluster.communicator(0, 1, 2, 0);
                Traffic.run(ranks, seed + i, 20, 300_001);
                ranks.forEach(Transport::release);
              }
            }
          }
        });
  }

  @Test
  void allOfThemServeTheNextCommunicator() throws Exception {
    try (Cluster cluster = new Cluster(2, striped(3))) {
      for (int i = 0; i < 4; i++) {
        List<Transport> ranks = cluster.communicator(0, 1);
        Traffic.run(ranks, i, 5, 300_000);
        ranks.forEach(Transport::release);
        Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == 3);
      }
      assertEquals(3, cluster.endpoint(0).statistics().dialed());
      assertEquals(9, cluster.endpoint(0).statistics().reused());
      assertEquals(6, cluster.open());
    }
  }

  @Test
  void whoDialsSaysHowMany() throws Exception {
    Endpoint dialing = new Endpoint(striped(2));
    Endpoint accepting = new Endpoint(striped(5));
    try (dialing;
        accepting) {
      Roster roster =
          new Roster(
              1, 0, new byte[32], List.of(dialing.peer(0, "n", ""), accepting.peer(1, "n", "")));
      List<Transport> ranks = List.of(dialing.join(roster, 0), accepting.join(roster, 1));
      Traffic.run(ranks, 1, 5, 300_000);
      assertEquals(2, accepting.statistics().openConnections());
      ranks.forEach(Transport::release);
    }
  }

  @Test
  void rangeOfTheirNumber() {
    assertThrows(IllegalArgumentException.class, () -> striped(0));
    assertThrows(IllegalArgumentException.class, () -> striped(65));
  }

  @Test
  void throughMemoryOneIsEnough() throws Exception {
    EndpointOptions options = Medium.MEMORY.options().stripes(4).build();
    try (Cluster cluster = new Cluster(2, options)) {
      List<Transport> ranks = cluster.communicator(0, 1);
      Traffic.run(ranks, 1, 5, 300_000);
      assertEquals(1, cluster.endpoint(0).statistics().dialed());
      ranks.forEach(Transport::release);
    }
  }
}
