package org.sparkcollectives.benchmarks.scale;

import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.HtmlPage;
import org.sparkcollectives.benchmarks.report.Result;
import org.sparkcollectives.benchmarks.report.ResultFiles;
import org.sparkcollectives.benchmarks.report.Tables;

/**
 * Times of many ranks beside the lower bound.
 *
 * @param benchmark its name; reports that were written before have none
 * @param environment where and how it ran
 * @param settings what it was told, by name
 * @param cells the times
 */
public record ScaleReport(
    @Nullable String benchmark,
    Environment environment,
    Map<String, String> settings,
    List<Cell> cells)
    implements Result {
  static final String NAME = "scale";

  /** Copies maps and lists. */
  public ScaleReport {
    settings = new LinkedHashMap<>(settings);
    cells = List.copyOf(cells);
  }

  private String name() {
    return benchmark == null ? NAME : benchmark;
  }

  @Override
  public String title() {
    return "benchmarks/run " + name();
  }

  @Override
  public String markdown() {
    StringBuilder text = new StringBuilder();
    for (int perHost : cells.stream().map(Cell::perHost).distinct().toList()) {
      text.append(perHost == 1 ? "A rank on each host" : perHost + " ranks on each host")
          .append(", time ÷ bound of the selected algorithm; ~ where it is extrapolated from fewer")
          .append(" blocks, = where it is the price:\n\n")
          .append(Tables.table(table(perHost)))
          .append("\n\n");
    }
    return text + Tables.environment(environment, settings) + "\n";
  }

  /** A row for each collective and number of ranks, a column for each size. */
  private List<List<String>> table(int perHost) {
    List<Long> sizes = cells.stream().map(Cell::bytes).distinct().sorted().toList();
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        Stream.concat(Stream.of("collective", "ranks"), sizes.stream().map(Tables::bytes))
            .toList());
    Map<List<Object>, Map<Long, Cell>> lines = new LinkedHashMap<>();
    for (Cell cell : cells) {
      if (cell.perHost() == perHost) {
        lines
            .computeIfAbsent(List.of(cell.collective(), cell.ranks()), key -> new LinkedHashMap<>())
            .put(cell.bytes(), cell);
      }
    }
    lines.forEach(
        (key, line) ->
            rows.add(
                Stream.concat(
                        key.stream().map(Object::toString),
                        sizes.stream().map(size -> text(line, size)))
                    .toList()));
    return rows;
  }

  private static String text(Map<Long, Cell> line, long size) {
    if (!line.containsKey(size)) {
      return "";
    }
    Cell cell = Objects.requireNonNull(line.get(size));
    String mark =
        switch (Estimate.Way.valueOf(cell.way().toUpperCase(Locale.ROOT))) {
          case SIMULATED -> "";
          case EXTRAPOLATED -> "~";
          case PRICED -> "=";
        };
    return String.format(Locale.ROOT, "%s%.2f `%s`", mark, cell.overBound(), cell.algorithm());
  }

  @Override
  public void write(Path folder) throws IOException {
    ResultFiles.write(this, name(), folder);
    CsvMapper csv = CsvMapper.builder().build();
    try (SequenceWriter rows =
        csv.writer(csv.schemaFor(Cell.class).withHeader())
            .writeValues(folder.resolve(name() + ".csv").toFile())) {
      rows.writeAll(cells);
    }
  }

  @Override
  public void addTo(HtmlPage page) throws IOException {
    page.lines(Tables.environment(environment, settings));
    for (int perHost : cells.stream().map(Cell::perHost).distinct().toList()) {
      page.table(table(perHost));
    }
  }
}
