package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.ResultFiles;
import org.sparkcollectives.benchmarks.report.Summary;

/**
 * The files of a run, named after it: JSON with everything, CSV with a line per row, and Markdown
 * with tables.
 */
final class ClusterFiles {
  private ClusterFiles() {}

  /**
   * Writes a report.
   *
   * @param report what a run found
   * @param folder the run's folder, which is there
   * @throws IOException if a file cannot be written
   */
  static void write(ClusterReport report, Path folder) throws IOException {
    ResultFiles.write(report, report.benchmark(), folder);
    writeRows(report, folder.resolve(report.benchmark() + ".csv"));
  }

  private static void writeRows(ClusterReport report, Path file) throws IOException {
    CsvSchema.Builder schema = CsvSchema.builder();
    line(report.hosts(), report.rows().get(0)).keySet().forEach(schema::addColumn);
    ObjectWriter writer =
        CsvMapper.builder().build().writerFor(Map.class).with(schema.build().withHeader());
    try (SequenceWriter lines = writer.writeValues(file.toFile())) {
      for (Row row : report.rows()) {
        lines.write(line(report.hosts(), row));
      }
    }
  }

  private static Map<String, @Nullable Object> line(int hosts, Row row) {
    Summary summary = row.summary();
    Row.Load load = row.load();
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("collective", row.collective());
    line.put("hosts", hosts);
    line.put("bytes", row.bytes());
    line.put("contender", row.contender());
    line.put("algorithm", row.algorithm());
    line.put("blocks", row.blocks());
    line.put("operations", summary.count());
    line.put("min_micros", summary.min());
    line.put("median_micros", summary.median());
    line.put("max_micros", summary.max());
    line.put("bound_micros", row.boundMicros());
    line.put("over_bound", row.overBound());
    line.put("predicted_micros", row.predictedMicros());
    line.put("over_predicted", row.overPredicted());
    line.put("most_sent_bytes", load == null ? null : load.mostSent());
    line.put("most_received_bytes", load == null ? null : load.mostReceived());
    line.put("total_sent_bytes", load == null ? null : load.totalSent());
    line.put("most_cpu_micros", load == null ? null : load.mostCpuMicros());
    line.put("total_cpu_micros", load == null ? null : load.totalCpuMicros());
    line.put("machine_busy", load == null ? null : load.machineBusy());
    return line;
  }
}
