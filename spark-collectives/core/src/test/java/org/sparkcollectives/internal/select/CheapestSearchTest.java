package org.sparkcollectives.internal.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Request;

/** What is chosen where prices are simulated, beside the exact prices of all algorithms. */
final class CheapestSearchTest {
  private static final CostModel FAST = CostModel.DEFAULT;
  private static final CostModel SLOW = FAST.withNetwork(new LevelCost(60_000, 40, 10_000));

  private static final List<List<Integer>> SMALL =
      List.of(
          List.of(1, 2),
          List.of(3, 1),
          List.of(2, 1, 1),
          List.of(6, 2),
          List.of(3, 3, 3),
          List.of(1, 5, 2),
          List.of(4, 4),
          List.of(2, 2, 2, 2));

  private static double overBest(CostModel model, Request request) {
    Explanation explanation = new Selector(model).explain(request, null);
    return explanation.choice().nanos() / explanation.candidates().get(0).nanos();
  }

  /** Here ranks overlap so many of their rounds that the sum of these is no lower bound. */
  @ParameterizedTest
  @EnumSource(Collective.class)
  void fewRanksChooseAboutTheCheapest(Collective collective) {
    NavigableMap<Double, Request> off = new TreeMap<>();
    for (List<Integer> lengths : SMALL) {
      List<Integer> hosts = new ArrayList<>();
      for (int host = 0; host < lengths.size(); host++) {
        for (int i = 0; i < lengths.get(host); i++) {
          hosts.add(host);
        }
      }
      for (int root : collective.rooted() ? List.of(0, hosts.size() - 1) : List.of(0)) {
        for (int bytes : new int[] {8, 1 << 16, 1 << 20}) {
          Request request =
              new Request(
                  collective,
                  hosts.size(),
                  root,
                  false,
                  bytes / 8,
                  bytes,
                  null,
                  Topology.ofHosts(hosts));
          for (CostModel model : List.of(FAST, SLOW)) {
            off.put(overBest(model, request), request);
          }
        }
      }
    }
    off.headMap(1.2).clear();
    assertTrue(off.isEmpty(), () -> "chosen / cheapest: " + off);
  }

  /** What decides which algorithms are not looked at any further. */
  @Test
  void hardlyAnyAlgorithmTakesLessThanItsBound() {
    for (Collective collective : Collective.values()) {
      for (List<Integer> lengths : SMALL) {
        int[] hosts =
            IntStream.range(0, lengths.size())
                .flatMap(host -> IntStream.generate(() -> host).limit(lengths.get(host)))
                .toArray();
        Topology topology = Topology.ofHosts(IntStream.of(hosts).boxed().toList());
        for (long bytes : new long[] {8, 1 << 16}) {
          Request request = Request.of(collective, hosts.length, bytes, false, topology);
          Pricer pricer = new Pricer(FAST, request);
          for (Algorithm algorithm : Algorithms.of(collective)) {
            if (pricer.refusal(algorithm) == null && pricer.misfit(algorithm) == null) {
              double bound = pricer.leastIfNear(algorithm);
              double price = pricer.price(algorithm).nanos();
              assertTrue(bound <= 1.03 * price, () -> request + ": " + algorithm);
            }
          }
        }
      }
    }
  }

  /** The cheapest by rough prices is not by closer ones, and others have not been looked at yet. */
  @ParameterizedTest
  @CsvSource({
    "ALLGATHER, 7, 4, 3, 524288, true, 40, false, 0",
    "REDUCE, 10, 4, 2, 4194304, true, 40, true, 23",
    "REDUCE, 7, 4, 3, 65536, false, 13.3, true, 9",
    "SCAN, 9, 4, 3, 8388608, false, 20, true, 0",
    "SCAN, 6, 4, 1, 1048576, false, 0, false, 0",
    "SCAN, 12, 4, 1, 65536, true, 0, false, 0"
  })
  void whatWasLeftOutForRoughPricesIsLookedAt(
      Collective collective,
      int hosts,
      int perHost,
      int racks,
      int bytes,
      boolean fullDuplex,
      double uplink,
      boolean ordered,
      int root) {
    List<Integer> hostOf = new ArrayList<>();
    List<Integer> rackOf = new ArrayList<>();
    for (int rank = 0; rank < hosts * perHost; rank++) {
      int host = racks > 1 && collective != Collective.SCAN ? rank % hosts : rank / perHost;
      hostOf.add(host);
      rackOf.add(host % racks);
    }
    List<Integer> processes = IntStream.range(0, hostOf.size()).boxed().toList();
    Topology topology = Topology.of(hostOf, processes, rackOf);
    CostModel model = SLOW.withFullDuplex(fullDuplex);
    Request request =
        new Request(collective, hostOf.size(), root, ordered, bytes / 8, bytes, null, topology);
    double ratio = overBest(racks > 1 ? model.withUplink(uplink) : model, request);
    assertTrue(ratio <= 1.1, () -> request + ": " + ratio);
  }

  /** By what lies between sizes of blocks that are powers of 4 another one seemed cheaper. */
  @ParameterizedTest
  @CsvSource({"8, 4, 262144", "3, 4, 262144", "6, 4, 262144"})
  void allreducesThatDoNotPipelineAreComparedAtTheirSize(int hosts, int perHost, int bytes) {
    List<Integer> hostOf =
        IntStream.range(0, hosts * perHost).map(rank -> rank / perHost).boxed().toList();
    Request request =
        Request.of(Collective.ALLREDUCE, hostOf.size(), bytes, false, Topology.ofHosts(hostOf));
    double ratio = overBest(FAST, request);
    assertTrue(ratio <= 1.001, () -> request + ": " + ratio);
  }

  @Test
  void cardsOfSchedulesOfManyPiecesAreNotCounted() {
    for (int size : new int[] {64, 8192}) {
      Topology topology =
          Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / 8).boxed().toList());
      Request request = Request.of(Collective.REDUCE_SCATTER, size, 8 << 20, false, topology);
      Algorithm halving = Algorithms.find(Collective.REDUCE_SCATTER, "recursive-halving");
      Pricer pricer = new Pricer(FAST, request);
      boolean counted = pricer.candidate(pricer.unplacedPrice(halving)).card() != null;
      assertEquals(size == 64, counted, request::toString);
    }
  }
}
