package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.verify.Verification;

/** What all ranks of each host, as leaders, send where in reduce-scatters and allgathers. */
final class HostColumnsClaimsTest {

  private static Topology hosts(int size, IntUnaryOperator hostOf) {
    return Topology.ofHosts(IntStream.range(0, size).map(hostOf).boxed().toList());
  }

  private static List<Topology> consecutiveAndInTurns(int hosts, int each) {
    return List.of(
        hosts(hosts * each, rank -> rank / each), hosts(hosts * each, rank -> rank % hosts));
  }

  private static Problem problem(Collective collective, Topology topology) {
    int size = topology.size();
    return new Problem(collective, size, 0, size, false, topology);
  }

  private static Algorithm algorithm(Collective collective) {
    return Algorithms.find(collective, "multi-leader");
  }

  /** (1 - 1/h) of the vector each way, the least possible. */
  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER"})
  void aCardCarriesNoMoreThanItHasToBetweenRanksOfOneNumber(Collective collective) {
    for (int hosts = 2; hosts <= 6; hosts++) {
      for (int each = 2; each <= 5; each++) {
        for (Topology topology : consecutiveAndInTurns(hosts, each)) {
          int[] sent = new int[hosts];
          int[] received = new int[hosts];
          for (Schedule schedule :
              Conformance.schedules(algorithm(collective), problem(collective, topology))) {
            int rank = schedule.rank();
            for (Round round : schedule.rounds()) {
              Send send = round.send();
              if (send != null && topology.level(rank, send.peer()) == Level.NETWORK) {
                sent[topology.host(rank)] += send.size();
                received[topology.host(send.peer())] += send.size();
                assertEquals(numberOnHost(topology, rank), numberOnHost(topology, send.peer()));
              }
            }
          }
          int[] least = new int[hosts];
          Arrays.fill(least, (hosts - 1) * each);
          assertArrayEquals(least, sent);
          assertArrayEquals(least, received);
        }
      }
    }
  }

  private static int numberOnHost(Topology topology, int rank) {
    return Arrays.binarySearch(topology.ranksOf(topology.host(rank)), rank);
  }

  /**
   * Before its first message to another host a rank has exchanged two hosts' parts, not all; after
   * its last one in an allgather.
   */
  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER"})
  void theNetworkWaitsForTwoOfTheHostsParts(Collective collective) {
    Topology topology = hosts(24, rank -> rank / 4);
    for (Schedule schedule :
        Conformance.schedules(algorithm(collective), problem(collective, topology))) {
      int[] between =
          IntStream.range(0, schedule.rounds().size())
              .filter(round -> crosses(topology, schedule, round))
              .toArray();
      int idle = 2 * 3;
      assertEquals(5, between.length);
      assertEquals(collective == Collective.ALLGATHER ? 0 : idle, between[0]);
      assertEquals(22 - (collective == Collective.ALLGATHER ? idle : 0), between[4]);
    }
  }

  private static boolean crosses(Topology topology, Schedule schedule, int round) {
    Send send = schedule.rounds().get(round).send();
    return send != null && topology.level(schedule.rank(), send.peer()) == Level.NETWORK;
  }

  /** The more blocks a part has, the less of it the network waits for. */
  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER"})
  void theNetworkWaitsForTwoBlocksOfEachPart(Collective collective) {
    Problem problem = problem(collective, hosts(12, rank -> rank / 4)).withBlocks(12 * 5);
    Schedule schedule = Conformance.schedules(algorithm(collective), problem).get(7);
    List<Integer> between =
        IntStream.range(0, schedule.rounds().size())
            .filter(round -> crosses(problem.topology(), schedule, round))
            .boxed()
            .toList();
    assertEquals(2 * 5, between.size());
    assertEquals(collective == Collective.ALLGATHER ? 0 : 6, between.get(0));
    for (int block : between) {
      assertEquals(1, schedule.rounds().get(block).send().size());
    }
    Verification report = Conformance.verify(algorithm(collective), problem);
    assertTrue(report.isCorrect(), report::toString);
  }

  /** A block waits for another message once within its host and once between two. */
  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER"})
  void theLongestPathHasAMessageWithinAHostAndOneBetween(Collective collective) {
    assertEquals(List.of(true, false), local(collective, hosts(12, rank -> rank / 4)));
    assertEquals(List.of(true), local(collective, hosts(4, rank -> 0)));
    Problem flat = new Problem(collective, 5, 0, 5, false, Topology.FLAT);
    assertEquals(1, Phase.rounds(algorithm(collective).path(flat, true)));
  }

  private static List<Boolean> local(Collective collective, Topology topology) {
    return algorithm(collective).path(problem(collective, topology), true).stream()
        .map(Phase::local)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"REDUCE_SCATTER", "ALLGATHER"})
  void hostsNeedAsManyRanksEachButInAnySequence(Collective collective) {
    Problem uneven = problem(collective, hosts(6, rank -> rank / 4));
    assertEquals("it needs as many ranks on every host", algorithm(collective).refusal(uneven));
    Problem mixed = problem(collective, hosts(6, rank -> (rank + 1) / 2 % 2));
    assertNull(algorithm(collective).refusal(mixed));
    Verification report = Conformance.verify(algorithm(collective), mixed);
    assertTrue(report.isCorrect(), report::toString);
  }
}
