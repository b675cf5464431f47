package org.sparkcollectives.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.schedule.Level;

/** A report's rows as cells for people. */
final class ClusterTables {
  /** The columns of {@link #cells(Row)}. */
  static final List<String> HEADER =
      List.of(
          "vector",
          "contender",
          "ran",
          "blocks",
          "min",
          "median",
          "max",
          "bound",
          "median ÷ bound",
          "predicted",
          "median ÷ predicted",
          "most sent",
          "most received",
          "CPU, most",
          "CPU, all",
          "machine busy");

  /** The heading above {@link #inSpark}. */
  static final String IN_SPARK = "Inside Spark against the engine alone";

  /** The heading above {@link #encrypted}. */
  static final String ENCRYPTED = "Encrypted connections against plain ones";

  /** The heading above {@link #samples}. */
  static final String CALIBRATION = "Calibration";

  /** What {@link #samples} are. */
  static final String FITTED_TO =
      "Medians of a message: of an allreduce per round, of an all-to-all per further peer, of a"
          + " ping-pong half of it.";

  private static final double MANY = 100;

  private ClusterTables() {}

  /** Markdown, which is readable on a console too. */
  static String markdown(ClusterReport report) {
    List<String> parts = new ArrayList<>();
    List<List<String>> inSpark = inSpark(report);
    if (inSpark.size() > 1) {
      parts.add("## " + IN_SPARK + "\n\n" + Tables.table(inSpark));
    }
    List<List<String>> encrypted = encrypted(report);
    if (encrypted.size() > 1) {
      parts.add("## " + ENCRYPTED + "\n\n" + Tables.table(encrypted));
    }
    for (String collective : collectives(report)) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(HEADER);
      report.rows().stream()
          .filter(row -> row.collective().equals(collective))
          .map(ClusterTables::cells)
          .forEach(rows::add);
      parts.add("## " + collective + "\n\n" + Tables.table(rows));
    }
    parts.add("## " + CALIBRATION + "\n\n" + calibration(report.calibration()));
    parts.add("## Run\n\n" + Tables.environment(report.environment(), report.settings()));
    return String.join("\n\n", parts) + "\n";
  }

  /**
   * The medians inside Spark beside those of the engine alone.
   *
   * @return a header, and a line for each pair that was measured
   */
  static List<List<String>> inSpark(ClusterReport report) {
    return pairs(report, ClusterCommand.IN_SPARK, "alone", "in Spark");
  }

  /**
   * The medians over encrypted connections beside those over plain ones.
   *
   * @return a header, and a line for each pair that was measured
   */
  static List<List<String>> encrypted(ClusterReport report) {
    return pairs(report, ClusterCommand.ENCRYPTED, "plain", "encrypted");
  }

  private static List<List<String>> pairs(
      ClusterReport report, String added, String first, String second) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of(
            "collective",
            "vector",
            "contender",
            "ran",
            first + " ÷ bound",
            first,
            second,
            "least " + second + " ÷ least " + first,
            second + " ÷ " + first));
    for (Row alone : report.rows()) {
      for (Row other : report.rows()) {
        if (other.bytes() == alone.bytes()
            && other.collective().equals(alone.collective())
            && other.contender().equals(alone.contender() + added)) {
          Summary one = alone.summary();
          Summary two = other.summary();
          lines.add(
              List.of(
                  alone.collective(),
                  Tables.bytes(alone.bytes()),
                  alone.contender(),
                  alone.algorithm(),
                  factor(alone.overBound()),
                  Tables.micros(one.median()),
                  Tables.micros(two.median()),
                  factor(two.min() / one.min()),
                  factor(two.median() / one.median())));
        }
      }
    }
    return lines;
  }

  /** The collectives that were measured, in their order. */
  static List<String> collectives(ClusterReport report) {
    return report.rows().stream().map(Row::collective).distinct().toList();
  }

  /** A row's cells. */
  static List<String> cells(Row row) {
    Summary summary = row.summary();
    Row.Load load = row.load();
    return List.of(
        Tables.bytes(row.bytes()),
        row.contender(),
        row.algorithm(),
        row.blocks() == 0 ? "" : Integer.toString(row.blocks()),
        Tables.micros(summary.min()),
        Tables.micros(summary.median()),
        Tables.micros(summary.max()),
        micros(row.boundMicros()),
        factor(row.overBound()),
        micros(row.predictedMicros()),
        factor(row.overPredicted()),
        load == null ? "" : Tables.bytes(load.mostSent()),
        load == null ? "" : Tables.bytes(load.mostReceived()),
        micros(load == null ? null : load.mostCpuMicros()),
        micros(load == null ? null : load.totalCpuMicros()),
        share(load == null ? null : load.machineBusy()));
  }

  /** What the cost model was fitted to, a line for each measured time of a message. */
  static List<List<String>> samples(Calibration calibration) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("between ranks of a", "operation", "message", "measured", "by the model"));
    for (Calibration.Sample sample : calibration.samples()) {
      rows.add(
          List.of(
              sample.level().slug(),
              sample.operation(),
              Tables.bytes(sample.bytes()),
              Tables.micros(sample.nanos() / 1e3),
              Tables.micros(sample.fittedNanos() / 1e3)));
    }
    return rows;
  }

  /** α, β and the gap of each level that was measured, and γ, in words. */
  static String model(Calibration calibration) {
    StringBuilder words = new StringBuilder();
    for (Level level : Level.values()) {
      if (calibration.samples().stream().anyMatch(sample -> sample.level() == level)) {
        LevelCost cost = calibration.model().at(level);
        words.append(
            String.format(
                Locale.ROOT,
                "%s: α = %.1f µs, β = %.3f ns per byte, gap = %.1f µs; ",
                level.slug(),
                cost.alphaNanos() / 1e3,
                cost.betaNanosPerByte(),
                cost.gapNanos() / 1e3));
      }
    }
    double gamma = calibration.model().gammaNanosPerByte();
    return words + String.format(Locale.ROOT, "γ = %.3f ns per byte", gamma);
  }

  private static String calibration(Calibration calibration) {
    return model(calibration) + ". " + FITTED_TO + "\n\n" + Tables.table(samples(calibration));
  }

  private static String micros(@Nullable Double micros) {
    return micros == null ? "" : Tables.micros(micros);
  }

  private static String factor(@Nullable Double factor) {
    if (factor == null) {
      return "";
    }
    return String.format(Locale.ROOT, factor < MANY ? "%.2f" : "%.0f", factor);
  }

  private static String share(@Nullable Double share) {
    return share == null ? "" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }
}
