package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

class OperationsTest {
  private static final double RATE = Rates.bitsPerSecond("200mbit");

  @Test
  void boundsAreThoseOfTheBusiestCard() {
    double whole = (8 << 20) / (25 * 1448.0 / 1514);
    assertEquals(whole, bound(Collective.BROADCAST, 8, Topology.FLAT), 1e-6);
    assertEquals(whole, bound(Collective.SCAN, 8, Topology.FLAT), 1e-6);
    assertEquals(whole * 7 / 4, bound(Collective.ALLREDUCE, 8, Topology.FLAT), 1e-6);
    assertEquals(whole * 7 / 8, bound(Collective.ALLGATHER, 8, Topology.FLAT), 1e-6);
    assertEquals(whole * 7 / 8, bound(Collective.ALLTOALL, 8, Topology.FLAT), 1e-6);
    assertEquals(whole * 7 / 8, bound(Collective.GATHER, 8, Topology.FLAT), 1e-6);
    assertEquals(0, bound(Collective.REDUCE, 1, Topology.FLAT));
  }

  @Test
  void boundsOfRanksThatShareCardsAreTheirHosts() {
    double whole = (8 << 20) / (25 * 1448.0 / 1514);
    Topology runs = new Placement(4, 3, false).topology(Racks.one(4));
    Topology inTurn = new Placement(4, 3, true).topology(Racks.one(4));
    assertEquals(List.of(0, 0, 0, 1), hosts(runs));
    assertEquals(List.of(0, 1, 2, 3), hosts(inTurn));
    for (Topology topology : List.of(runs, inTurn)) {
      assertEquals(whole, bound(Collective.REDUCE, 12, topology), 1e-6);
      assertEquals(whole * 3 / 2, bound(Collective.ALLREDUCE, 12, topology), 1e-6);
      assertEquals(whole * 3 / 4, bound(Collective.REDUCE_SCATTER, 12, topology), 1e-6);
      assertEquals(whole * 3 * 3 / 4, bound(Collective.ALLTOALL, 12, topology), 1e-3);
    }
    assertEquals(whole, bound(Collective.SCAN, 12, runs), 1e-6);
    assertEquals(whole * 3, bound(Collective.SCAN, 12, inTurn), 1e-6);
  }

  private static List<Integer> hosts(Topology topology) {
    return IntStream.range(0, 4).map(topology::host).boxed().toList();
  }

  private static double bound(Collective collective, int size, Topology topology) {
    return bound(collective, size, topology, Racks.one(size));
  }

  private static double bound(Collective collective, int size, Topology topology, Racks racks) {
    Request request = Request.of(collective, size, 8 << 20, false, topology);
    return Operations.boundMicros(request, RATE, racks);
  }

  @Test
  void uplinksBoundWhatRacksSendEachOther() {
    double whole = (8 << 20) / (25 * 1448.0 / 1514);
    Placement placement = new Placement(8, 1, false);
    Racks inTurn = new Racks(8, 2, "200mbit", true);
    assertEquals(List.of(0, 1, 0, 1), IntStream.range(0, 4).mapToObj(inTurn::rack).toList());
    Topology topology = placement.topology(inTurn);
    assertTrue(topology.hasRacks());
    assertEquals(whole, bound(Collective.BROADCAST, 8, topology, inTurn), 1e-6);
    assertEquals(whole * 7 / 4, bound(Collective.ALLREDUCE, 8, topology, inTurn), 1e-6);
    assertEquals(whole * 4, bound(Collective.SCAN, 8, topology, inTurn), 1e-6);
    Racks slow = new Racks(8, 2, "50mbit", false);
    assertEquals(List.of(0, 0, 0, 0, 1), IntStream.range(0, 5).mapToObj(slow::rack).toList());
    topology = placement.topology(slow);
    assertEquals(4 * whole, bound(Collective.ALLREDUCE, 8, topology, slow), 1e-6);
    assertEquals(2 * whole, bound(Collective.ALLGATHER, 8, topology, slow), 1e-6);
    assertEquals(4 * whole, bound(Collective.SCAN, 8, topology, slow), 1e-6);
    assertEquals("-2-racks-50mbit", slow.label());
  }

  @Test
  void readsRates() {
    assertEquals(2.5e9, Rates.bitsPerSecond("2.5Gbit"));
    assertEquals(5e5, Rates.bitsPerSecond("500kbit"));
    assertEquals(1448 * 1e6, Rates.payloadPerSecond(8 * 1514 * 1e6), 1, "full frames");
    assertEquals(1e4, Rates.bitsPerSecond("10kbit"));
    assertEquals(1e11, Rates.bitsPerSecond("100gbit"));
    for (String bad : List.of("200", "mbit", "-1mbit", "1mbyte", "0mbit", "9.9kbit", "101gbit")) {
      assertThrows(IllegalArgumentException.class, () -> Rates.bitsPerSecond(bad), bad);
    }
  }

  @Test
  void namesWhatIsMeasured() {
    assertTrue(Operations.ofSlugs(List.of("all")).contains(Collective.SCAN));
    assertEquals(
        Set.of(Collective.values()), Set.copyOf(Operations.ofSlugs(List.of("all"))), "every one");
    assertEquals(List.of(Collective.BARRIER), Operations.ofSlugs(List.of("barrier")));
    IllegalArgumentException gossip =
        assertThrows(IllegalArgumentException.class, () -> Operations.ofSlugs(List.of("gossip")));
    assertTrue(String.valueOf(gossip.getMessage()).contains("gossip"), gossip.getMessage());
  }

  @Test
  void partsHaveTheLengthsOfTheOrder() {
    for (Collective collective : List.of(Collective.ALLGATHER, Collective.REDUCE_SCATTER)) {
      long bytes = Operations.bytes(collective, 4, 100);
      assertEquals(96, bytes, "four parts of three doubles");
      Order order = Order.run(collective, null, bytes, 1).withCounts(List.of(2, 1, 1));
      List<Integer> lengths =
          Group.threads(
              3,
              CommunicatorOptions.DEFAULT,
              c -> {
                int own = Operations.ownLength(order, c.rank(), 3);
                double[] target = new double[Operations.resultLength(order, c.rank(), 3)];
                double[] result = Operations.run(c, order, Ranks.values(c.rank(), own), target);
                return collective == Collective.ALLGATHER ? own : result.length;
              });
      assertEquals(List.of(6, 3, 3), lengths, collective.slug());
    }
  }

  @Test
  void theArraysOfAnOrderFitItsOperation() {
    int size = 3;
    for (Collective collective : Operations.ofSlugs(List.of("all"))) {
      long bytes = Operations.bytes(collective, size, 100);
      Order order = Order.run(collective, null, bytes, 2);
      List<HostAnswer> answers =
          Group.threads(
              size,
              CommunicatorOptions.DEFAULT,
              c -> {
                int length = Operations.ownLength(order, c.rank(), size);
                return Ranks.time(c, order, Ranks.values(c.rank(), length));
              });
      long results = answers.stream().map(HostAnswer::digest).distinct().count();
      boolean same = Operations.sameEverywhere(collective) || collective == Collective.BARRIER;
      assertEquals(same, results == 1, collective.slug());
    }
  }
}
