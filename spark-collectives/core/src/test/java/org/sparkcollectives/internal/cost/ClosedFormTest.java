package org.sparkcollectives.internal.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.cost.Provenance;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Topology;

class ClosedFormTest {
  private static final LevelCost NETWORK = new LevelCost(100, 2);
  private static final CostModel MODEL =
      new CostModel(
          new LevelCost(1, 0.25),
          new LevelCost(10, 0.5),
          NETWORK,
          0.125,
          true,
          1,
          new Provenance("test", "", ""));
  private static final int HEADER = CostModel.HEADER_BYTES;

  private static double price(CostModel model, Topology topology, int ranksPerCard, Phase... all) {
    List<Phase> phases = List.of(all);
    return new ClosedForm(model, topology, 4).nanos(phases, phases, 8, ranksPerCard);
  }

  @Test
  void roundsCostStartUpBytesAndCombining() {
    assertEquals(
        3 * (100 + 2 * (16 + HEADER) + 0.125 * 24) + 100 + 2 * (8 + HEADER),
        price(MODEL, Topology.FLAT, 1, new Phase(3, 2, 3), new Phase(1, 1)));
  }

  @Test
  void roundsWithinHostsCostWhatTheFarthestTwoRanksOfAHostPay() {
    Phase local = new Phase(1, 1, 0, true, true);
    Topology processes = Topology.of(List.of(0, 0, 1, 1), List.of(0, 0, 1, 1));
    assertEquals(1 + 0.25 * (8 + HEADER), price(MODEL, processes, 1, local));
    Topology hosts = Topology.ofHosts(List.of(0, 0, 1, 1));
    assertEquals(10 + 0.5 * (8 + HEADER), price(MODEL, hosts, 1, local));
    Topology one = Topology.ofHosts(List.of(0, 0, 0, 0));
    assertEquals(10 + 0.5 * (8 + HEADER), price(MODEL, one, 4, new Phase(1, 1)));
  }

  @Test
  void otherCostsWithinHostsChangeNothingBetweenThem() {
    LevelCost memory = new LevelCost(4, 0.125);
    CostModel sharing = MODEL.withHost(memory);
    Topology one = Topology.ofHosts(List.of(0, 0, 0, 0));
    assertEquals(memory, new ClosedForm(sharing, one, 4).farthest());
    assertEquals(NETWORK, new ClosedForm(sharing, Topology.FLAT, 4).farthest());
    assertEquals(MODEL, sharing.withHost(MODEL.host()));
  }

  @Test
  void ranksThatShareACardHaveAPartOfItsBandwidth() {
    Topology hosts = Topology.ofHosts(List.of(0, 0, 1, 1));
    assertEquals(100 + 2 * 2 * (8 + HEADER), price(MODEL, hosts, 2, new Phase(1, 1)));
  }

  @Test
  void contentionAddsToWhatBytesCostBetweenHostsOnly() {
    List<Phase> phases = List.of(new Phase(1, 1), new Phase(1, 1, 0, true, true));
    Topology hosts = Topology.ofHosts(List.of(0, 0, 1, 1));
    assertEquals(
        100 + 1.25 * 2 * (8 + HEADER) + 10 + 0.5 * (8 + HEADER),
        new ClosedForm(MODEL, hosts, 4).nanos(phases, phases, 8, 1.25));
  }

  @Test
  void roundsBothWaysTakeTwiceAsLongWhereTheNetworkIsNotFullDuplex() {
    CostModel half = MODEL.withFullDuplex(false);
    double once = 100 + 2 * (8 + HEADER);
    assertEquals(2 * once, price(half, Topology.FLAT, 1, new Phase(1, 1)));
    assertEquals(once, price(half, Topology.FLAT, 1, new Phase(1, 1, 0, false, false)));
    assertEquals(once, price(MODEL, Topology.FLAT, 1, new Phase(1, 1)));
  }

  @Test
  void aStreamPaysTheLatencyOncePerRoundOfItsPath() {
    CostModel streaming = MODEL.withNetwork(new LevelCost(100, 2, 10));
    assertEquals(
        20 * Math.hypot(10, 2 * (8 + HEADER))
            + 3 * (100 + 2 * (8 + HEADER) - Math.hypot(10, 2 * (8 + HEADER))),
        new ClosedForm(streaming, Topology.FLAT, 4)
            .nanos(List.of(new Phase(20, 1)), List.of(new Phase(3, 1)), 8, 1));
  }
}
