package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.transport.Seed;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/** Several connections between two ranks, plain and sealed. */
@Timeout(240)
final class StripedEndpointTest {
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
            try (Cluster cluster = new Cluster(3, Cluster.options().build(), sealing)) {
              cluster.connections(connections);
              for (int i = 0; i < 2; i++) {
                List<Transport> ranks = cluster.communicator(0, 1, 2, 0);
                Traffic.run(ranks, seed + i, 20, 300_001);
                ranks.forEach(Transport::release);
              }
            }
          }
        });
  }

  /**
   * A stripe that does not fit into a connection: what one link holds back, the peer reads first.
   */
  @Test
  void getThroughSmallBuffersOfSockets() throws Exception {
    EndpointOptions small = Cluster.options().socketBuffers(1 << 12, 1 << 12).build();
    for (Sealing sealing : List.of(Sealing.NONE, new RecordSealing(), Certificates.sealing())) {
      try (Cluster cluster = new Cluster(2, small, sealing)) {
        cluster.connections(2);
        List<Transport> ranks = cluster.communicator(0, 1);
        Traffic.run(ranks, 1, 20, 300_001);
        ranks.forEach(Transport::release);
      }
    }
  }

  @Test
  void allOfThemServeTheNextCommunicator() throws Exception {
    EndpointOptions fewIdle = Cluster.options().maxIdlePerPeer(1).build(); // times three
    try (Cluster cluster = new Cluster(2, fewIdle)) {
      cluster.connections(3);
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
    try (Cluster cluster = new Cluster(2, Cluster.options().build())) {
      Roster two = cluster.roster(0, 1);
      Roster five = new Roster(two.communicator(), 0, two.token(), two.peers(), 5);
      two = new Roster(two.communicator(), 0, two.token(), two.peers(), 2);
      List<Transport> ranks =
          List.of(cluster.endpoint(0).join(two, 0), cluster.endpoint(1).join(five, 1));
      Traffic.run(ranks, 1, 5, 300_000);
      assertEquals(2, cluster.endpoint(1).statistics().openConnections());
      ranks.forEach(Transport::release);
    }
  }

  @Test
  void eachCommunicatorHasAsManyAsItSays() throws Exception {
    try (Cluster cluster = new Cluster(2, Cluster.options().build())) {
      for (int connections : new int[] {3, 1, 4}) {
        cluster.connections(connections);
        List<Transport> ranks = cluster.communicator(0, 1);
        Traffic.run(ranks, connections, 5, 300_000);
        ranks.forEach(Transport::release);
        Cluster.await(cluster.endpoint(1), s -> s.idleAccepted() == s.openConnections());
      }
      assertEquals(4, cluster.endpoint(0).statistics().dialed());
      assertEquals(4, cluster.endpoint(0).statistics().reused());
    }
  }

  @Test
  void rangeOfTheirNumber() throws Exception {
    try (Cluster cluster = new Cluster(1, Cluster.options().build())) {
      cluster.connections(0);
      assertThrows(IllegalArgumentException.class, () -> cluster.roster(0));
      cluster.connections(65);
      assertThrows(IllegalArgumentException.class, () -> cluster.roster(0));
    }
  }

  @Test
  void throughMemoryOneIsEnough() throws Exception {
    try (Cluster cluster = new Cluster(2, Medium.MEMORY.options().build())) {
      cluster.connections(4);
      List<Transport> ranks = cluster.communicator(0, 1);
      Traffic.run(ranks, 1, 5, 300_000);
      assertEquals(1, cluster.endpoint(0).statistics().dialed());
      ranks.forEach(Transport::release);
    }
  }
}
