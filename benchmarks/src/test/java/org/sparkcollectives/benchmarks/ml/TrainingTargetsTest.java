package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  /** Of ten million coefficients, a vector of which has 80 MB. */
  @Test
  void memoryOfLongVectorsIsThatOfTheNotes() {
    Memory.Bytes most = new Memory.Bytes(160_000_000, List.of(80_000_000L, 248_000_000L));
    Trained ours =
        trained("sparse:10000000", Trainer.PLUGIN, new Pace(9, 60_000, 1, 0, 2, 58), most);
    List<Target> targets = TrainingTargets.of(List.of(ours));
    assertEquals(
        List.of("2.0 vectors", "3.1 vectors"), targets.stream().map(Target::value).toList());
    assertEquals(List.of(true, false), targets.stream().map(Target::met).toList());
    String note = ours.memory();
    assertTrue(note.contains("driver: 153 MiB above 0 (2.0 vectors)"), note);
    assertTrue(note.contains("237 MiB above 0 (3.1 vectors)"), note);
  }

  @Test
  void memoryOfShorterVectorsIsNotJudged() {
    Memory.Bytes most = new Memory.Bytes(160_000_000, List.of(80_000_000L, 248_000_000L));
    Pace pace = new Pace(9, 60_000, 1, 0, 2, 58);
    assertEquals(
        List.of(),
        TrainingTargets.of(List.of(trained("sparse:9999999", Trainer.PLUGIN, pace, most))));
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
    return trained("sparse:1000000", trainer, pace, new Memory.Bytes(1, List.of(1L)));
  }

  private static Trained trained(String problem, Trainer trainer, Pace pace, Memory.Bytes most) {
    Memory.Bytes bytes = new Memory.Bytes(1, List.of(1L));
    return new Trained(
        new Setting(Model.LOGISTIC_REGRESSION, TrainingSet.parse(problem), 16, 4, 25e6),
        trainer,
        List.of(
            new Trained.Run(
                1e6,
                pace,
                pace.iterations(),
                Coefficients.of(new double[] {1}),
                new Traffic(1, 1),
                bytes)),
        new Memory.Live(bytes, most));
  }
}
