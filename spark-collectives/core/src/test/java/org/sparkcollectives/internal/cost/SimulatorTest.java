package org.sparkcollectives.internal.cost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;

class SimulatorTest {
  private static final double ALPHA = 1000;
  private static final double BETA = 0.5;
  private static final double GAMMA = 0.125;
  private static final double BLOCK = 4096;

  /** The papers' model: the header's time is a part of α. */
  private static final CostModel PAPERS =
      CostModel.uniform(new LevelCost(ALPHA - BETA * CostModel.HEADER_BYTES, BETA), GAMMA);

  private static Simulation run(CostModel model, Algorithm algorithm, Problem problem) {
    return Simulator.run(model, problem, rank -> algorithm.schedule(problem, rank), BLOCK, null);
  }

  private static double closed(CostModel model, Algorithm algorithm, Problem problem) {
    return new ClosedForm(model, problem.topology(), problem.size())
        .nanos(algorithm.phases(problem), algorithm.path(problem, true), BLOCK, 1);
  }

  /** Both the simulator and the closed form give what a paper says. */
  private static void assertTime(
      double expected, Collective collective, String slug, int size, int blocks) {
    Algorithm algorithm = Algorithms.find(collective, slug);
    boolean ordered = algorithm.traits().keepsOrder();
    Problem problem = new Problem(collective, size, 0, blocks, ordered);
    String what = algorithm + ", " + size + " ranks, " + blocks + " blocks";
    assertEquals(expected, run(PAPERS, algorithm, problem).nanos(), expected * 1e-9, what);
    assertEquals(expected, closed(PAPERS, algorithm, problem), expected * 1e-9, what);
  }

  /** The halves of all ranks are in two racks: in the last round each rank sends to the other. */
  @ParameterizedTest
  @CsvSource({
    "4, 4, true, 1",
    "4, 2, true, 1",
    "4, 1.5, true, 1.3333333",
    "4, 1.4, true, 1.4285714",
    "4, 1, true, 2",
    "4, 0.5, true, 4",
    "4, 2, false, 2",
    "4, 1, false, 2",
    "16, 8, true, 1",
    "16, 4, true, 2",
    "16, 3, true, 3",
    "16, 2.5, true, 3.4", // two of the three that begin together are through before the third
    "16, 1.5, true, 5.3333333",
    "16, 1, true, 8"
  })
  void messagesBetweenRacksShareTheUplink(int p, double lanes, boolean duplex, double times) {
    List<Integer> ranks = IntStream.range(0, p).boxed().toList();
    Topology racks = Topology.of(ranks, ranks, ranks.stream().map(r -> r < p / 2).toList());
    Problem problem = new Problem(Collective.ALLREDUCE, p, 0, 1, true, racks);
    Algorithm doubling = Algorithms.find(Collective.ALLREDUCE, "recursive-doubling");
    double message = 1e9;
    CostModel model = CostModel.uniform(new LevelCost(1, 1), 0);
    double nanos =
        Simulator.run(
                model.withUplink(1 / lanes).withFullDuplex(duplex),
                problem,
                rank -> doubling.schedule(problem, rank),
                message,
                null)
            .nanos();
    double before = (Powers.ceilLog2(p) - 1) * (duplex ? 1 : 2);
    assertEquals(before + times, nanos / message, 1e-6);
  }

