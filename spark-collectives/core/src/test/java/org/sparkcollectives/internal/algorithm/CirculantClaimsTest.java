package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.algorithm.pattern.CyclicParts;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/** What the papers promise of algorithms on circulant graphs. */
final class CirculantClaimsTest {
  private static final int LARGEST = 300;

  private static Problem problem(Collective collective, int size, int blocks) {
    return new Problem(collective, size, 0, blocks, false);
  }

  /** A block cannot leave the root before round b - 1, nor reach all in fewer rounds than log p. */
  @Test
  void broadcastAndReduceTakeTheFewestRoundsPossible() {
    for (int size = 2; size <= LARGEST; size++) {
      for (int blocks : new int[] {1, 2, 3, 8, 64}) {
        int fewest = blocks - 1 + Powers.ceilLog2(size);
        for (Collective collective : List.of(Collective.BROADCAST, Collective.REDUCE)) {
          Algorithm algorithm = Algorithms.find(collective, "circulant");
          assertEquals(fewest, algorithm.rounds(problem(collective, size, blocks)));
        }
      }
    }
  }

  /** A rank that has got its first block receives one in each round but one of the period. */
  @Test
  void everyRankReceivesEachBlockOfABroadcastOnce() {
    int blocks = 50;
    Algorithm algorithm = Algorithms.find(Collective.BROADCAST, "circulant");
    for (int size : new int[] {2, 5, 17, 32, 100}) {
      Problem problem = problem(Collective.BROADCAST, size, blocks);
      for (Schedule schedule : Conformance.schedules(algorithm, problem)) {
        long received = schedule.rounds().stream().filter(r -> r.receive() != null).count();
        assertEquals(schedule.rank() == 0 ? 0 : blocks, received, "p = " + size);
      }
    }
  }

  @Test
  void reduceScatterAndAllgatherTakeTheFewestRoundsAndSendTheLeast() {
    Algorithm algorithm = Algorithms.find(Collective.ALLREDUCE, "circulant");
    for (int size = 2; size <= LARGEST; size++) {
      Problem problem = problem(Collective.ALLREDUCE, size, size);
      assertEquals(2 * Powers.ceilLog2(size), algorithm.rounds(problem));
      assertEquals(2L * (size - 1), algorithm.blocksSent(problem));
    }
  }

  @Test
  void allRanksSendReceiveAndCombineAllPartsButOne() {
    Algorithm algorithm = Algorithms.find(Collective.ALLREDUCE, "circulant");
    for (int size = 2; size <= 64; size++) {
      for (Schedule schedule : Conformance.schedules(algorithm, problem(algorithm, size))) {
        long sent = 0;
        long received = 0;
        long combined = 0;
        for (Round round : schedule.rounds()) {
          assertTrue(round.send() != null && round.receive() != null);
          assertTrue(round.send().pieces().size() <= 2);
          sent += round.send().size();
          received += round.receive().size();
          combined += round.local().stream().mapToLong(step -> step.blocks().size()).sum();
        }
        assertEquals(2L * (size - 1), sent);
        assertEquals(sent, received);
        assertEquals(size - 1, combined);
      }
    }
  }

  private static Problem problem(Algorithm algorithm, int size) {
    return problem(algorithm.collective(), size, size);
  }

  @Test
  void theLargestMessageCarriesHalfOfTheParts() {
    Algorithm algorithm = Algorithms.find(Collective.ALLREDUCE, "circulant");
    for (int size = 2; size <= LARGEST; size++) {
      int largest =
          algorithm.phases(problem(algorithm, size)).stream()
              .mapToInt(phase -> phase.blocks())
              .max()
              .orElse(0);
      assertEquals(size / 2, largest);
    }
  }

  @Test
  void twentyTwoRanksSendElevenFiveThreeOneAndOnePart() {
    CyclicParts parts = new CyclicParts(22, 22);
    assertEquals(
        List.of(11, 5, 3, 1, 1),
        parts.reduceScatterPhases().stream().map(phase -> phase.blocks()).toList());
  }

  @Test
  void doublingSkipsLeaveTheRestToTheLastRound() {
    CyclicParts parts = CyclicParts.doubling(21, 21);
    assertEquals(
        List.of(1, 2, 4, 8, 5),
        parts.allgatherPhases().stream().map(phase -> phase.blocks()).toList());
  }
}
