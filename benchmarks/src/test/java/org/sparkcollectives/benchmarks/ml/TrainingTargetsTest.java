package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Target;

class TrainingTargetsTest {
  private static final String BOUND = "an iteration, of the bound of its allreduces and its rows";

  /** Of a million coefficients allreduces carry a tenth: 48 ms, beside 2 of rows, of 60. */
  @Test
  void anIterationIsComparedWithAllreducesOfTheNumbersThatTheyCarry() {
    List<Target> targets = targets(new Pace(10, 60_000, 1, 100_000, 2, 58));
    assertEquals(List.of(120.0), measured(targets));
    assertEquals(
        List.of(Math.round(60 / 482.0 * 100 * 1e9) / 1e9),
        measured(targets(new Pace(10, 60_000, 1, 0, 2, 0))));
  }

  @Test
  void fewIterationsAreNotJudged() {
    assertEquals(List.of(), measured(targets(new Pace(9, 60_000, 1, 100_000, 2, 58))));
  }

  /** A run without MLlib has nothing to be compared with, but the bound is the cards'. */
  @Test
  void anIterationIsComparedWithItsBoundWithoutMllibToo() {
    Trained plugin = trained(Trainer.PLUGIN, new Pace(10, 60_000, 1, 100_000, 2, 58));
    Trained own = trained(Trainer.ESTIMATOR, new Pace(10, 50_000, 1, 100_000, 2, 48));
    List<Target> targets = TrainingTargets.of(List.of(plugin, own));
    assertEquals(List.of(120.0, 100.0), measured(targets));
    assertEquals(2, targets.size(), targets.toString());
  }

  @Test
  void mllibIsHeldToNoBound() {
    assertEquals(
        List.of(),
        TrainingTargets.of(List.of(trained(Trainer.MLLIB, new Pace(10, 60_000, 1, 9, 2, 58)))));
  }

  private static List<Double> measured(List<Target> targets) {
    return targets.stream()
        .filter(target -> target.name().endsWith(BOUND))
        .map(target -> Math.round(target.measured() * 1e9) / 1e9)
        .toList();
  }

  private static List<Target> targets(Pace pace) {
    return TrainingTargets.of(
        List.of(
            trained(Trainer.MLLIB, new Pace(10, 300_000, 1, 0, 0, 0)),
            trained(Trainer.PLUGIN, pace)));
  }

  private static Trained trained(Trainer trainer, Pace pace) {
    TrainingSet problem = TrainingSet.parse("sparse:1000000");
    Memory.Bytes bytes = new Memory.Bytes(1, List.of(1L));
    return new Trained(
        new Setting(Model.LOGISTIC_REGRESSION, problem, 16, 4, 25e6),
        trainer,
        List.of(
            new Trained.Run(
                1e6,
                pace,
                pace.iterations(),
                Coefficients.of(new double[] {1}),
                new Traffic(1, 1),
                bytes)),
        new Memory.Live(bytes, bytes));
  }
}
