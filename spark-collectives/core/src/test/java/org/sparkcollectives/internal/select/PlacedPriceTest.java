package org.sparkcollectives.internal.select;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.cost.Simulation;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;

/** Prices and choices where several ranks share a host's network card. */
final class PlacedPriceTest {
  private static final CostModel MODEL = CostModel.DEFAULT;

  /** The simulator knows no contention. */
  private static final CostModel UNCONTENDED =
      new CostModel(
          MODEL.process(),
          MODEL.host(),
          MODEL.network(),
          MODEL.gammaNanosPerByte(),
          true,
          1,
          MODEL.provenance());

  private static Topology consecutive(int size) {
    return Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / 4).boxed().toList());
  }

  private static Topology interleaved(int size) {
    int hosts = (size + 3) / 4;
    return Topology.ofHosts(IntStream.range(0, size).map(rank -> rank % hosts).boxed().toList());
  }

  /** Hosts of 1, 5, 2, 1, 5, 2 … ranks. */
  private static Topology uneven(int size) {
    List<Integer> hosts = new ArrayList<>();
    for (int host = 0; hosts.size() < size; host++) {
      for (int i = 0; i < List.of(1, 5, 2).get(host % 3) && hosts.size() < size; i++) {
        hosts.add(host);
      }
    }
    return Topology.ofHosts(hosts);
  }

  private static Simulation simulated(Request request, Choice choice) {
    return simulated(UNCONTENDED, request, choice);
  }

  private static Simulation simulated(CostModel model, Request request, Choice choice) {
    Problem problem = choice.problem();
    double bytes = (double) request.bytes() / problem.blocks();
    if (problem.collective() == Collective.BARRIER) {
      bytes = 0;
    }
    return Simulator.run(
        model, problem, rank -> choice.algorithm().executed(problem, rank), bytes, null);
  }

  private static double busiestCard(Simulation simulation) {
    return Stream.of(simulation.sentBytes(), simulation.receivedBytes())
        .flatMapToDouble(Arrays::stream)
        .max()
        .orElse(0);
  }

  /** Every algorithm, with the number of blocks that suits it. */
  @ParameterizedTest
  @EnumSource(Collective.class)
  void pricesFollowTheSimulator(Collective collective) {
    Map<Double, String> off = new TreeMap<>();
    for (int size : new int[] {8, 13, 24}) {
      for (Topology topology : List.of(consecutive(size), interleaved(size), uneven(size))) {
        for (long bytes : new long[] {8, 1 << 15, 1 << 21}) {
          for (boolean ordered : collective.reducing() ? List.of(true, false) : List.of(false)) {
            compare(Request.of(collective, size, bytes, ordered, topology), off);
          }
        }
      }
    }
    for (Topology topology : List.of(consecutive(64), interleaved(64), uneven(64))) {
      for (long bytes : new long[] {8, 1 << 15, 1 << 18, 1 << 21}) {
        compare(Request.of(collective, 64, bytes, false, topology), off);
      }
    }
    assertTrue(off.isEmpty(), () -> "price / simulated: " + off);
  }

  private static void compare(Request request, Map<Double, String> off) {
    Pricer pricer = new Pricer(UNCONTENDED, request);
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      if (pricer.refusal(algorithm) == null && pricer.misfit(algorithm) == null) {
        compare(request, pricer.price(algorithm), off);
      }
    }
  }

  private static void compare(Request request, Choice choice, Map<Double, String> off) {
    double ratio = choice.nanos() / simulated(request, choice).nanos();
    if (Math.max(ratio, 1 / ratio) > 1.15) {
      int blocks = choice.problem().blocks();
      off.put(ratio, choice.algorithm() + " " + request + ", " + blocks + " blocks");
    }
  }

  /** Schedules of too many rounds to be simulated go on as shorter ones do. */
  @ParameterizedTest
  @CsvSource({"BROADCAST, two-tree", "BROADCAST, linear-pipeline", "SCAN, linear-pipeline"})
  void longPipelinesGoOnAsShorterOnesDo(Collective collective, String slug) {
    Map<Double, String> off = new TreeMap<>();
    Algorithm algorithm = Algorithms.find(collective, slug);
    for (Topology topology : List.of(consecutive(8), interleaved(8), uneven(8))) {
      Request request = Request.of(collective, 8, 1L << 30, false, topology);
      compare(request, new Pricer(UNCONTENDED, request).price(algorithm, 20_000), off);
    }
    assertTrue(off.isEmpty(), () -> "price / simulated: " + off);
  }

  /** 8 hosts of 4 ranks, 8 MiB: what is chosen, and the most bytes of a card in percent of m. */
  @ParameterizedTest
  @CsvSource({
    "ALLGATHER, multi-leader, 88", "REDUCE_SCATTER, multi-leader, 88", "SCAN, linear-pipeline, 101",
    "EXSCAN, linear-pipeline, 101", "ALLREDUCE, ring, 195", "BROADCAST, two-tree-of-hosts, 101",
    "REDUCE, two-tree-of-hosts, 101"
  })
  void longVectorsCrossEachCardOnce(Collective collective, String slug, int percent) {
    long bytes = 8 << 20;
    Request request = Request.of(collective, 32, bytes, false, consecutive(32));
    Choice choice = new Selector(MODEL).choose(request);
    assertEquals(slug, choice.algorithm().slug());
    assertTrue(busiestCard(simulated(request, choice)) <= percent * bytes / 100.0);
    if (collective != Collective.SCAN && collective != Collective.EXSCAN) {
      Request turns = Request.of(collective, 32, bytes, false, interleaved(32));
      Choice again = new Selector(MODEL).choose(turns);
      assertTrue(busiestCard(simulated(turns, again)) <= percent * bytes / 100.0);
      assertTrue(simulated(turns, again).nanos() <= 1.05 * simulated(request, choice).nanos());
    }
  }

  /** Three hosts of four ranks: all that is needed crosses a card, in fewer rounds than a ring. */
  @ParameterizedTest
  @ValueSource(longs = {1 << 17, 1 << 18})
  void severalLeadersOfAHostShareVectorsOfMiddleLength(long bytes) {
    for (Topology topology : List.of(consecutive(12), interleaved(12))) {
      Request request = Request.of(Collective.ALLREDUCE, 12, bytes, false, topology);
      Choice choice = new Selector(MODEL).choose(request);
      assertEquals("multi-leader", choice.algorithm().slug());
      assertTrue(busiestCard(simulated(request, choice)) <= 1.34 * bytes);
      for (String other : List.of("hierarchical", "ring", "rabenseifner")) {
        double nanos = new Selector(MODEL).priced(request, other).nanos();
        assertTrue(simulated(request, choice).nanos() < 0.8 * nanos, () -> other + ": " + nanos);
      }
    }
  }

  /** Hosts of nearly as many ranks, and of twice as many; and longer vectors go around a ring. */
  @Test
  void severalLeadersAreChosenWhereNothingElseIsFaster() {
    for (List<Integer> lengths : List.of(List.of(4, 4, 3), List.of(5, 4), List.of(8, 4, 8, 4))) {
      List<Integer> hosts = new ArrayList<>();
      for (int host = 0; host < lengths.size(); host++) {
        hosts.addAll(Collections.nCopies(lengths.get(host), host));
      }
      Topology topology = Topology.ofHosts(hosts);
      for (long bytes : new long[] {1 << 16, 1 << 18, 1 << 22}) {
        Request request = Request.of(Collective.ALLREDUCE, hosts.size(), bytes, false, topology);
        boolean best = simulatedOverBest(UNCONTENDED, request, "multi-leader") <= 1;
        String chosen = new Selector(UNCONTENDED).choose(request).algorithm().slug();
        assertEquals(best, bytes < 1 << 22, request::toString);
        assertEquals(best, chosen.equals("multi-leader"), () -> request + ": " + chosen);
      }
    }
  }

  /** It is chosen by fewer blocks than the explanation's prices are of, so it may be just above. */
  @Test
  void theChoiceIsTheCheapestOfTheExplanation() {
    for (Collective collective : Collective.values()) {
      for (long bytes : new long[] {8, 1 << 18}) {
        Request request = Request.of(collective, 13, bytes, false, uneven(13));
        Choice choice = new Selector(MODEL).priced(request, null);
        double least = new Selector(MODEL).candidates(request).get(0).nanos();
        assertTrue(choice.nanos() <= 1.1 * least, () -> request + ": " + choice + " / " + least);
        assertTrue(choice.nanos() >= least, () -> request + ": " + choice);
      }
    }
  }

  /** What is chosen against the best of all candidates, by the simulator. */
  @ParameterizedTest
  @EnumSource(Collective.class)
  void hardlyAnyCandidateWouldBeFaster(Collective collective) {
    double logs = 0;
    int count = 0;
    Map<Double, String> slow = new TreeMap<>();
    for (int size : new int[] {8, 13, 32, 48}) {
      for (Topology topology : List.of(consecutive(size), interleaved(size), uneven(size))) {
        for (long bytes : new long[] {8, 1 << 15, 1 << 18, 1 << 22}) {
          Request request = Request.of(collective, size, bytes, false, topology);
          double ratio = simulatedOverBest(UNCONTENDED, request, null);
          logs += Math.log(ratio);
          count++;
          if (ratio > 1.7) {
            slow.put(ratio, request.toString());
          }
        }
      }
    }
    double mean = Math.exp(logs / count);
    assertTrue(mean <= 1.03, () -> "chosen / best, geometric mean: " + mean);
    assertTrue(slow.isEmpty(), () -> "chosen / best: " + slow);
  }

  /** Pipelines among few ranks of slow hosts, where prices of much fewer blocks are too low. */
  @ParameterizedTest
  @CsvSource({
    "54, 10, 8, 2, BROADCAST, 32768",
    "54, 10, 8, 2, REDUCE, 32768",
    "54, 10, 5, 3, BROADCAST, 32768",
    "54, 10, 13, 3, REDUCE, 262144",
    "224, 64, 3, 4, SCAN, 1048576",
    "224, 64, 3, 4, SCAN, 32768",
    "224, 64, 4, 3, SCAN, 32768",
    "224, 64, 13, 3, REDUCE, 262144"
  })
  void hardlyAnyCandidateWouldBeFasterWhereHostsAreSlow(
      double near, double far, int hosts, int perHost, Collective collective, long bytes) {
    CostModel model =
        CostModel.uniform(new LevelCost(near * 1e3, 1, 0.8 * near * 1e3), 0.05)
            .withNetwork(new LevelCost(far * 1e3, 42.6, 0.9 * far * 1e3));
    int size = hosts * perHost;
    Topology topology =
        Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / perHost).boxed().toList());
    Request request = Request.of(collective, size, bytes, false, topology);
    double ratio = simulatedOverBest(model, request, null);
    assertTrue(ratio <= 1.1, () -> "chosen / best: " + ratio);
  }

  /** A pipeline among all ranks costs a little less, and sends eight times as many messages. */
  @ParameterizedTest
  @CsvSource({"BROADCAST, 1048576", "REDUCE, 1048576", "BROADCAST, 8388608", "REDUCE, 8388608"})
  void ofNearlyEqualPipelinesTheOneOfFewerRoundsIsChosen(Collective collective, long bytes) {
    CostModel model =
        CostModel.uniform(new LevelCost(58_000, 0.4, 52_000), 0.05)
            .withNetwork(new LevelCost(19_000, 42.7, 17_000));
    Topology topology = Topology.ofHosts(List.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3));
    Request request = Request.of(collective, 12, bytes, false, topology);
    Explanation explanation = new Selector(model).explain(request, null);
    assertEquals("hierarchical", explanation.choice().algorithm());
    Candidate least = explanation.candidates().get(0);
    assertTrue(explanation.choice().nanos() > least.nanos(), explanation::text);
    assertTrue(5 * explanation.choice().rounds() < least.rounds(), explanation::text);
    assertTrue(explanation.reason().startsWith("none is more than 3 % cheaper"), explanation::text);
  }

  private static double simulatedOverBest(CostModel model, Request request, @Nullable String slug) {
    Choice choice = new Selector(model).choose(request, slug);
    double chosen = simulated(model, request, choice).nanos();
    double best = chosen;
    Pricer pricer = new Pricer(model, request);
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      if (pricer.refusal(algorithm) == null && pricer.misfit(algorithm) == null) {
        Choice other = pricer.unplacedPrice(algorithm);
        best = Math.min(best, simulated(model, request, other).nanos());
      }
    }
    return chosen / Math.max(best, Double.MIN_NORMAL);
  }

  /** Few hosts that stand for an odd number of ranks may have an even one. */
  @ParameterizedTest
  @CsvSource({"27, 3", "35, 5", "69, 3", "105, 7"})
  void allToAllsOfOddNumbersOfRanksArePricedOnHostsThatTheyShare(int size, int perHost) {
    Topology topology =
        Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / perHost).boxed().toList());
    for (long bytes : new long[] {8L * size, 1L << 20, 256L << 20}) {
      Request request = Request.of(Collective.ALLTOALL, size, bytes, false, topology);
      Selector selector = new Selector(MODEL);
      assertTrue(selector.choose(request).nanos() > 0);
      assertTrue(
          selector.explain(request, null).candidates().stream()
              .anyMatch(each -> each.algorithm().equals("clear-to-send") && each.nanos() > 0));
    }
  }

  @Test
  void aNamedAlgorithmIsNotSimulatedUntilItsPriceIsAsked() {
    Request request = Request.of(Collective.BROADCAST, 12, 1 << 20, false, consecutive(12));
    Selector selector = new Selector(MODEL);
    Choice named = selector.choose(request, "two-tree");
    Choice priced = selector.priced(request, "two-tree");
    assertEquals(named.problem(), priced.problem());
    assertEquals(
        new Pricer(MODEL, request).price(named.algorithm(), named.problem().blocks()), priced);
  }

  @Test
  void samplesOfPowersOfTwoArePowersOfTwo() {
    for (int size : new int[] {32, 64, 128, 1024}) {
      Sample rough = Sample.rough(uneven(size), size, 7);
      assertEquals(1, Integer.bitCount(rough.size()), "" + rough.size());
      assertEquals(5, rough.topology().mostRanksPerHost());
      assertEquals(1, Integer.bitCount(Sample.of(uneven(size), size, 7).size()));
    }
    for (Algorithm algorithm : Algorithms.of(Collective.BROADCAST)) {
      Request request = Request.of(Collective.BROADCAST, 128, 1 << 20, false, uneven(128));
      if (new Pricer(MODEL, request).misfit(algorithm) == null) {
        assertTrue(new Selector(MODEL).priced(request, algorithm.slug()).nanos() > 0);
      }
    }
  }

  @Test
  void treesOfManyRanksAreKnownToCrowdCards() {
    Topology eight = Topology.ofHosts(IntStream.range(0, 1024).map(r -> r / 8).boxed().toList());
    for (Collective collective : List.of(Collective.REDUCE, Collective.EXSCAN)) {
      for (long bytes : new long[] {1 << 20, 1 << 25}) {
        Request request = Request.of(collective, 1024, bytes, false, eight);
        Choice chosen = new Selector(MODEL).priced(request, null);
        double simulated = simulated(request, chosen).nanos();
        assertTrue(simulated < 1.35 * chosen.nanos(), () -> chosen + ": " + simulated);
      }
    }
    Request request = Request.of(Collective.REDUCE, 1024, 1 << 25, false, eight);
    Choice tree = new Selector(MODEL).priced(request, "pipelined-binary-tree");
    assertEquals(1, simulated(request, tree).nanos() / tree.nanos(), 0.1, "six vectors on a card");
  }

  @Test
  void powersOfTwoAreRepresentedOnFewHostsOfManyRanks() {
    for (int size : new int[] {128, 256, 1024}) {
      for (int hosts : new int[] {2, 3, 5}) {
        Topology topology =
            Topology.ofHosts(IntStream.range(0, size).map(r -> r * hosts / size).boxed().toList());
        for (int root : new int[] {0, size / 2, size - 1}) {
          Sample sample = Sample.of(topology, size, root);
          assertEquals(1, Integer.bitCount(sample.size()), () -> "" + sample.size());
          assertTrue(sample.size() <= 2 * Sample.MOST_RANKS, () -> "" + sample.size());
          assertEquals(1, Integer.bitCount(Sample.rough(topology, size, root).size()));
        }
        Request request = Request.of(Collective.ALLREDUCE, size, 1 << 20, false, topology);
        assertDoesNotThrow(() -> new Selector(MODEL).choose(request));
      }
    }
  }

  @Test
  void manyRanksAreRepresentedByAFewWholeHosts() {
    for (Topology topology : List.of(consecutive(1000), interleaved(1000), uneven(1000))) {
      Sample sample = Sample.of(topology, 1000, 501);
      assertTrue(sample.size() <= Sample.MOST_RANKS, () -> "" + sample.size());
      assertTrue(sample.topology().hosts(sample.size()) >= 4);
      assertEquals(topology.isConsecutive(), sample.topology().isConsecutive());
      assertTrue(sample.root() >= 0 && sample.root() < sample.size());
    }
    Sample wide =
        Sample.of(
            Topology.ofHosts(IntStream.range(0, 4096).map(r -> r / 512).boxed().toList()), 4096, 9);
    assertTrue(wide.size() <= 2 * Sample.MOST_RANKS + 1, () -> "" + wide.size());
  }

  @Test
  void aThousandRanksOnHostsOfFourAreChosenFor() {
    Request request = Request.of(Collective.ALLGATHER, 1000, 1L << 30, false, consecutive(1000));
    assertEquals("multi-leader", new Selector(MODEL).choose(request).algorithm().slug());
  }

  /** Of few hosts' rounds more stay within them than of many hosts'. */
  @ParameterizedTest
  @CsvSource({
    "ALLTOALL, pairwise, 256, 8388608",
    "ALLTOALL, bruck, 256, 65536",
    "ALLGATHER, pipelined-ring, 256, 8192",
    "REDUCE_SCATTER, pairwise, 256, 8192",
    "SCAN, simultaneous-binomial, 256, 8",
    "SCAN, simultaneous-binomial, 300, 8",
    "ALLREDUCE, recursive-doubling, 256, 32768",
    "ALLREDUCE, recursive-doubling, 300, 8"
  })
  void whatManyHostsAddIsPriced(Collective collective, String slug, int size, long bytes) {
    near(collective, slug, size, 8, bytes);
  }

  /** One block waits for no other, so that what a pipeline of few takes were too little. */
  @Test
  void whatManyHostsAddToAShortPipelineIsOfTwoBlocks() {
    List<Integer> hosts = IntStream.range(0, 1024).map(rank -> rank / 8).boxed().toList();
    Request request = Request.of(Collective.BROADCAST, 1024, 32768, false, Topology.ofHosts(hosts));
    Policy policy = new Policy(UNCONTENDED, Map.of(), false);
    assertEquals("hierarchical", new Selector(policy).choose(request).algorithm().slug());
  }

  /** Here twice as many hosts as a few are all there are, and a sample of two is all of them. */
  @ParameterizedTest
  @CsvSource({
    "ALLTOALL, pairwise, 100, 25",
    "ALLREDUCE, ring, 100, 25",
    "ALLTOALL, pairwise, 100, 50"
  })
  void fewFullHostsArePriced(Collective collective, String slug, int size, int perHost) {
    near(collective, slug, size, perHost, 65536);
  }

  private static void near(Collective collective, String slug, int size, int perHost, long bytes) {
    Topology topology =
        Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / perHost).boxed().toList());
    Request request = Request.of(collective, size, bytes, false, topology);
    Algorithm algorithm = Algorithms.find(collective, slug);
    Choice choice = new Pricer(UNCONTENDED, request).price(algorithm);
    assertEquals(1, choice.nanos() / simulated(request, choice).nanos(), 0.15, choice.toString());
  }

  /** Ranks are counted one of each host in turn among the few full hosts that stand for all. */
  @ParameterizedTest
  @CsvSource({
    "ALLGATHER, 100, 8", "ALLREDUCE, 100, 8", "REDUCE_SCATTER, 100, 8",
    "ALLGATHER, 100, 16", "ALLREDUCE, 100, 16", "REDUCE_SCATTER, 100, 16",
    "ALLGATHER, 200, 16", "ALLREDUCE, 90, 8", "REDUCE_SCATTER, 130, 4"
  })
  void whereAHostIsNotFullLongWaysLeaveHosts(Collective collective, int size, int perHost) {
    Topology topology =
        Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / perHost).boxed().toList());
    Request request = Request.of(collective, size, 1 << 21, false, topology);
    Choice choice = new Selector(UNCONTENDED).choose(request);
    Choice ring = new Pricer(UNCONTENDED, request).price(Algorithms.find(collective, "ring"));
    double ratio = simulated(request, choice).nanos() / simulated(request, ring).nanos();
    assertTrue(ratio <= 1.15, () -> choice + " takes " + ratio + " times as long as a ring");
  }

  /** The same few hosts of eight ranks stand for many in both. */
  @Test
  void closerPricesUseWhatRoughOnesHaveSimulated() {
    List<Integer> hosts = IntStream.range(0, 1000).map(rank -> rank / 8).boxed().toList();
    Request request =
        Request.of(Collective.ALLGATHER, 1000, 1 << 20, false, Topology.ofHosts(hosts));
    AtomicInteger schedules = new AtomicInteger();
    Algorithm ring = counted(Algorithms.find(Collective.ALLGATHER, "ring"), schedules);
    Pricer pricer = new Pricer(MODEL, request);
    pricer.roughPrice(ring);
    int rough = schedules.get();
    assertTrue(rough > 0);
    pricer.closerPrice(ring);
    assertEquals(rough, schedules.get());
  }

  /** An algorithm, the same as no other, that counts the schedules made to be simulated. */
  private static Algorithm counted(Algorithm algorithm, AtomicInteger schedules) {
    InvocationHandler handler =
        (self, method, arguments) -> {
          if (method.getName().equals("equals")) {
            return self == arguments[0];
          }
          schedules.addAndGet(method.getName().equals("executed") ? 1 : 0);
          return method.invoke(algorithm, arguments);
        };
    return (Algorithm)
        Proxy.newProxyInstance(
            Algorithm.class.getClassLoader(), new Class<?>[] {Algorithm.class}, handler);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN", "BARRIER", "ALLREDUCE"})
  void whatIsShortIsChosenByTheRoundsBetweenManyHosts(Collective collective) {
    List<Integer> hosts = IntStream.range(0, 1024).map(rank -> rank / 8).boxed().toList();
    Request request = Request.of(collective, 1024, 8, false, Topology.ofHosts(hosts));
    Pricer pricer = new Pricer(UNCONTENDED, request);
    double least =
        Algorithms.of(collective).stream()
            .filter(algorithm -> pricer.refusal(algorithm) == null)
            .map(pricer::price)
            .filter(choice -> choice.algorithm().rounds(choice.problem()) < 64)
            .mapToDouble(choice -> simulated(request, choice).nanos())
            .min()
            .orElseThrow();
    Choice chosen = new Selector(UNCONTENDED).choose(request);
    assertTrue(simulated(request, chosen).nanos() <= 1.05 * least, chosen.toString());
  }
}
