package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
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
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;

/** Algorithms that know hosts, where several ranks share one. */
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

  /** The root's message to a host, and a host's message to the root, are of its whole part. */
  @ParameterizedTest
  @EnumSource(names = {"SCATTER", "GATHER"})
  void eachHostHearsOrSendsOneMessageFromOrToTheRootsTree(Collective collective) {
    int size = 12;
    for (Topology topology : List.of(hosts(size, 5), hosts(size, 4), turns(size, 4), UNEVEN)) {
      for (int root = 0; root < size; root++) {
        Problem problem = new Problem(collective, size, root, size, true, topology);
        int[] messages = new int[topology.hosts(size)];
        int[] blocks = new int[messages.length];
        for (Message message : crossing(hierarchical(collective), problem)) {
          messages[message.from()]++;
          messages[message.to()]++;
          blocks[collective == Collective.SCATTER ? message.from() : message.to()] +=
              message.blocks();
        }
        int rootHost = topology.host(root);
        assertEquals(size - topology.ranksOf(rootHost).length, blocks[rootHost]);
        int all = IntStream.of(messages).sum();
        assertEquals(2 * (messages.length - 1), all, "a tree of hosts");
      }
    }
  }

  /**
   * Where hosts have fewer ranks than there are other hosts; else several share what is for one.
   */
  @Test
  void eachHostSendsEachOtherHostOneMessageOfAllThatTheirRanksHaveForEachOther() {
    for (Topology topology : List.of(hosts(12, 3), turns(12, 4), UNEVEN)) {
      Problem problem = new Problem(Collective.ALLTOALL, 12, 0, 144, true, topology);
      List<Message> crossing = crossing(hierarchical(Collective.ALLTOALL), problem);
      int hosts = topology.hosts(12);
      assertEquals(hosts * (hosts - 1), crossing.size());
      assertEquals(
          crossing.size(),
          crossing.stream().map(each -> each.from() * 12 + each.to()).distinct().count());
      for (Message message : crossing) {
        int pairs = topology.ranksOf(message.from()).length * topology.ranksOf(message.to()).length;
        assertEquals(pairs, message.blocks());
      }
    }
    Problem two = new Problem(Collective.ALLTOALL, 12, 0, 144, true, turns(12, 2));
    List<Message> shared = crossing(hierarchical(Collective.ALLTOALL), two);
    assertEquals(12, shared.size());
    assertTrue(shared.stream().allMatch(each -> each.blocks() == 6));
  }

  private static final Topology UNEVEN =
      Topology.ofHosts(List.of(0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3));

  /** A message between hosts. */
  private record Message(int from, int to, int blocks) {}

  private static List<Message> crossing(Algorithm algorithm, Problem problem) {
    List<Message> crossing = new ArrayList<>();
    Topology topology = problem.topology();
    for (Schedule schedule : Conformance.schedules(algorithm, problem)) {
      for (Round round : schedule.rounds()) {
        Send send = round.send();
        if (send != null && topology.level(schedule.rank(), send.peer()) == Level.NETWORK) {
          int from = topology.host(schedule.rank());
          crossing.add(new Message(from, topology.host(send.peer()), send.size()));
        }
      }
    }
    return crossing;
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
