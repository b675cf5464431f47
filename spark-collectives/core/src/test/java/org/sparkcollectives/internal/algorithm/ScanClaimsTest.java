package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;

/** The claims of scans against the formulas of Sanders, Träff 2006. */
final class ScanClaimsTest {
  private static final int LARGEST = 300;
  private static final int[] BLOCKS = {1, 2, 3, 8, 64};

  private static int rounds(Collective collective, String slug, int size, int blocks) {
    Problem problem = new Problem(collective, size, 0, blocks, true);
    return Algorithms.find(collective, slug).rounds(problem);
  }

  private static String label(int size, int blocks, int rounds) {
    return "p = " + size + ", b = " + blocks + ": " + rounds;
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void binomialTakesAtMostTwoLogarithmsOfRounds(Collective collective) {
    for (int size = 2; size <= LARGEST; size++) {
      int rounds = rounds(collective, "binomial", size, 1);
      assertTrue(rounds <= 2 * Powers.ceilLog2(size), label(size, 1, rounds));
      assertTrue(rounds >= 2 * Powers.floorLog2(size) - 1, label(size, 1, rounds));
    }
  }

  @Test
  void binomialSendsLessThanTwoVectorsPerRank() {
    Algorithm binomial = Algorithms.find(Collective.SCAN, "binomial");
    for (int size = 2; size <= 60; size++) {
      List<Schedule> schedules =
          Conformance.schedules(binomial, new Problem(Collective.SCAN, size, 0, 1, true));
      long sent =
          schedules.stream()
              .flatMap(schedule -> schedule.rounds().stream())
              .filter(round -> round.send() != null)
              .count();
      assertTrue(sent < 2L * size, "p = " + size + ": " + sent);
    }
  }

  /** Complete trees, p = 2^(n+1) - 1, need exactly as many rounds as the paper says. */
  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void pipelinedBinaryTreeTakes6Times1LessThanBPlus4nMinus2Rounds(Collective collective) {
    for (int size = 2; size <= LARGEST; size++) {
      int n = Powers.ceilLog2(size + 1) - 1;
      for (int blocks : BLOCKS) {
        int bound = 6 * (blocks - 1) + 4 * n - 2;
        int rounds = rounds(collective, "pipelined-binary-tree", size, blocks);
        assertTrue(rounds <= bound, label(size, blocks, rounds));
        if (Powers.isPowerOfTwo(size + 1)) {
          assertEquals(bound, rounds, label(size, blocks, rounds));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void doublyPipelinedBinaryTreeTakes3Times1LessThanBPlus4nMinus2Rounds(Collective collective) {
    for (int size = 2; size <= LARGEST; size++) {
      int n = Powers.ceilLog2(size + 1) - 1;
      for (int blocks : BLOCKS) {
        int bound = 3 * (blocks - 1) + 4 * n - 2;
        int rounds = rounds(collective, "doubly-pipelined-binary-tree", size, blocks);
        assertTrue(rounds <= bound, label(size, blocks, rounds));
        if (Powers.isPowerOfTwo(size + 1)) {
          assertEquals(bound, rounds, label(size, blocks, rounds));
        }
      }
    }
  }

  /** In the telephone model a rank talks with one peer in a round, both ways. */
  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void doublyPipelinedBinaryTreeTalksInPairs(Collective collective) {
    Algorithm algorithm = Algorithms.find(collective, "doubly-pipelined-binary-tree");
    int pairs = 0;
    for (int size = 2; size <= 40; size++) {
      Problem problem = new Problem(collective, size, 0, 20, true);
      for (Schedule schedule : Conformance.schedules(algorithm, problem)) {
        for (Round round : schedule.rounds()) {
          if (round.send() != null && round.receive() != null) {
            assertEquals(round.send().peer(), round.receive().peer(), problem.toString());
            pairs++;
          }
        }
      }
    }
    assertTrue(pairs > 1000, "only " + pairs + " rounds with both");
  }

  private static Topology hosts(int size, int ranksPerHost) {
    return Topology.ofHosts(IntStream.range(0, size).map(r -> r / ranksPerHost).boxed().toList());
  }

  /** Within a host, over the hosts, within a host; only the last ranks of hosts use the network. */
  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void hierarchicalUsesTheNetworkForTheLogarithmOfTheHosts(Collective collective) {
    Algorithm algorithm = Algorithms.find(collective, "hierarchical");
    for (int most : new int[] {1, 2, 3, 8}) {
      for (int count = 2; count <= 20; count++) {
        int size = most * count;
        Problem problem = new Problem(collective, size, 0, 1, true, hosts(size, most));
        int local = Powers.ceilLog2(most);
        int network = Powers.ceilLog2(count);
        assertEquals(2 * local + network, algorithm.rounds(problem));
        assertEquals(
            network,
            Phase.rounds(algorithm.phases(problem).stream().filter(p -> !p.local()).toList()));
        assertEquals(1, mostRanksOnTheNetwork(algorithm, problem));
      }
    }
  }

  private static long mostRanksOnTheNetwork(Algorithm algorithm, Problem problem) {
    long most = 0;
    for (int host = 0; host < problem.topology().hosts(problem.size()); host++) {
      long ranks =
          IntStream.of(problem.topology().ranksOf(host))
              .filter(rank -> blocksBetweenHosts(algorithm, problem, rank) > 0)
              .count();
      most = Math.max(most, ranks);
    }
    return most;
  }

  /** Blocks that a rank sends to or receives from other hosts. */
  private static long blocksBetweenHosts(Algorithm algorithm, Problem problem, int rank) {
    Topology topology = problem.topology();
    return algorithm.schedule(problem, rank).rounds().stream()
        .flatMap(round -> Stream.of(round.send(), round.receive()))
        .filter(Objects::nonNull)
        .filter(message -> topology.host(message.peer()) != topology.host(rank))
        .mapToLong(Message::size)
        .sum();
  }

  @ParameterizedTest
  @EnumSource(names = {"SCAN", "EXSCAN"})
  void oneTreesUseTheNetworkForTwoOrThreeVectorsPerHost(Collective collective) {
    Algorithm hostTrees = Algorithms.find(collective, "tree-of-host-trees");
    Algorithm firstRanks = Algorithms.find(collective, "tree-of-first-ranks");
    int blocks = 5;
    for (int most : new int[] {1, 2, 4, 7}) {
      for (int count = 2; count <= 12; count++) {
        int size = most * count;
        Problem problem = new Problem(collective, size, 0, blocks, true, hosts(size, most));
        assertTrue(mostRanksOnTheNetwork(hostTrees, problem) <= 3);
        assertTrue(mostRanksOnTheNetwork(firstRanks, problem) <= 2);
        assertTrue(crossing(hostTrees, problem) <= 2L * blocks * count);
        assertTrue(crossing(firstRanks, problem) <= 3L * blocks * count);
        int height = Powers.ceilLog2(count + 1) + Powers.ceilLog2(most) - 1;
        int rounds = firstRanks.rounds(problem);
        assertTrue(rounds <= 3 * (blocks - 1) + 4 * height - 2, problem + ": " + rounds);
      }
    }
  }

  /** Blocks between hosts in all; every message has a sender and a receiver. */
  private static long crossing(Algorithm algorithm, Problem problem) {
    return IntStream.range(0, problem.size())
            .mapToLong(rank -> blocksBetweenHosts(algorithm, problem, rank))
            .sum()
        / 2;
  }

  @ParameterizedTest
  @ValueSource(strings = {"hierarchical", "tree-of-host-trees", "tree-of-first-ranks"})
  void hostsWhoseRanksInterleaveAreRefused(String slug) {
    Topology interleaved = Topology.ofHosts(List.of(0, 1, 0, 1));
    for (Collective collective : List.of(Collective.SCAN, Collective.EXSCAN)) {
      Algorithm algorithm = Algorithms.find(collective, slug);
      Problem problem = new Problem(collective, 4, 0, 1, false, interleaved);
      assertEquals("it needs consecutive ranks on every host", algorithm.refusal(problem));
      assertNull(algorithm.refusal(problem.on(Topology.FLAT)));
    }
  }
}
