package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

class PaceTest {
  @Test
  void ofAStageByWhatItTells() {
    TrainingEvent training = new TrainingEvent();
    training.iterations = 25;
    training.resumedAt = 5;
    training.evaluations = 40;
    training.coefficients = 1234;
    training.iterationsMillis = 600;
    training.iterationsEvaluations = 30;
    training.iterationsComputingMillis = 120;
    training.iterationsCommunicatingMillis = 300;
    assertEquals(new Pace(20, 30_000, 1.5, 1234, 6, 15), Pace.of(training));
    training.resumedAt = 25;
    assertThrows(IllegalStateException.class, () -> Pace.of(training));
  }

  @Test
  void ofALoopByTheEndsOfItsJobs() {
    List<Long> evaluations = List.of(1_000L, 1_100L, 1_150L, 1_300L, 1_360L);
    assertEquals(new Pace(3, 120_000, 4.0 / 3, 0, 0, 0), Pace.of(evaluations, 3));
    assertEquals(
        new Pace(4, 90_000, 1, 0, 0, 0), Pace.of(evaluations, 5), "a job for each iteration");
    assertThrows(IllegalStateException.class, () -> Pace.of(List.of(1_000L), 1));
    assertThrows(IllegalStateException.class, () -> Pace.of(List.of(), 9));
  }
}
