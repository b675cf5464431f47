package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;

/** What network cards and memory carry along two trees of hosts. */
final class TwoTreeOfHostsClaimsTest {
  private static final int SIZE = 24;
  private static final int BLOCKS = 13;

  private static final List<Topology> TOPOLOGIES =
      List.of(
          hosts(IntStream.range(0, SIZE).map(rank -> rank / 4)),
          hosts(IntStream.range(0, SIZE).map(rank -> rank % 6)),
          hosts(IntStream.range(0, SIZE).map(rank -> rank / 12)),
          hosts(IntStream.range(0, SIZE).map(rank -> rank / 8 * 3 + (rank % 8 + 4) / 5)));

  private static Topology hosts(IntStream hostOf) {
    return Topology.ofHosts(hostOf.boxed().toList());
  }

  private static Algorithm algorithm(Collective collective) {
    return Algorithms.find(collective, "two-tree-of-hosts");
  }

  private static List<Problem> problems(Collective collective) {
    IntStream roots = collective.rooted() ? IntStream.of(0, 5, SIZE - 1) : IntStream.of(0);
    return roots
        .boxed()
        .flatMap(
            root ->
                TOPOLOGIES.stream()
                    .map(each -> new Problem(collective, SIZE, root, BLOCKS, false, each)))
        .toList();
  }

  /** An allreduce is two such operations. */
  private static int operations(Collective collective) {
    return collective == Collective.ALLREDUCE ? 2 : 1;
  }

  /** One block more where a host has two children in the tree of the greater half. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE", "ALLREDUCE"})
  void aCardCarriesTheVectorOnceEachWay(Collective collective) {
    for (Problem problem : problems(collective)) {
      Topology topology = problem.topology();
      int[] sent = new int[topology.hosts(SIZE)];
      int[] received = new int[topology.hosts(SIZE)];
      for (Schedule schedule : Conformance.schedules(algorithm(collective), problem)) {
        int host = topology.host(schedule.rank());
        for (Round round : schedule.rounds()) {
          if (round.send() != null && topology.host(round.send().peer()) != host) {
            sent[host] += round.send().size();
            received[topology.host(round.send().peer())] += round.send().size();
          }
        }
      }
      int most = operations(collective) * (BLOCKS + 1);
      assertTrue(IntStream.of(sent).allMatch(blocks -> blocks <= most), problem::toString);
      assertTrue(IntStream.of(received).allMatch(blocks -> blocks <= most), problem::toString);
    }
  }

  /** But for the second half of an allreduce, in which ranks have it the other way around. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE", "ALLREDUCE"})
  void noRankHasBothNetworkAndMemoryForWhatItSendsOrReceives(Collective collective) {
    for (Problem problem : problems(collective)) {
      Topology topology = problem.topology();
      for (Schedule schedule : Conformance.schedules(algorithm(collective), problem)) {
        int half = algorithm(collective).rounds(problem) / operations(collective);
        Set<Level> sends = EnumSet.noneOf(Level.class);
        Set<Level> receives = EnumSet.noneOf(Level.class);
        for (Round round : schedule.rounds().subList(0, Math.min(half, schedule.rounds().size()))) {
          if (round.send() != null) {
            sends.add(topology.level(schedule.rank(), round.send().peer()));
          }
          if (round.receive() != null) {
            receives.add(topology.level(schedule.rank(), round.receive().peer()));
          }
        }
        assertTrue(sends.size() <= 1, () -> problem + ", rank " + schedule.rank() + ": " + sends);
        assertTrue(
            receives.size() <= 1, () -> problem + ", rank " + schedule.rank() + ": " + receives);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE", "ALLREDUCE"})
  void oneRankOnEachHostIsTwoTrees(Collective collective) {
    for (int size = 2; size <= SIZE; size++) {
      Problem problem = new Problem(collective, size, 0, BLOCKS, false);
      for (int rank = 0; rank < size; rank++) {
        assertEquals(
            Algorithms.find(collective, "two-tree").schedule(problem, rank).rounds(),
            algorithm(collective).schedule(problem, rank).rounds());
      }
    }
  }

  /** Four hosts, of which one is a child of another: two chains beside those of an edge. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE", "ALLREDUCE"})
  void anEdgeTakesAsManyRoundsMoreAsTheLongestChainHasLinks(Collective collective) {
    Problem flat = new Problem(collective, 4, 0, 2, false);
    int rounds = algorithm(collective).rounds(flat);
    for (int length = 1; length <= 6; length++) {
      int each = length;
      Topology topology = hosts(IntStream.range(0, 4 * length).map(rank -> rank / each));
      Problem problem = new Problem(collective, 4 * length, 0, 2, false, topology);
      int links = length - 1;
      int ofEdge = links + links % 2;
      assertEquals(
          rounds + operations(collective) * (2 * links + ofEdge),
          algorithm(collective).rounds(problem),
          problem::toString);
    }
  }
}
