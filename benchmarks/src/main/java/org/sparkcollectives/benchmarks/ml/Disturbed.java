package org.sparkcollectives.benchmarks.ml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.report.Target;

/**
 * What trainings by the library's estimator have shown of which each lost an executor.
 *
 * @param setting what was trained where
 * @param executors how many executors there are
 * @param undisturbed what trainings are like that lose none
 * @param losses the trainings that lost one, at least one
 */
record Disturbed(Setting setting, int executors, Undisturbed undisturbed, List<Loss> losses) {

  /** Copies the list. */
  Disturbed {
    losses = List.copyOf(losses);
  }

  /**
   * Two trainings that lost no executor.
   *
   * @param millis how long the second took
   * @param same whether both brought the same bits
   */
  record Undisturbed(double millis, boolean same) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%.0f ms, %s", millis, same ? "twice the same bits" : "twice, OTHER BITS");
    }
  }

  /**
   * A training that lost an executor.
   *
   * @param afterMillis when, counted from when that executor began to read its rows
   * @param resumedAt the iteration from which the last attempt went on; 0 for the start
   * @param iterations how many there were
   * @param millis how long it took with all attempts
   * @param same whether it brought the bits of a training that loses none
   */
  record Loss(long afterMillis, int resumedAt, int iterations, double millis, boolean same) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "an executor lost after %d ms, the last attempt from iteration %d to %d, %.0f ms in all,"
              + " %s",
          afterMillis,
          resumedAt,
          iterations,
          millis,
          same ? "the same bits" : "OTHER BITS");
    }
  }

  /** How many models have other bits than that of a training that loses none. */
  long wrong() {
    return losses.stream().filter(loss -> !loss.same).count();
  }

  /** What has come of all losses. */
  String sum() {
    return String.format(
        Locale.ROOT,
        "%d of %d trainings that lost an executor brought the same bits; %d went on from a state"
            + " that was kept",
        losses.size() - wrong(),
        losses.size(),
        losses.stream().filter(loss -> loss.resumedAt > 0).count());
  }

  /**
   * Tells of a run.
   *
   * @param name the report's name
   * @param environment where it ran
   * @param settings what was asked for
   * @param all what was shown in each setting
   */
  static Report report(
      String name, Environment environment, Map<String, String> settings, List<Disturbed> all) {
    List<Measurement> measurements = new ArrayList<>();
    Map<String, String> findings = new LinkedHashMap<>();
    List<Target> targets = new ArrayList<>();
    for (Disturbed each : all) {
      each.addTo(measurements, findings, targets);
    }
    return new Report(
        name,
        environment,
        settings,
        Map.of(
            Measurement.END_TO_END,
            "from the call of fit on cached rows until it returns the model, with all attempts"),
        measurements,
        findings,
        targets);
  }

  private void addTo(
      List<Measurement> measurements, Map<String, String> findings, List<Target> targets) {
    measurements.add(measured("undisturbed", List.of(undisturbed.millis)));
    measurements.add(measured("an executor lost", losses.stream().map(Loss::millis).toList()));
    findings.put(setting + ", undisturbed", undisturbed.toString());
    for (int i = 0; i < losses.size(); i++) {
      findings.put(setting + ", loss " + (i + 1), losses.get(i).toString());
    }
    findings.put(setting + ", in all", sum());
    targets.add(
        new Target(
            setting + ": trainings that lost an executor, models with other bits",
            wrong(),
            1,
            false,
            "models"));
  }

  private Measurement measured(String how, List<Double> millis) {
    return new Measurement(
        Trainer.ESTIMATOR.title() + ", " + setting.problem().name() + ", " + how,
        executors,
        setting.partitions(),
        setting.bytes(),
        Measurement.END_TO_END,
        millis.stream().map(each -> 1e3 * each).toList());
  }
}
