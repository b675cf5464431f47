package org.sparkcollectives.benchmarks.chaos;

import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.HtmlPage;
import org.sparkcollectives.benchmarks.report.Result;
import org.sparkcollectives.benchmarks.report.ResultFiles;
import org.sparkcollectives.benchmarks.report.Tables;

/**
 * What a run found, as tables.
 *
 * @param benchmark its name
 * @param environment where and how it ran
 * @param settings what it was told, by name
 * @param table the summary, its first row the header
 * @param lines every case, its first row the header; empty where the summary is all
 * @param complaints what is not as promised
 */
public record TableReport(
    String benchmark,
    Environment environment,
    Map<String, String> settings,
    List<List<String>> table,
    List<List<String>> lines,
    List<String> complaints)
    implements Result {

  /** Copies maps and lists. */
  public TableReport {
    settings = new LinkedHashMap<>(settings);
    table = List.copyOf(table);
    lines = List.copyOf(lines);
    complaints = List.copyOf(complaints);
  }

  @Override
  public String title() {
    return "benchmarks/run " + benchmark;
  }

  @Override
  public String markdown() {
    return Tables.table(table)
        + "\n\n"
        + verdict()
        + "\n\n"
        + Tables.environment(environment, settings)
        + "\n";
  }

  private String verdict() {
    return complaints.isEmpty()
        ? "All is as promised."
        : "Not as promised:\n\n- " + String.join("\n- ", complaints);
  }

  @Override
  public void write(Path folder) throws IOException {
    ResultFiles.write(this, benchmark, folder);
    CsvMapper csv = CsvMapper.builder().build();
    List<List<String>> all = lines.isEmpty() ? table : lines;
    try (SequenceWriter rows =
        csv.writer().writeValues(folder.resolve(benchmark + ".csv").toFile())) {
      for (List<String> row : all) {
        rows.write(row);
      }
    }
  }

  @Override
  public void addTo(HtmlPage page) throws IOException {
    page.lines(Tables.environment(environment, settings));
    page.table(table);
    page.lines(verdict());
  }
}
