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
    Topology runs = new Placement(4, 3, false).topology();
    Topology inTurn = new Placement(4, 3, true).topology();
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
    return Operations.boundMicros(Request.of(collective, size, 8 << 20, false, topology), RATE);
  }

  @Test
  void readsRates() {
    assertEquals(2.5e9, Rates.bitsPerSecond("2.5Gbit"));
    assertEquals(5e5, Rates.bitsPerSecond("500kbit"));
    for (String bad : List.of("200", "mbit", "-1mbit", "1mbyte")) {
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
      List<Answer> answers =
          Group.threads(
              size,
              CommunicatorOptions.DEFAULT,
              c -> {
                int length = Operations.ownLength(order, c.rank(), size);
                return Ranks.time(c, order, Ranks.values(c.rank(), length));
              });
      long results = answers.stream().map(Answer::digest).distinct().count();
      boolean same = Operations.sameEverywhere(collective) || collective == Collective.BARRIER;
      assertEquals(same, results == 1, collective.slug());
    }
  }
}
