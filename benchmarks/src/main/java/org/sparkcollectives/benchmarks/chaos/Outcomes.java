package org.sparkcollectives.benchmarks.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.benchmarks.report.Tables;

/** What has come of the faults of a run, as tables. */
public final class Outcomes {
  private static final double MICROS_PER_MILLI = 1000;

  private Outcomes() {}

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
            .filter(o -> o.end() != Outcome.End.MISSED)
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
