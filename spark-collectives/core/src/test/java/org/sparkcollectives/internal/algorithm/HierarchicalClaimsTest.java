package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;

/** Broadcast, reduce and allreduce where several ranks share a host. */
final class HierarchicalClaimsTest {
  private static final int BLOCKS = 5;

  private static Algorithm hierarchical(Collective collective) {
    return Algorithms.find(collective, "hierarchical");
  }

  private static Topology hosts(int size, int length) {
    return Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / length).boxed().toList());
  }

  private static Topology turns(int size, int hosts) {
    return Topology.ofHosts(IntStream.range(0, size).map(rank -> rank % hosts).boxed().toList());
  }

  @Test
  void eachLevelTakesOneRoundForABlockAndTheLogarithmOfItsRanks() {
    for (int length = 1; length <= 9; length++) {
      for (int hosts = 1; hosts <= 9; hosts++) {
        int size = length * hosts;
        int within = length == 1 ? 0 : BLOCKS - 1 + Powers.ceilLog2(length);
        int between = hosts == 1 ? 0 : BLOCKS - 1 + Powers.ceilLog2(hosts);
        Topology topology = hosts(size, length);
        for (Collective collective : List.of(Collective.BROADCAST, Collective.REDUCE)) {
          Problem problem = new Problem(collective, size, size / 2, BLOCKS, false, topology);
          assertEquals(within + between, hierarchical(collective).rounds(problem));
        }
        Problem all = new Problem(Collective.ALLREDUCE, size, 0, BLOCKS, false, topology);
        int parts = 2 * Powers.ceilLog2(hosts);
        assertEquals(2 * within + parts, hierarchical(Collective.ALLREDUCE).rounds(all));
      }
    }
  }

  /** Also with hosts whose ranks are not consecutive, and for a root that is no host's lowest. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST", "REDUCE", "ALLREDUCE"})
  void oneRankOfAHostUsesTheNetwork(Collective collective) {
    int size = 12;
    int root = collective.rooted() ? 7 : 0;
    for (Topology topology : List.of(hosts(size, 5), turns(size, 4))) {
      Problem problem = new Problem(collective, size, root, BLOCKS, false, topology);
      Set<Integer> speakers =
          Conformance.schedules(hierarchical(collective), problem).stream()
              .filter(HierarchicalClaimsTest::usesTheNetwork)
              .map(Schedule::rank)
              .collect(Collectors.toSet());
      Set<Integer> leaders =
          IntStream.range(0, topology.hosts(size))
              .map(host -> host == topology.host(root) ? root : topology.ranksOf(host)[0])
              .boxed()
              .collect(Collectors.toSet());
      assertEquals(leaders, speakers, topology.toString());
    }
  }

  private static boolean usesTheNetwork(Schedule schedule) {
    return schedule.rounds().stream().anyMatch(round -> leavesTheHost(schedule, round));
  }

  private static boolean leavesTheHost(Schedule schedule, Round round) {
    Topology topology = schedule.problem().topology();
    return (round.send() != null
            && topology.level(schedule.rank(), round.send().peer()) == Level.NETWORK)
        || (round.receive() != null
            && topology.level(schedule.rank(), round.receive().peer()) == Level.NETWORK);
  }

  @Test
  void orderNeedsConsecutiveRanksOnEveryHost() {
    for (Collective collective : List.of(Collective.REDUCE, Collective.ALLREDUCE)) {
      Problem problem = new Problem(collective, 6, 0, BLOCKS, true, turns(6, 2));
      assertNotNull(hierarchical(collective).refusal(problem));
      assertNull(hierarchical(collective).refusal(problem.on(hosts(6, 2))));
      assertNull(
          hierarchical(collective)
              .refusal(new Problem(collective, 6, 0, BLOCKS, false, turns(6, 2))));
    }
  }
}
