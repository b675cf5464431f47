package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.benchmarks.report.Tables;

/** What has come of the faults of a run, as tables. */
public final class Outcomes {
  private static final double MICROS_PER_MILLI = 1000;

  private Outcomes() {}

  /** Makes a fault happen. */
  @FunctionalInterface
  public interface Trial<F extends Case> {
    /**
     * Makes it happen and looks what comes of it.
     *
     * @param fault the fault
     * @return what has come
     * @throws IOException if that cannot be found out, and no further fault can be looked at
     */
    Outcome run(F fault) throws IOException;
  }

  /**
   * Makes faults happen, one after another, until what comes of one cannot be found out.
   *
   * @param faults the faults
   * @param trial makes one happen
   * @param progress told each outcome
   * @param <F> the faults' class
   * @return the outcomes, in order; the last may be one that is not known
   */
  public static <F extends Case> List<Outcome> of(
      List<F> faults, Trial<F> trial, Consumer<String> progress) {
    List<Outcome> outcomes = new ArrayList<>();
    boolean known = true;
    for (int i = 0; known && i < faults.size(); i++) {
      Outcome outcome = outcome(faults.get(i), trial);
      outcomes.add(outcome);
      progress.accept(outcome.toString());
      known = outcome.end() != Outcome.End.UNKNOWN;
    }
    return outcomes;
  }

  private static <F extends Case> Outcome outcome(F fault, Trial<F> trial) {
    try {
      return trial.run(fault);
    } catch (IOException e) {
      String reason = "nobody knows what came of it, and there were no more faults: " + e;
      return new Outcome(fault, Outcome.End.UNKNOWN, 0, "", List.of(reason));
    }
  }

  /**
   * Tells of a run.
   *
   * @param name the report's name
   * @param environment where it ran
   * @param settings what was asked for
   * @param kinds all kinds of faults, in the order of rows
   * @param ends the ends that have a column
   * @param outcomes all of the run
   * @return the report
   */
  public static TableReport report(
      String name,
      Environment environment,
      Map<String, String> settings,
      FaultKind[] kinds,
      List<Outcome.End> ends,
      List<Outcome> outcomes) {
    List<String> texts = Stream.of(kinds).map(FaultKind::text).toList();
    return new TableReport(
        name,
        environment,
        settings,
        table(texts, ends, outcomes),
        lines(outcomes),
        complaints(outcomes));
  }

  /**
   * Kinds and their outcomes.
   *
   * @param kinds the text of each kind, in the order of rows; a kind without faults has none
   * @param ends the ends that have a column
   * @param outcomes all of the run
   * @return rows, the first of them the header, the last of them all faults together
   */
  public static List<List<String>> table(
      List<String> kinds, List<Outcome.End> ends, List<Outcome> outcomes) {
    List<List<String>> rows = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("kind", "faults"));
    ends.forEach(end -> header.add(end.toString().toLowerCase(Locale.ROOT)));
    header.addAll(List.of("recovery: median", "max", "not as promised"));
    rows.add(header);
    for (String kind : kinds) {
      List<Outcome> of = outcomes.stream().filter(o -> o.fault().text().equals(kind)).toList();
      if (!of.isEmpty()) {
        rows.add(row(kind, ends, of));
      }
    }
    rows.add(row("all", ends, outcomes));
    return rows;
  }

  private static List<String> row(String name, List<Outcome.End> ends, List<Outcome> of) {
    List<Double> recoveries =
        of.stream()
            .filter(o -> o.end() != Outcome.End.MISSED && o.end() != Outcome.End.UNKNOWN)
            .map(o -> o.recoveryMillis() * MICROS_PER_MILLI)
            .toList();
    Summary summary = recoveries.isEmpty() ? null : Summary.of(recoveries);
    List<String> row = new ArrayList<>(List.of(name, Integer.toString(of.size())));
    for (Outcome.End end : ends) {
      row.add(Long.toString(of.stream().filter(o -> o.end() == end).count()));
    }
    row.add(summary == null ? "–" : Tables.micros(summary.median()));
    row.add(summary == null ? "–" : Tables.micros(summary.max()));
    row.add(Long.toString(of.stream().filter(o -> !o.complaints().isEmpty()).count()));
    return row;
  }

  /**
   * Every fault.
   *
   * @param outcomes all of the run
   * @return rows, the first of them the header
   */
  public static List<List<String>> lines(List<Outcome> outcomes) {
    List<List<String>> rows = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (rows.isEmpty()) {
        List<String> header = new ArrayList<>(outcome.fault().particulars().keySet());
        header.addAll(List.of("end", "recovery_millis", "message", "complaints"));
        rows.add(header);
      }
      List<String> row = new ArrayList<>(outcome.fault().particulars().values());
      row.add(outcome.end().toString());
      row.add(Long.toString(outcome.recoveryMillis()));
      row.add(outcome.message());
      row.add(String.join("; ", outcome.complaints()));
      rows.add(row);
    }
    return rows;
  }

  /**
   * All that is not as promised.
   *
   * @param outcomes all of the run
   * @return sentences, each with its fault
   */
  public static List<String> complaints(List<Outcome> outcomes) {
    return outcomes.stream()
        .flatMap(o -> o.complaints().stream().map(c -> o.fault() + ": " + c))
        .toList();
  }
}
