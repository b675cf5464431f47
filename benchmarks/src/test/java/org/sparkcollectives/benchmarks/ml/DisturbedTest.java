package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.report.Target;

class DisturbedTest {
  private static final Disturbed SPARSE =
      disturbed(
          "sparse:1000",
          new Disturbed.Loss(812, 12, 30, 2913.4, true),
          new Disturbed.Loss(40, 0, 30, 3100, true));

  private static Disturbed disturbed(String problem, Disturbed.Loss... losses) {
    return new Disturbed(
        new Setting(Model.LOGISTIC_REGRESSION, TrainingSet.parse(problem), 3, 4, Double.NaN),
        4,
        new Disturbed.Undisturbed(1500, true),
        List.of(losses));
  }

  private static Report report(Disturbed... all) {
    return Disturbed.report(
        "training-losses",
        Environment.here("here", "benchmarks/run training --kill 2", "4.1.0"),
        Map.of("seed", "1"),
        List.of(all));
  }

  @Test
  void aReportTellsOfEachLoss(@TempDir Path folder) throws Exception {
    Report report = report(SPARSE);
    report.write(folder);
    String page = Files.readString(folder.resolve("training-losses.md"));
    for (String line :
        List.of(
            "- sparse:1000 in 3 partitions, undisturbed: 1500 ms, twice the same bits",
            "- sparse:1000 in 3 partitions, loss 1: an executor lost after 812 ms, the last attempt"
                + " from iteration 12 to 30, 2913 ms in all, the same bits",
            "- sparse:1000 in 3 partitions, loss 2: an executor lost after 40 ms, the last attempt"
                + " from iteration 0 to 30, 3100 ms in all, the same bits",
            "- sparse:1000 in 3 partitions, in all: 2 of 2 trainings that lost an executor brought"
                + " the same bits; 1 went on from a state that was kept",
            "- command: `benchmarks/run training --kill 2`",
            "- seed: 1")) {
      assertTrue(page.contains(line + "\n"), page);
    }
    assertEquals(
        List.of(List.of(1_500_000.0), List.of(2_913_400.0, 3_100_000.0)),
        report.measurements().stream().map(Measurement::samples).toList());
    assertTrue(page.contains("| the library's estimator, sparse:1000, an executor lost |"), page);
    assertEquals(List.of(true), report.targets().stream().map(Target::met).toList());
  }

  @Test
  void aModelWithOtherBitsMissesTheTargetOfItsProblem() {
    Disturbed wrong =
        disturbed(
            "sparse:2000",
            new Disturbed.Loss(10, 3, 30, 2000, false),
            new Disturbed.Loss(20, 0, 30, 2000, true));
    Report report = report(SPARSE, wrong);
    assertEquals(0, SPARSE.wrong());
    assertEquals(1, wrong.wrong());
    assertEquals(
        List.of(
            "sparse:1000 in 3 partitions: trainings that lost an executor, models with other bits",
            "sparse:2000 in 3 partitions: trainings that lost an executor, models with other bits"),
        report.targets().stream().map(Target::name).toList());
    assertEquals(List.of(true, false), report.targets().stream().map(Target::met).toList());
    assertEquals(
        List.of("0.0 models", "1.0 models"), report.targets().stream().map(Target::value).toList());
    assertTrue(report.markdown().contains("2000 ms in all, OTHER BITS\n"), report.markdown());
  }
}
