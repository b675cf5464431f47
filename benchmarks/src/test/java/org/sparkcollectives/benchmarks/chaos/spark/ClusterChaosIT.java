package org.sparkcollectives.benchmarks.chaos.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.benchmarks.chaos.Outcome;
import org.sparkcollectives.benchmarks.chaos.Outcomes;

/** Every kind of fault in a cluster of Spark. */
@Timeout(600)
class ClusterChaosIT {
  private static final long SEED = Long.getLong("chaos.seed", 20);
  private static final int FAULTS = 7;
  private static final int EXECUTORS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final double SLACK = 3;

  @Test
  void everyFaultEndsAsPromised() throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    List<ClusterKind> kinds = Arrays.asList(ClusterKind.values());
    Path logs = Path.of("target", "chaos-logs");
    try (ClusterTrials trials = new ClusterTrials(EXECUTORS, TIMEOUT, SLACK, logs)) {
      trials.warmUp();
      for (ClusterFault fault : ClusterFault.of(FAULTS, SEED, kinds, EXECUTORS)) {
        outcomes.add(trials.run(fault));
      }
    }
    assertEquals(
        List.of(),
        Outcomes.complaints(outcomes),
        () ->
            "benchmarks/run chaos-spark --seed %d --faults %d --executors %d --slack %.0f\n%s"
                .formatted(SEED, FAULTS, EXECUTORS, SLACK, outcomes));
    List<Outcome> missed = outcomes.stream().filter(o -> o.end() == Outcome.End.MISSED).toList();
    assertTrue(missed.size() <= FAULTS / 2, () -> "faults that did not happen: " + missed);
  }
}
