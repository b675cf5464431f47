package org.sparkcollectives.internal.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.cost.LowerBound;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/** Hosts in racks whose uplinks carry less than their cards. */
final class RacksTest {
  private static final CostModel MODEL = uncontended(CostModel.DEFAULT);

  /** The simulator knows no contention. */
  private static CostModel uncontended(CostModel model) {
    return new CostModel(
        model.process(),
        model.host(),
        model.network(),
        model.gammaNanosPerByte(),
        true,
        1,
        model.provenance());
  }

  private static CostModel uplink(double lanes) {
    return MODEL.withUplink(MODEL.network().betaNanosPerByte() / lanes);
  }

  /**
   * Those that stand for all are on hosts of as many ranks each, too, which some algorithms need.
   */
  @Test
  void hostsOfAsManyRanksStandForSuch() {
    for (int perHost : new int[] {2, 3, 4}) {
      for (int hosts : new int[] {16, 64, 100, 128}) {
        for (int racks : new int[] {2, 3, 7}) {
          Topology turns = racks(hosts * perHost, rank -> rank % hosts, host -> host % racks);
          Topology runs =
              racks(hosts * perHost, rank -> rank % hosts, host -> host * racks / hosts);
          for (Topology topology : List.of(turns, runs)) {
            for (Collective collective : List.of(Collective.REDUCE_SCATTER, Collective.ALLGATHER)) {
              Request request = Request.of(collective, topology.size(), 1 << 25, false, topology);
              Selector selector = new Selector(uplink(2));
              assertTrue(selector.choose(request).nanos() > 0);
            }
          }
        }
      }
    }
  }

  private static Topology racks(int size, IntUnaryOperator hostOf, IntUnaryOperator rackOf) {
    List<Integer> hosts = IntStream.range(0, size).map(hostOf).boxed().toList();
    return Topology.of(
        hosts,
        IntStream.range(0, size).boxed().toList(),
        hosts.stream().map(rackOf::applyAsInt).toList());
  }

  private static double simulated(CostModel model, Topology real, Choice choice, long bytes) {
    Problem problem = choice.problem();
    double block = (double) bytes / problem.blocks();
    return Simulator.run(
            model,
            problem.on(real),
            rank -> choice.algorithm().executed(problem, rank),
            block,
            null)
        .nanos();
  }

  /** How many messages of a schedule leave a rack, of its busiest rack. */
  private static int crossings(Algorithm algorithm, Problem problem, Topology real) {
    int[] crossings = new int[real.racks()];
    for (int rank = 0; rank < problem.size(); rank++) {
      int rack = real.rack(real.host(rank));
      for (Round round : algorithm.executed(problem, rank).rounds()) {
        boolean leaves = round.send() != null && real.rack(real.host(round.send().peer())) != rack;
        crossings[rack] += leaves ? 1 : 0;
      }
    }
    return IntStream.of(crossings).max().orElse(0);
  }

  /** Twelve hosts, dealt out to three racks in turn; one block, from one rack to the next once. */
  @ParameterizedTest
  @CsvSource({
    "BROADCAST, linear-pipeline, 1",
    "REDUCE, linear-pipeline, 1",
    "ALLGATHER, ring, 11",
    "ALLREDUCE, ring, 22",
    "BROADCAST, binomial, 2"
  })
  void chainsAndRingsLeaveARackAtOnePlace(Collective collective, String slug, int most) {
    Topology topology = racks(12, rank -> rank, host -> host % 3);
    Algorithm algorithm = Algorithms.find(collective, slug);
    int blocks = Math.max(1, algorithm.naturalBlocks(12));
    for (int root : collective.rooted() ? List.of(0, 7) : List.of(0)) {
      Problem problem = new Problem(collective, 12, root, blocks, false, topology);
      assertEquals(most, crossings(algorithm, problem, topology));
      assertTrue(crossings(algorithm, problem.on(Topology.FLAT), topology) >= 1.5 * most);
    }
  }

  /** Every algorithm, with the number of blocks that suits it. */
  @ParameterizedTest
  @EnumSource(Collective.class)
  void pricesFollowTheSimulator(Collective collective) {
    Map<Double, String> off = new TreeMap<>();
    for (int size : new int[] {8, 24}) {
      List<Topology> topologies =
          List.of(
              racks(size, rank -> rank, host -> host % 2),
              racks(size, rank -> rank, host -> host / 4),
              racks(size, rank -> rank / 2, host -> host % 3));
      for (Topology topology : topologies) {
        for (long bytes : new long[] {8, 1 << 15, 1 << 21}) {
          compare(Request.of(collective, size, bytes, false, topology), off);
        }
      }
    }
    assertTrue(off.isEmpty(), () -> "price / simulated: " + off);
  }

