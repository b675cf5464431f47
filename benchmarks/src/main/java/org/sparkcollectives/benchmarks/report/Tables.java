package org.sparkcollectives.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Reports as Markdown, which is readable on a console too. */
public final class Tables {
  private Tables() {}

  /**
   * The whole report.
   *
   * @param report what a benchmark found
   * @return Markdown
   */
  public static String of(Report report) {
    List<String> parts = new ArrayList<>();
    if (report.measurements().stream().anyMatch(Measurement::compared)) {
      parts.add(table(measurements(report, true)));
    }
    if (!report.volumes().isEmpty()) {
      parts.add(
          "What the driver's network card carried per operation, medians"
              + (haveBase(report.volumes())
                  ? ", and which share that is of Spark's own way, the first of its kind"
                  : "")
              + ":\n\n"
              + table(volumes(report.volumes())));
    }
    if (!report.targets().isEmpty()) {
      parts.add(table(targets(report)));
    }
    if (!report.findings().isEmpty()) {
      parts.add(pairs(report.findings()));
    }
    if (report.measurements().stream().anyMatch(m -> !m.compared())) {
      parts.add(table(measurements(report, false)));
    }
    parts.add(environment(report.environment(), settings(report)));
    return String.join("\n\n", parts) + "\n";
  }

  /** What contenders are compared by, or the parts of it, as rows. */
  static List<List<String>> measurements(Report report, boolean compared) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of("vector", "partitions", "contender", "timed", "min", "median", "max", "rounds"));
    for (Measurement measurement : report.measurements()) {
      if (measurement.compared() != compared) {
        continue;
      }
      Summary summary = measurement.summary();
      rows.add(
          List.of(
              bytes(measurement.bytes()),
              Integer.toString(measurement.partitions()),
              measurement.contender(),
              measurement.quantity(),
              micros(summary.min()),
              micros(summary.median()),
              micros(summary.max()),
              Integer.toString(summary.count())));
    }
    return rows;
  }

  private static boolean haveBase(List<Volume> volumes) {
    return volumes.stream().noneMatch(volume -> volume.base().isEmpty());
  }

  /**
   * The driver's bytes, beside those of the contender that each is compared with, if there is one.
   */
  static List<List<String>> volumes(List<Volume> volumes) {
    List<String> header =
        List.of("vector", "partitions", "contender", "driver sent", "driver received", "share");
    int columns = haveBase(volumes) ? header.size() : header.size() - 1;
    List<List<String>> rows = new ArrayList<>();
    rows.add(header.subList(0, columns));
    for (Volume volume : volumes) {
      Volume base =
          volumes.stream()
              .filter(v -> v.contender().equals(volume.base()))
              .filter(v -> v.partitions() == volume.partitions() && v.bytes() == volume.bytes())
              .findFirst()
              .orElse(volume);
      rows.add(
          List.of(
                  bytes(volume.bytes()),
                  Integer.toString(volume.partitions()),
                  volume.contender(),
                  bytes(volume.medianSent()),
                  bytes(volume.medianReceived()),
                  String.format(Locale.ROOT, "%.1f %%", 100.0 * volume.total() / base.total()))
              .subList(0, columns));
    }
    return rows;
  }

  /** The bounds beside the measured values, as rows. */
  static List<List<String>> targets(Report report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("target", "bound", "measured", "kept"));
    for (Target target : report.targets()) {
      rows.add(List.of(target.name(), target.bound(), target.value(), target.met() ? "yes" : "no"));
    }
    return rows;
  }

  /** What the run was told, and what its clocks cover. */
  static Map<String, String> settings(Report report) {
    Map<String, String> all = new LinkedHashMap<>(report.settings());
    report.timed().forEach((quantity, text) -> all.put("“" + quantity + "”", text));
    return all;
  }

  /**
   * Where and how a run took place.
   *
   * @param at the place
   * @param settings what the run was told and what it set, by name
   * @return a Markdown list without a line end at its end
   */
  public static String environment(Environment at, Map<String, String> settings) {
    List<String> lines = new ArrayList<>();
    lines.add("- command: `" + at.command() + "`");
    lines.add("- commit: " + at.commit() + ", started " + at.started());
    lines.add(
        "- machine: %s, %s, %d cores, %d MiB, %s"
            .formatted(at.machine(), at.processor(), at.cores(), at.memoryMiB(), at.kernel()));
    if (at.load() >= 0) {
      lines.add(String.format(Locale.ROOT, "- load before the start: %.1f", at.load()));
    }
    lines.add("- JVM: " + at.jvm() + (at.spark().isEmpty() ? "" : "; Spark " + at.spark()));
    settings.forEach((name, value) -> lines.add("- " + name + ": " + value));
    return String.join("\n", lines);
  }

  /** Names and texts as a list. */
  static String pairs(Map<String, String> map) {
    return map.entrySet().stream()
        .map(e -> "- " + e.getKey() + ": " + e.getValue())
        .collect(Collectors.joining("\n"));
  }

  /**
   * A table with columns of equal width, its first row the header.
   *
   * @param rows all of the same length, at least one
   * @return Markdown without a line end at its end
   */
  public static String table(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(line(row, widths));
      if (lines.size() == 1) {
        lines.add(line(Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths));
      }
    }
    return String.join("\n", lines);
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      line.append(' ').append(cell).append(" ".repeat(widths[i] - cell.length())).append(" |");
    }
    return line.toString();
  }

  /**
   * A time for people.
   *
   * @param micros microseconds
   * @return such as {@code 12.3 ms}, with three significant digits
   */
  public static String micros(double micros) {
    if (micros < 1000) {
      return significant(micros) + " µs";
    } else if (micros < 1_000_000) {
      return significant(micros / 1000) + " ms";
    }
    return significant(micros / 1_000_000) + " s";
  }

  private static String significant(double value) {
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /**
   * A size for people, in binary units.
   *
   * @param bytes 0 or more
   * @return such as {@code 8 MiB}
   */
  public static String bytes(long bytes) {
    List<String> units = List.of("B", "KiB", "MiB", "GiB");
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < units.size() - 1) {
      value /= 1024;
      unit++;
    }
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f %s", value, units.get(unit))
        : String.format(Locale.ROOT, "%.1f %s", value, units.get(unit));
  }
}
