package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/**
 * The claimed phases are what an algorithm is priced by. That no round exceeds its phase is the
 * verifier's check; here it is that phases do not claim much more than the rounds need.
 */
final class PhasesTest {
  private static final double CLOSE = 0.85;

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void claimsAreCloseToTheLargestMessagesAndCombinations(Algorithm algorithm) {
    for (int size : new int[] {8, 13, 16, 22}) {
      Problem example = Sweep.example(algorithm, size);
      Problem problem =
          algorithm.collective() == Collective.ALLTOALL || algorithm.naturalBlocks(size) > 0
              ? example
              : example.withBlocks(4 * example.size());
      long claimedBlocks = 0;
      long claimedCombined = 0;
      for (Phase phase : algorithm.phases(problem)) {
        claimedBlocks += (long) phase.rounds() * phase.blocks();
        claimedCombined += (long) phase.rounds() * phase.combined();
      }
      long blocks = 0;
      long combined = 0;
      List<Schedule> schedules = Conformance.schedules(algorithm, problem);
      for (int i = 0; i < algorithm.rounds(problem); i++) {
        int round = i;
        blocks += schedules.stream().mapToInt(s -> sent(s, round)).max().orElse(0);
        combined += schedules.stream().mapToInt(s -> combined(s, round)).max().orElse(0);
      }
      String label = algorithm + ", " + problem + ": ";
      assertTrue(
          blocks >= CLOSE * claimedBlocks,
          label + claimedBlocks + " blocks claimed in sequence, but they are " + blocks);
      assertTrue(
          combined >= CLOSE / 2 * claimedCombined,
          label + claimedCombined + " combinations claimed in sequence, but they are " + combined);
    }
  }

  private static Round at(Schedule schedule, int round) {
    return round < schedule.rounds().size() ? schedule.rounds().get(round) : Round.IDLE;
  }

  private static int sent(Schedule schedule, int round) {
    return at(schedule, round).send() == null ? 0 : at(schedule, round).send().size();
  }

  private static int combined(Schedule schedule, int round) {
    int sum = 0;
    for (LocalStep step : at(schedule, round).local()) {
      sum += step instanceof Combine ? step.blocks().size() : 0;
    }
    return sum;
  }

  /** Else such an algorithm would be priced twice as high on networks that are not full-duplex. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void wherePhasesBetweenHostsGoBothWaysSomeRankSendsAndReceivesAtOnce(Algorithm algorithm) {
    boolean both = false;
    boolean claimed = false;
    for (int size : new int[] {8, 13, 22}) {
      Problem problem = Sweep.example(algorithm, size);
      claimed |= algorithm.phases(problem).stream().anyMatch(p -> p.bothWays() && !p.local());
      both |=
          Conformance.schedules(algorithm, problem).stream()
              .flatMap(schedule -> schedule.rounds().stream())
              .anyMatch(round -> round.send() != null && round.receive() != null);
    }
    assertEquals(both, claimed, algorithm::toString);
  }

  /** What such an algorithm sends is from the user's vector, and nothing changed it before. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void independentMessagesWaitForNone(Algorithm algorithm) {
    if (!algorithm.traits().has(Traits.Feature.INDEPENDENT)) {
      int size = Sweep.example(algorithm, 9).size();
      assertTrue(Phase.rounds(algorithm.path(Sweep.example(algorithm, size), true)) > 1);
      return;
    }
    Problem problem = Sweep.example(algorithm, 9);
    assertEquals(1, Phase.rounds(algorithm.path(problem, true)));
    for (Schedule schedule : Conformance.schedules(algorithm, problem)) {
      BitSet changed = new BitSet();
      for (Round round : schedule.rounds()) {
        for (Piece piece : round.send() == null ? List.<Piece>of() : round.send().pieces()) {
          assertEquals(0, piece.slot(), algorithm + ", " + schedule.rank());
          int next = changed.nextSetBit(piece.blocks().from());
          assertTrue(next < 0 || next >= piece.blocks().to(), algorithm + ", " + schedule.rank());
        }
        for (Piece piece : round.receive() == null ? List.<Piece>of() : round.receive().pieces()) {
          if (piece.slot() == 0) {
            changed.set(piece.blocks().from(), piece.blocks().to());
          }
        }
        for (LocalStep step : round.local()) {
          if (step.dst() == 0) {
            changed.set(step.blocks().from(), step.blocks().to());
          }
        }
      }
    }
  }
}
