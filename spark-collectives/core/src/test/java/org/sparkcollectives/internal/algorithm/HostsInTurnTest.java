package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Topology;

/** What algorithms that take hosts in turn send between hosts and racks, counted in blocks. */
final class HostsInTurnTest {
  private static final int SIZE = 32;
  private static final int HOSTS = 8;

  private static Topology hosts(int size, IntUnaryOperator hostOf) {
    return Topology.ofHosts(IntStream.range(0, size).map(hostOf).boxed().toList());
  }

  /** The most blocks that ranks of one group send to others. */
  private static int most(Algorithm algorithm, Problem problem, IntUnaryOperator groupOf) {
    int[] sent = new int[problem.size()];
    for (int rank = 0; rank < problem.size(); rank++) {
      int group = groupOf.applyAsInt(rank);
      for (Round round : algorithm.schedule(problem, rank).rounds()) {
        if (round.send() != null && groupOf.applyAsInt(round.send().peer()) != group) {
          sent[group] += round.send().size();
        }
      }
    }
    return IntStream.of(sent).max().orElse(0);
  }

  private static Problem problem(Algorithm algorithm, int size, Topology topology) {
    int natural = algorithm.naturalBlocks(size);
    return new Problem(
        algorithm.collective(), size, 0, natural == 0 ? 5 : natural, false, topology);
  }

  /**
   * Eight hosts of four consecutive ranks: all that has to leave a host of a vector in p parts, (1
   * - 1/h) of it, and no more; in rank order several times as much.
   */
  @ParameterizedTest
  @CsvSource({
    "REDUCE_SCATTER, circulant, 1",
    "REDUCE_SCATTER, recursive-halving, 1",
    "ALLREDUCE, circulant, 2",
    "ALLGATHER, bruck, 1",
    "ALLGATHER, recursive-doubling, 1"
  })
  void aCardPassesWhatItHasTo(Collective collective, String slug, int vectors) {
    Algorithm algorithm = Algorithms.find(collective, slug);
    IntUnaryOperator host = rank -> rank * HOSTS / SIZE;
    int least = vectors * (SIZE - SIZE / HOSTS);
    assertEquals(least, most(algorithm, problem(algorithm, SIZE, hosts(SIZE, host)), host));
    assertTrue(most(algorithm, problem(algorithm, SIZE, Topology.FLAT), host) >= 4 * least);
    IntUnaryOperator turn = rank -> rank % HOSTS;
    assertEquals(least, most(algorithm, problem(algorithm, SIZE, hosts(SIZE, turn)), turn));
  }

  /** Two of five distances stay in a host; in rank order at most parts of the two shortest. */
  @ParameterizedTest
  @CsvSource({"BROADCAST, 0", "BROADCAST, 13", "REDUCE, 0", "REDUCE, 13"})
  void blocksOfAPipelinePassFewerCards(Collective collective, int root) {
    Algorithm algorithm = Algorithms.find(collective, "circulant");
    IntUnaryOperator host = rank -> rank * HOSTS / SIZE;
    Problem problem = new Problem(collective, SIZE, root, 50, false, hosts(SIZE, host));
    int crossing = most(algorithm, problem, host);
    int inRankOrder = most(algorithm, problem.on(Topology.FLAT), host);
    assertTrue(5 * crossing < 4 * inRankOrder, crossing + " of " + inRankOrder);
  }

  /** 16 hosts in two racks of eight: half of the vector passes an uplink, instead of four. */
  @ParameterizedTest
  @CsvSource({"REDUCE_SCATTER, circulant, 8", "ALLGATHER, bruck, 8", "ALLREDUCE, circulant, 16"})
  void anUplinkPassesWhatItHasTo(Collective collective, String slug, int blocks) {
    Algorithm algorithm = Algorithms.find(collective, slug);
    IntUnaryOperator rack = rank -> rank / 8;
    List<Integer> hosts = IntStream.range(0, 16).boxed().toList();
    Topology topology = Topology.of(hosts, hosts, hosts.stream().map(rack::applyAsInt).toList());
    assertEquals(blocks, most(algorithm, problem(algorithm, 16, topology), rack));
    assertTrue(most(algorithm, problem(algorithm, 16, Topology.FLAT), rack) >= 4 * blocks);
  }

  static List<Algorithm> algorithms() {
    return Algorithms.all().stream()
        .filter(
            algorithm ->
                algorithm.traits().has(Traits.Feature.HALVED_DISTANCES)
                    || algorithm.traits().has(Traits.Feature.DOUBLED_DISTANCES))
        .toList();
  }

  /** Hosts of 1, 5, 2 and 8 ranks: nothing is known to be better there. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void hostsOfDifferentNumbersOfRanksKeepRankOrder(Algorithm algorithm) {
    assertKeepsRankOrder(
        algorithm, hosts(16, rank -> rank == 0 ? 0 : rank < 6 ? 1 : rank < 8 ? 2 : 3));
  }

  /** Long ways that are no multiple of the number of hosts lead to another host. */
  @ParameterizedTest
  @CsvSource({
    "BROADCAST, circulant, 4, 3",
    "REDUCE_SCATTER, circulant, 3, 5",
    "ALLGATHER, bruck, 3, 4",
    "ALLGATHER, recursive-doubling, 4, 3",
    "ALLGATHER, recursive-doubling, 3, 4"
  })
  void ranksKeepTheirOrderWhereDistancesDoNotFit(
      Collective collective, String slug, int hosts, int length) {
    assertKeepsRankOrder(
        Algorithms.find(collective, slug), hosts(hosts * length, rank -> rank / length));
  }

  private static void assertKeepsRankOrder(Algorithm algorithm, Topology topology) {
    Problem placed = problem(algorithm, topology.size(), topology);
    for (int rank = 0; rank < topology.size(); rank++) {
      assertEquals(
          algorithm.schedule(placed.on(Topology.FLAT), rank).rounds(),
          algorithm.schedule(placed, rank).rounds());
    }
  }

  /** Two racks of two hosts of two ranks: first those of different racks, then of other hosts. */
  @Test
  void racksAndHostsTakeTurns() {
    List<Integer> ranks = IntStream.range(0, 8).boxed().toList();
    Topology topology =
        Topology.of(
            ranks.stream().map(rank -> rank / 2).toList(),
            ranks,
            ranks.stream().map(rank -> rank / 4).toList());
    HostOrder order = HostOrder.of(topology, 5, HostOrder.Sequence.RACKS_IN_TURN);
    assertEquals(
        List.of(5, 0, 6, 2, 4, 1, 7, 3), IntStream.range(0, 8).mapToObj(order::rankAt).toList());
  }
}