  /** One message at a time passes the uplink of four hosts, which carries more than a card. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 1.1, 1.5, 3})
  void aChainBetweenRacksIsAsFastAsACard(double cards) {
    List<Integer> ranks = IntStream.range(0, 8).boxed().toList();
    Topology racks = Topology.of(ranks, ranks, ranks.stream().map(rank -> rank / 4).toList());
    Problem problem = new Problem(Collective.BROADCAST, 8, 0, 30, true, racks);
    Algorithm chain = Algorithms.find(Collective.BROADCAST, "linear-pipeline");
    CostModel model = PAPERS.withUplink(BETA / cards);
    assertEquals(
        run(PAPERS, chain, problem).nanos(), run(model, chain, problem).nanos(), 0, "not slower");
  }

  @Test
  void thePapersFormulasHoldForPowersOfTwo() {
    for (int log = 1; log <= 7; log++) {
      int p = 1 << log;
      double m = p * BLOCK;
      double part = (p - 1.0) / p;
      assertTime(log * (ALPHA + BETA * BLOCK), Collective.BROADCAST, "binomial", p, 1);
      assertTime(log * (ALPHA + (BETA + GAMMA) * BLOCK), Collective.REDUCE, "binomial", p, 1);
      assertTime(
          log * (ALPHA + (BETA + GAMMA) * BLOCK), Collective.ALLREDUCE, "recursive-doubling", p, 1);
      assertTime(
          2 * log * ALPHA + 2 * part * BETA * m + part * GAMMA * m,
          Collective.ALLREDUCE,
          "rabenseifner",
          p,
          p);
      assertTime(
          log * ALPHA + part * (BETA + GAMMA) * m,
          Collective.REDUCE_SCATTER,
          "recursive-halving",
          p,
          p);
      assertTime(log * ALPHA + part * BETA * m, Collective.ALLGATHER, "recursive-doubling", p, p);
      assertTime(log * ALPHA + part * BETA * m, Collective.SCATTER, "binomial", p, p);
    }
  }

  @Test
  void thePapersFormulasHoldForEverySize() {
    for (int p : new int[] {2, 3, 7, 13, 40}) {
      double m = p * BLOCK;
      double part = (p - 1.0) / p;
      assertTime(
          2 * (p - 1) * ALPHA + 2 * part * BETA * m + part * GAMMA * m,
          Collective.ALLREDUCE,
          "ring",
          p,
          p);
      assertTime((p - 1) * ALPHA + part * BETA * m, Collective.ALLGATHER, "ring", p, p);
      assertTime((p - 1) * (ALPHA + BETA * BLOCK), Collective.ALLTOALL, "pairwise", p, p * p);
      if (p % 2 == 1) {
        double signals = (p - 2) * ALPHA;
        double shifts = (p - 1) * (ALPHA + BETA * BLOCK);
        assertTime(signals + shifts, Collective.ALLTOALL, "clear-to-send", p, p * p);
      }
      for (int k : new int[] {1, 2, 30}) {
        assertTime(
            (p - 2 + k) * (ALPHA + BETA * BLOCK), Collective.BROADCAST, "linear-pipeline", p, k);
      }
    }
  }

  @Test
  void twoTreesStayWithinTheirBound() {
    Algorithm twoTree = Algorithms.find(Collective.BROADCAST, "two-tree");
    for (int p : new int[] {5, 8, 13, 64, 100}) {
      int h = 32 - Integer.numberOfLeadingZeros(p);
      for (int k : new int[] {1, 10, 50}) {
        Problem problem = new Problem(Collective.BROADCAST, p, 0, 2 * k, true);
        double time = run(PAPERS, twoTree, problem).nanos();
        assertTrue(time <= (2 * h + 2 * k) * (ALPHA + BETA * BLOCK), () -> problem + "");
        assertTrue(time >= 2 * k * (ALPHA + BETA * BLOCK), () -> problem + "");
      }
    }
  }

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  private static List<Problem> problems(Algorithm algorithm) {
    List<Problem> problems = new ArrayList<>();
    for (int size : new int[] {2, 3, 5, 8, 13, 16, 24}) {
      for (Problem problem : Sweep.problems(algorithm, size)) {
        if (problem.root() <= 1 && problem.topology().isFlat()) {
          problems.add(problem);
        }
      }
    }
    return problems;
  }

  /** A rank that is ahead may hold up another one's message, whose turn it is, at its receiver. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void noAlgorithmIsMuchSlowerThanItsClosedForm(Algorithm algorithm) {
    CostModel streaming = PAPERS.withNetwork(new LevelCost(ALPHA, BETA, ALPHA / 8));
    double worst = 0;
    for (Problem problem : problems(algorithm)) {
      for (CostModel model : List.of(PAPERS, streaming)) {
        double time = run(model, algorithm, problem).nanos();
        double bound = closed(model, algorithm, problem);
        worst = Math.max(worst, bound == 0 ? time : time / bound);
      }
    }
    double most = worst;
    assertTrue(worst <= 1.5, () -> algorithm + " takes " + most + " of its closed form");
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void closedFormsAreTight(Algorithm algorithm) {
    Problem problem = Sweep.example(algorithm, 24);
    if (algorithm.naturalBlocks(problem.size()) == 0) {
      problem = problem.withBlocks(64);
    }
    double ratio = run(PAPERS, algorithm, problem).nanos() / closed(PAPERS, algorithm, problem);
    assertTrue(ratio > 0.5, () -> algorithm + " takes " + ratio + " of its closed form");
  }

  @Test
  void aStreamPaysTheLatencyOfItsPathOnce() {
    int p = 10;
    int k = 50;
    CostModel streaming = PAPERS.withNetwork(new LevelCost(ALPHA, BETA, ALPHA / 8));
    Algorithm chain = Algorithms.find(Collective.BROADCAST, "linear-pipeline");
    Problem problem = new Problem(Collective.BROADCAST, p, 0, k, true);
    double transfer = BETA * (BLOCK + CostModel.HEADER_BYTES);
    double block = Math.hypot(ALPHA / 8, transfer);
    double expected = (p - 2 + k) * block + (p - 1) * (ALPHA + transfer - block);
    assertEquals(expected, run(streaming, chain, problem).nanos(), 1e-6 * expected);
    assertEquals(expected, closed(streaming, chain, problem), 1e-6 * expected);
  }

  @Test
  void ranksOfAHostTakeTurnsOnItsCard() {
    Algorithm doubling = Algorithms.find(Collective.ALLREDUCE, "recursive-doubling");
    Topology hosts = Topology.ofHosts(List.of(0, 0, 0, 0, 1, 1, 1, 1));
    Problem problem = new Problem(Collective.ALLREDUCE, 8, 0, 1, true, hosts);
    CostModel free = CostModel.uniform(new LevelCost(ALPHA, BETA), 0);
    double message = ALPHA + BETA * (BLOCK + CostModel.HEADER_BYTES);
    Simulation simulation = run(free, doubling, problem);
    assertEquals((2 + 4) * message, simulation.nanos(), 1e-6);
    double bytes = 4 * (BLOCK + CostModel.HEADER_BYTES);
    assertArrayEquals(new double[] {bytes, bytes}, simulation.sentBytes(), 1e-6);
    assertArrayEquals(new double[] {bytes, bytes}, simulation.receivedBytes(), 1e-6);
  }

  @Test
  void withoutFullDuplexSendsAndReceivesTakeTurns() {
    CostModel half = CostModel.uniform(new LevelCost(ALPHA, BETA), 0).withFullDuplex(false);
    Algorithm doubling = Algorithms.find(Collective.ALLREDUCE, "recursive-doubling");
    Problem problem = new Problem(Collective.ALLREDUCE, 8, 0, 1, true);
    double message = ALPHA + BETA * (BLOCK + CostModel.HEADER_BYTES);
    assertEquals(6 * message, run(half, doubling, problem).nanos(), 1e-6);
    assertEquals(6 * message, closed(half, doubling, problem), 1e-6);
  }

  /**
   * When messages begin, as multiples of what each takes. Rank 1 sends what it has received before,
   * all others what they have from the beginning.
   *
   * @param messages the round, the sender and the receiver of each
   */
  private static List<Long> beginnings(double bytes, List<List<Integer>> messages) {
    int rounds = messages.stream().mapToInt(message -> message.get(0) + 1).max().orElse(0);
    Problem problem = new Problem(Collective.BROADCAST, 4, 0, 1, false);
    BlockRange block = new BlockRange(0, 1);
    LevelCost cost = new LevelCost(ALPHA, BETA);
    Long[] begin = new Long[messages.size()];
    Simulator.run(
        CostModel.uniform(cost, 0),
        problem,
        rank -> {
          List<Round> all = new ArrayList<>(Collections.nCopies(rounds, Round.IDLE));
          for (List<Integer> message : messages) {
            Round round = all.get(message.get(0));
            if (message.get(1) == rank) {
              Send send = new Send(message.get(2), rank == 1 ? 1 : 0, block);
              all.set(message.get(0), new Round(send, round.receive(), List.of()));
            } else if (message.get(2) == rank) {
              Receive receive = new Receive(message.get(1), 1, block);
              all.set(message.get(0), new Round(round.send(), receive, List.of()));
            }
          }
          return new Schedule(problem, "given", rank, block, all);
        },
        bytes,
        (round, from, to, start, end) ->
            begin[messages.indexOf(List.of(round, from, to))] =
                Math.round(start / cost.occupiedNanos(bytes, 1)));
    return List.of(begin);
  }

