package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.algorithm.pattern.CyclicParts;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.verify.Verification;

/** What several leaders of each host send where. */
final class MultiLeaderClaimsTest {
  private static final Algorithm ALGORITHM = Algorithms.find(Collective.ALLREDUCE, "multi-leader");

  private static Topology hosts(int... lengths) {
    List<Integer> hosts = new ArrayList<>();
    for (int host = 0; host < lengths.length; host++) {
      for (int rank = 0; rank < lengths[host]; rank++) {
        hosts.add(host);
      }
    }
    return Topology.ofHosts(hosts);
  }

  private static Topology turns(int hosts, int length) {
    return Topology.ofHosts(
        IntStream.range(0, hosts * length).map(rank -> rank % hosts).boxed().toList());
  }

  private static Problem problem(Topology topology, int blocks) {
    return new Problem(Collective.ALLREDUCE, topology.size(), 0, blocks, false, topology);
  }

  private record Message(int from, int to, int blocks) {}

  private static List<Message> crossing(Problem problem) {
    Topology topology = problem.topology();
    List<Message> crossing = new ArrayList<>();
    for (Schedule schedule : Conformance.schedules(ALGORITHM, problem)) {
      for (Round round : schedule.rounds()) {
        Send send = round.send();
        if (send != null && topology.level(schedule.rank(), send.peer()) == Level.NETWORK) {
          crossing.add(new Message(schedule.rank(), send.peer(), send.size()));
        }
      }
    }
    return crossing;
  }

  private static Set<Integer> speakers(Topology topology) {
    return crossing(problem(topology, 120)).stream()
        .map(Message::from)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** 2(1 - 1/h) vectors: what no all-reduce can do with less where h is the number of hosts. */
  @Test
  void aCardCarriesNoMoreThanItHasTo() {
    for (int hosts = 2; hosts <= 8; hosts++) {
      for (int length = 2; length <= 6; length++) {
        int[] lengths = new int[hosts];
        Arrays.fill(lengths, length);
        for (Topology topology : List.of(hosts(lengths), turns(hosts, length))) {
          int[] sent = new int[hosts];
          int[] received = new int[hosts];
          for (Message message : crossing(problem(topology, hosts * length))) {
            sent[topology.host(message.from())] += message.blocks();
            received[topology.host(message.to())] += message.blocks();
          }
          int[] least = new int[hosts];
          Arrays.fill(least, 2 * (hosts - 1) * length);
          assertEquals(Arrays.toString(least), Arrays.toString(sent));
          assertEquals(Arrays.toString(least), Arrays.toString(received));
        }
      }
    }
  }

  @Test
  void leadersOfASliceTalkToEachOtherAlone() {
    Topology topology = turns(5, 3);
    for (Message message : crossing(problem(topology, 45))) {
      assertEquals(message.from() / 5, message.to() / 5, message::toString);
      assertTrue(message.blocks() <= 45 / 3 * 2 / 5, message::toString);
    }
  }

  @Test
  void theHostOfFewestRanksSaysHowManyLeadersThereAre() {
    assertEquals(Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), speakers(hosts(4, 4, 4)));
    assertEquals(Set.of(0, 1, 2, 4, 5, 6, 7, 8, 9), speakers(hosts(4, 3, 3)));
    assertEquals(Set.of(0, 1, 2, 3, 5, 6), speakers(hosts(2, 3, 5)));
    assertEquals(Set.of(0, 1, 6), speakers(hosts(1, 5, 2)));
  }

  @Test
  void unevenHostsAndShortVectorsAreSummedRight() {
    for (Topology topology :
        List.of(hosts(1, 5, 2), hosts(2, 3, 5), hosts(7, 2), hosts(3, 13, 4), hosts(5, 1))) {
      for (int blocks : new int[] {1, 2, 3, 5, 6 * topology.size()}) {
        Problem problem = problem(topology, blocks);
        Verification report = Conformance.verify(ALGORITHM, problem);
        assertTrue(report.isCorrect(), () -> problem + "\n" + report);
      }
    }
  }

  /** Every rank but one gives each block away once, and every rank but one gets each result. */
  @Test
  void nothingIsSentThatTheReceiverKnows() {
    for (int[] lengths : new int[][] {{1, 2}, {1, 5, 2}, {2, 3, 5}, {3, 13, 4}, {4, 4, 3}}) {
      Topology topology = hosts(lengths);
      for (int blocks : new int[] {1, 3, 6 * topology.size()}) {
        long sent =
            Conformance.schedules(ALGORITHM, problem(topology, blocks)).stream()
                .flatMap(schedule -> schedule.rounds().stream())
                .mapToLong(round -> round.send() == null ? 0 : round.send().size())
                .sum();
        assertEquals(2L * (topology.size() - 1) * blocks, sent, topology::toString);
      }
    }
  }

  @Test
  void membersBeyondTheOwnersOfPartsOwnNone() {
    CyclicParts parts = new CyclicParts(new BlockRange(10, 22), 5, 3, member -> member);
    assertEquals(
        List.of(10, 14, 18, 22, 22),
        IntStream.range(0, 5).mapToObj(rank -> parts.part(rank).from()).toList());
    assertEquals(0, parts.part(4).size());
    assertEquals(12, parts.reduceScatterVolume());
    assertEquals(
        List.of(8, 4, 4), parts.reduceScatterPhases().stream().map(p -> p.blocks()).toList());
  }
}