  private static void compare(Request request, Map<Double, String> off) {
    CostModel model = uplink(2);
    Pricer pricer = new Pricer(model, request);
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      if (pricer.refusal(algorithm) == null && pricer.misfit(algorithm) == null) {
        Choice choice = pricer.price(algorithm);
        long bytes = request.collective() == Collective.BARRIER ? 0 : request.bytes();
        double ratio = choice.nanos() / simulated(model, request.topology(), choice, bytes);
        if (Math.max(ratio, 1 / ratio) > 1.15) {
          off.put(ratio, choice.algorithm() + " " + request);
        }
      }
    }
  }

  /** 16 hosts in two racks, in turn, whose uplinks carry as much as two cards; 8 MiB. */
  @ParameterizedTest
  @EnumSource(
      value = Collective.class,
      names = {"BROADCAST", "REDUCE", "ALLREDUCE", "ALLGATHER", "REDUCE_SCATTER"})
  void longVectorsTakeAsLongAsIfThereWereNoRacks(Collective collective) {
    long bytes = 8 << 20;
    CostModel model = uplink(2);
    Topology topology = racks(16, rank -> rank, host -> host % 2);
    Request request = Request.of(collective, 16, bytes, false, topology);
    Choice choice = new Selector(model).choose(request);
    double nanos = simulated(model, topology, choice, bytes);
    double bound = LowerBound.nanos(model, request.problem(1), (double) bytes, List.of());
    assertTrue(nanos <= 1.27 * bound, () -> choice + ": " + nanos / bound); // γ is 0.12 β
    Request ignorant = Request.of(collective, 16, bytes, false, Topology.FLAT);
    Choice other = new Selector(model).choose(ignorant);
    double slower = simulated(model, topology, other, bytes);
    assertTrue(slower >= 1.1 * nanos, () -> other + ": " + slower / nanos);
  }

  /** A sample has several hosts of some racks, and about as small a part of each uplink. */
  @ParameterizedTest
  @CsvSource({"1000, 40", "1024, 32", "1000, 5", "1000, 2", "1024, 2"})
  void manyHostsAreRepresentedByAFewOfEachRack(int size, int perRack) {
    for (IntUnaryOperator rackOf :
        List.<IntUnaryOperator>of(host -> host / perRack, host -> host % (size / perRack))) {
      Topology topology = racks(size, rank -> rank, rackOf);
      Sample sample = Sample.of(topology, size, 7);
      int racks = sample.topology().racks();
      assertTrue(racks >= 4 && racks <= sample.size() / 2, () -> sample.topology().toString());
      assertTrue(sample.size() >= 25, () -> sample.topology().toString());
      double lanes = 10.0 * sample.topology().mostHostsPerRack(sample.size()) / perRack;
      assertEquals(
          MODEL.network().betaNanosPerByte() / Math.max(1, Math.rint(lanes)),
          sample.scaled(topology, uplink(10)).uplinkNanosPerByte(),
          1e-9);
    }
  }

  /** Of 12 racks of 8 hosts, of which samples have 7 each at most. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.6, 0.9, 1.02, 1.8})
  void aSampleHasNoMoreOfAnUplinkThanThereIs(double cards) {
    Topology topology = racks(96, rank -> rank, host -> host % 12);
    CostModel model = MODEL.withUplink(MODEL.network().betaNanosPerByte() / cards);
    double taken = Sample.of(topology, 96, 7).scaled(topology, model).uplinkCards();
    assertEquals(Math.min(cards, Math.max(1, Math.rint(cards * 7 / 8))), taken, 1e-9);
  }

  /** Where uplinks are not known, or carry all, racks change the order of ranks only. */
  @ParameterizedTest
  @EnumSource(Collective.class)
  void uplinksThatDoNotLimitCostNothing(Collective collective) {
    Topology topology = racks(300, rank -> rank, host -> host % 20);
    for (CostModel model : List.of(MODEL, uplink(15))) {
      for (long bytes : new long[] {8, 1 << 15, 1 << 23}) {
        Request racked = Request.of(collective, 300, bytes, false, topology);
        Request flat = Request.of(collective, 300, bytes, false, Topology.FLAT);
        Choice choice = new Selector(model).choose(racked);
        Choice same = new Selector(model).choose(flat);
        assertEquals(same.algorithm(), choice.algorithm());
        assertEquals(same.nanos(), choice.nanos(), 0, collective::toString);
      }
    }
  }

  /** One rack of many hosts, and many of one: a sample has hosts of the former. */
  @ParameterizedTest
  @CsvSource({"1000, 7", "1024, 900"})
  void racksOfOneHostAreNotAllOfASample(int size, int root) {
    Topology topology = racks(size, rank -> rank, host -> host < 200 ? 0 : host);
    Sample sample = Sample.of(topology, size, root);
    assertTrue(sample.topology().hasRacks(), () -> sample.topology().toString());
    assertTrue(sample.topology().mostHostsPerRack(sample.size()) > 1);
  }

  /** 32 hosts of four ranks in four racks, of which a sample has fewer. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE"})
  void twoTreesOfHostsLeaveARackAsSeldomAsASample(Collective collective) {
    CostModel model = uplink(2);
    Topology topology = racks(128, rank -> rank / 4, host -> host % 4);
    Request request = Request.of(collective, 128, 8 << 20, false, topology);
    Algorithm algorithm = Algorithms.find(collective, "two-tree-of-hosts");
    Choice choice = new Pricer(model, request).price(algorithm);
    double simulated = simulated(model, topology, choice, request.bytes());
    assertEquals(1, choice.nanos() / simulated, 0.15, choice::toString);
  }

  /** 150 hosts in six racks, each of whose uplinks carries five cards: a sample beside all. */
  @ParameterizedTest
  @EnumSource(
      value = Collective.class,
      names = {"BROADCAST", "ALLREDUCE", "ALLGATHER"})
  void samplesStandForAllHosts(Collective collective) {
    CostModel model = uplink(5);
    Topology topology = racks(150, rank -> rank, host -> host % 6);
    Request request = Request.of(collective, 150, 1 << 22, false, topology);
    Pricer pricer = new Pricer(model, request);
    for (Algorithm algorithm : Algorithms.of(collective)) {
      if (pricer.refusal(algorithm) == null && pricer.misfit(algorithm) == null) {
        Choice choice = pricer.price(algorithm);
        double ratio = choice.nanos() / simulated(model, topology, choice, request.bytes());
        boolean chain = List.of("ring", "linear-pipeline").contains(algorithm.slug());
        double most = chain && collective != Collective.ALLREDUCE ? 1.01 : 2;
        assertTrue(ratio < most && ratio > 0.9, () -> algorithm + ": " + ratio);
      }
    }
  }
}
