package org.sparkcollectives.internal.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.cost.Provenance;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

class LowerBoundTest {
  private static final CostModel MODEL = CostModel.DEFAULT;
  private static final Topology HOSTS = Topology.ofHosts(List.of(0, 1, 1, 1, 1, 1, 2, 2));

  private static double bound(Collective collective, Topology topology, double bytes) {
    return LowerBound.nanos(
        MODEL, new Problem(collective, 8, 0, 8, false, topology), bytes, List.of());
  }

  @Test
  void longVectorsPassTheBusiestCard() {
    double all = MODEL.network().betaNanosPerByte() * 1e9;
    assertEquals(all, bound(Collective.BROADCAST, HOSTS, 1e9), 1);
    assertEquals(all * 7 / 8, bound(Collective.ALLGATHER, HOSTS, 1e9), 1);
    assertEquals(all * 7 / 8, bound(Collective.SCATTER, HOSTS, 1e9), 1);
    assertEquals(all * 4 / 3, bound(Collective.ALLREDUCE, HOSTS, 1e9), 1);
    assertEquals(all * 15 / 64, bound(Collective.ALLTOALL, HOSTS, 1e9), 1);
    assertEquals(all * 7 / 4, bound(Collective.ALLREDUCE, Topology.FLAT, 1e9), 1);
    Topology one = Topology.ofHosts(List.of(0, 0, 0, 0, 0, 0, 0, 0));
    double host = MODEL.host().betaNanosPerByte() * 1e9;
    assertEquals(host * 7 / 8, bound(Collective.ALLGATHER, one, 1e9), 1);
  }

  /** Four hosts in each of two racks, whose uplinks carry half of what a card does. */
  @Test
  void longVectorsPassTheBusiestUplink() {
    List<Integer> ranks = List.of(0, 1, 2, 3, 4, 5, 6, 7);
    Topology racks = Topology.of(ranks, ranks, ranks.stream().map(rank -> rank % 2).toList());
    double beta = 2 * MODEL.network().betaNanosPerByte();
    CostModel model = MODEL.withUplink(beta);
    double[] parts = {1, 1, 0.5, 0.25, 7};
    Collective[] collectives = {
      Collective.BROADCAST,
      Collective.ALLREDUCE,
      Collective.ALLGATHER,
      Collective.ALLTOALL,
      Collective.SCAN
    };
    for (int i = 0; i < parts.length; i++) {
      Problem problem = new Problem(collectives[i], 8, 0, 8, false, racks);
      double expected = Math.min(parts[i], 4) * beta * 1e9;
      assertEquals(
          expected, LowerBound.nanos(model, problem, 1e9, List.of()), 1, problem::toString);
    }
    Problem problem = new Problem(Collective.ALLGATHER, 8, 0, 8, false, racks);
    List<Integer> counts = List.of(1, 9, 1, 0, 1, 0, 1, 0); // 4 of 13 and 9 of 13
    assertEquals(beta * 9e9 / 13, LowerBound.nanos(model, problem, 1e9, counts), 1);
  }

  /**
   * With α = 6 gaps, 8 ranks are reached when the first has sent 7 messages, the last 6 gaps ago.
   */
  @Test
  void shortVectorsTakeTheTimeThatReachesAll() {
    assertEquals(12 * MODEL.network().gapNanos(), bound(Collective.BARRIER, Topology.FLAT, 0), 1);
    CostModel linear = CostModel.uniform(new LevelCost(1000, 1), 0);
    Problem problem = new Problem(Collective.BROADCAST, 9, 0, 1, true);
    assertEquals(4000, LowerBound.nanos(linear, problem, 8, List.of()), 1);
    assertEquals(
        0, LowerBound.nanos(MODEL, new Problem(Collective.SCAN, 1, 0, 1, true), 1e9, List.of()));
  }

  /**
   * A host of a scan hears one sum for each of its runs of ranks but rank 0's, and tells one for
   * each but the last rank's. The chain of all ranks takes no more.
   */
  @Test
  void scansPassACardOncePerRunOfRanks() {
    Topology interleaved = Topology.ofHosts(List.of(0, 1, 2, 0, 1, 2, 0, 1));
    Topology mixed = Topology.ofHosts(List.of(0, 0, 1, 0, 1, 1, 1, 2));
    double all = MODEL.network().betaNanosPerByte() * 1e9;
    for (Collective collective : List.of(Collective.SCAN, Collective.EXSCAN)) {
      assertEquals(3 * all, bound(collective, interleaved, 1e9), 1);
      assertEquals(2 * all, bound(collective, mixed, 1e9), 1);
      assertEquals(all, bound(collective, HOSTS, 1e9), 1);
      assertEquals(all, bound(collective, Topology.FLAT, 1e9), 1);
      for (Topology topology : List.of(interleaved, mixed, HOSTS, Topology.FLAT)) {
        Algorithm chain = Algorithms.find(collective, "linear-pipeline");
        Problem problem = new Problem(collective, 8, 0, 1, false, topology);
        Simulation simulation =
            Simulator.run(MODEL, problem, rank -> chain.schedule(problem, rank), 1e9, null);
        double busiest =
            DoubleStream.concat(
                    Arrays.stream(simulation.sentBytes()),
                    Arrays.stream(simulation.receivedBytes()))
                .max()
                .orElse(0);
        assertEquals(bound(collective, topology, 1e9) / all * 1e9, busiest, 1e3);
      }
    }
  }