  /** Rank 2 waits for rank 3's message, which rank 1 passes on, before it receives from rank 0. */
  @ParameterizedTest
  @CsvSource({
    "1000, 0 1 2 3 4", // all messages of rank 0 are kept for rank 2
    "100000, 0 1 3 4 5", // two of them; the third waits until rank 2 has had the first
    "300000, 2 3 4 5 6" // none: rank 2 has to come to it
  })
  void aRankSendsAheadWhatItsReceiverCanKeep(double bytes, String expected) {
    List<List<Integer>> messages =
        List.of(
            List.of(2, 0, 2),
            List.of(3, 0, 2),
            List.of(4, 0, 2),
            List.of(5, 0, 2),
            List.of(6, 0, 3),
            List.of(0, 3, 1),
            List.of(1, 1, 2));
    List<Long> begin = beginnings(bytes, messages);
    assertEquals(List.of(0L, 1L), begin.subList(5, 7));
    String ofRank0 =
        begin.subList(0, 5).stream().map(String::valueOf).collect(Collectors.joining(" "));
    assertEquals(expected, ofRank0);
  }

  @ParameterizedTest
  @CsvSource({"60000, 0", "70000, 1"})
  void longMessagesKeepInStep(double bytes, long begins) {
    List<Integer> before = List.of(0, 2, 1);
    List<Integer> there = List.of(1, 0, 1);
    List<Integer> back = List.of(1, 1, 0);
    assertEquals(begins, beginnings(bytes, List.of(before, there, back)).get(1), "an exchange");
    List<Integer> own = List.of(1, 2, 3);
    assertEquals(
        begins,
        beginnings(bytes, List.of(List.of(0, 3, 2), own)).get(1),
        "what ranks have from the beginning");
  }

