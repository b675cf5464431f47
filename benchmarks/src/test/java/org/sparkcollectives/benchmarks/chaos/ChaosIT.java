package org.sparkcollectives.benchmarks.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.benchmarks.cluster.Network;

/** Every kind of fault, three times, between five processes. */
@Timeout(300)
class ChaosIT {
  private static final long SEED = Long.getLong("chaos.seed", 20);
  private static final int FAULTS = 53;
  private static final int RANKS = 5;
  private static final long DEADLINE_MILLIS = 1200;
  private static final double SLACK = 6;

  @Test
  void everyFaultEndsAsPromised() throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    try (Network one = Network.loopback(RANKS);
        Trials trials = new Trials(one, DEADLINE_MILLIS, SLACK)) {
      trials.warmUp();
      for (Fault fault : Fault.of(FAULTS, SEED, Kind.of(false), RANKS)) {
        outcomes.add(trials.run(fault));
      }
    }
    assertEquals(
        List.of(),
        Outcomes.complaints(outcomes),
        () ->
            "benchmarks/run chaos --seed %d --faults %d --deadline %d --slack %.0f\n%s"
                .formatted(SEED, FAULTS, DEADLINE_MILLIS, SLACK, outcomes));
    List<Outcome> missed = outcomes.stream().filter(o -> o.end() == Outcome.End.MISSED).toList();
    assertTrue(missed.size() <= FAULTS / 8, () -> "faults that did not happen: " + missed);
  }
}