  /** An array of a number for each rank would be all the memory that there is. */
  @Test
  void theMostRanksOfAScanNeedNoMemory() {
    double all = MODEL.network().betaNanosPerByte() * 1e9;
    Problem problem = new Problem(Collective.SCAN, 1 << 28, 0, 1, true);
    assertEquals(all, LowerBound.nanos(MODEL, problem, 1e9, List.of()), 1);
  }

  @Test
  void noAlgorithmBeatsIt() {
    for (Topology topology : List.of(Topology.FLAT, HOSTS)) {
      beatenByNone(MODEL, 8, topology);
    }
    beatenByNone(MODEL, 7, Topology.ofHosts(List.of(0, 1, 0, 1, 0, 1, 0)));
  }

  /** Eight hosts in two racks, whose uplinks carry no whole number of cards. */
  @ParameterizedTest
  @ValueSource(doubles = {1.1, 1.4, 1.5, 2.5, 3.6})
  void noAlgorithmBeatsItThroughAnUplink(double cards) {
    List<Integer> ranks = List.of(0, 1, 2, 3, 4, 5, 6, 7);
    CostModel model = MODEL.withUplink(MODEL.network().betaNanosPerByte() / cards);
    for (IntUnaryOperator rackOf : List.<IntUnaryOperator>of(host -> host / 4, host -> host % 2)) {
      beatenByNone(
          model, 8, Topology.of(ranks, ranks, ranks.stream().map(rackOf::applyAsInt).toList()));
    }
  }

  /** A level that is farther may be cheaper, as where threads of a process share few processors. */
  @Test
  void noAlgorithmBeatsItWhereAFartherLevelIsCheaper() {
    LevelCost dear = new LevelCost(50_000, 5, 20_000);
    LevelCost cheap = new LevelCost(5_000, 0.5, 1_000);
    LevelCost other = new LevelCost(20_000, 0.8, 10_000);
    List<LevelCost> costs = List.of(dear, cheap, other);
    List<Integer> oneHost = List.of(0, 0, 0, 0, 0, 0, 0, 0);
    List<Integer> twoHosts = List.of(0, 0, 0, 0, 1, 1, 1, 1);
    List<Integer> runs = List.of(0, 0, 1, 1, 2, 2, 3, 3);
    List<Integer> inTurn = List.of(0, 1, 0, 1, 2, 3, 2, 3);
    for (int first = 0; first < costs.size(); first++) {
      CostModel model =
          new CostModel(
              costs.get(first),
              costs.get((first + 1) % costs.size()),
              costs.get((first + 2) % costs.size()),
              0.1,
              true,
              1,
              new Provenance("odd", "", ""));
      for (List<Integer> processes : List.of(runs, inTurn)) {
        beatenByNone(model, 8, Topology.of(oneHost, processes));
        beatenByNone(model, 8, Topology.of(twoHosts, processes));
      }
    }
  }

  private static void beatenByNone(CostModel model, int size, Topology topology) {
    for (Algorithm algorithm : Algorithms.all()) {
      for (double bytes : new double[] {8, 1 << 15, 1 << 22}) {
        int natural = algorithm.naturalBlocks(size);
        int blocks =
            algorithm.collective() == Collective.ALLTOALL ? size * size : Math.max(size, natural);
        Problem problem = new Problem(algorithm.collective(), size, 0, blocks, false, topology);
        if (algorithm.refusal(problem) == null) {
          double simulated =
              Simulator.run(
                      model,
                      problem,
                      rank -> algorithm.schedule(problem, rank),
                      bytes / blocks,
                      null)
                  .nanos();
          double bound = LowerBound.nanos(model, problem, bytes, List.of());
          assertTrue(
              bound <= simulated * (1 + 1e-9),
              () ->
                  algorithm
                      + " takes "
                      + simulated
                      + " ns for "
                      + bytes
                      + " bytes, below the bound of "
                      + bound
                      + " ns: "
                      + topology);
        }
      }
    }
  }
}