  /** Long ones are not gone before they are there. */
  @ParameterizedTest
  @ValueSource(doubles = {60_000, 70_000})
  void messagesReachACardInTheSequenceInWhichTheyLeft(double bytes) {
    Algorithm gather = Algorithms.find(Collective.GATHER, "linear");
    Problem problem = new Problem(Collective.GATHER, 5, 0, 5, false);
    LevelCost cost = new LevelCost(ALPHA, BETA);
    double message = cost.occupiedNanos(bytes, 1);
    double[] finish =
        Simulator.run(
                CostModel.uniform(cost, 0),
                problem,
                rank -> gather.schedule(problem, rank),
                bytes,
                null)
            .finishNanos();
    assertEquals(4 * message, finish[0], 1e-6);
    for (int rank = 1; rank < 5; rank++) {
      assertEquals(bytes < 65_536 ? message : rank * message, finish[rank], 1e-6);
    }
  }

  @Test
  void aListenerHearsOfEveryMessage() {
    Algorithm binomial = Algorithms.find(Collective.BROADCAST, "binomial");
    Problem problem = new Problem(Collective.BROADCAST, 8, 0, 1, true);
    List<String> heard = new ArrayList<>();
    Simulator.run(
        PAPERS,
        problem,
        rank -> binomial.schedule(problem, rank),
        BLOCK,
        (round, from, to, start, end) -> {
          assertEquals(ALPHA + BETA * BLOCK, end - start, 1e-6);
          assertEquals(round * (ALPHA + BETA * BLOCK), start, 1e-6);
          heard.add(from + ">" + to);
        });
    assertEquals(7, heard.size());
    assertEquals(7, heard.stream().distinct().count());
  }

  @Test
  void aThousandRanksWithHundredsOfRounds() {
    int p = 1024;
    Algorithm twoTree = Algorithms.find(Collective.ALLREDUCE, "two-tree");
    Problem problem = new Problem(Collective.ALLREDUCE, p, 0, 100, true);
    Simulation simulation = run(PAPERS, twoTree, problem);
    assertTrue(simulation.nanos() <= 1.25 * closed(PAPERS, twoTree, problem));
    assertTrue(IntStream.range(0, p).allMatch(rank -> simulation.finishNanos()[rank] > 0));
  }
}
