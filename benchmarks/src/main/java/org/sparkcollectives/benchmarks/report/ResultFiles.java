package org.sparkcollectives.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a run, in the folder {@code <date>-<machine>}: {@code <benchmark>.json} with
 * everything, {@code <benchmark>.csv} with a line per sample, {@code <benchmark>.md} with the
 * tables.
 */
public final class ResultFiles {
  private ResultFiles() {}

  /**
   * Writes a report.
   *
   * @param report what a benchmark found
   * @param folder the run's folder, which is there
   * @throws IOException if a file cannot be written
   */
  static void write(Report report, Path folder) throws IOException {
    write(report, report.benchmark(), folder);
    writeSamples(report, folder.resolve(report.benchmark() + ".csv"));
  }

  /**
   * Writes JSON with everything, and the tables.
   *
   * @param result what a benchmark found
   * @param name its name
   * @param folder the run's folder, which is there
   * @throws IOException if a file cannot be written
   */
  public static void write(Result result, String name, Path folder) throws IOException {
    JsonMapper.builder()
        .build()
        .writerWithDefaultPrettyPrinter()
        .writeValue(folder.resolve(name + ".json").toFile(), result);
    Files.writeString(folder.resolve(name + ".md"), result.markdown(), StandardCharsets.UTF_8);
  }

  /**
   * Reads a report that was written.
   *
   * @param json the JSON of a run
   * @return the report
   * @throws IOException if it cannot be read
   */
  public static Report read(JsonNode json) throws IOException {
    return reader().treeToValue(json, Report.class);
  }

  /**
   * A reader of results: it passes over what is computed, and takes for empty the lists that older
   * files do not have.
   *
   * @return the reader
   */
  public static ObjectMapper reader() {
    JsonMapper.Builder builder =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    builder.withConfigOverride(
        List.class, lists -> lists.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)));
    return builder.build();
  }

  /**
   * The folder of a run, which is made where it is missing.
   *
   * @param results folder that holds the folders of all runs
   * @param environment where and when the run took place
   * @return the folder
   * @throws IOException if it cannot be made
   */
  public static Path folder(Path results, Environment environment) throws IOException {
    return Files.createDirectories(path(results, environment));
  }

  /** The folder of a run, which may not be there. */
  static Path path(Path results, Environment environment) {
    String date = environment.started().substring(0, "2026-01-31".length());
    return results.resolve(date + "-" + environment.machine());
  }

  private static void writeSamples(Report report, Path file) throws IOException {
    CsvSchema schema =
        CsvSchema.builder()
            .addColumn("contender")
            .addColumn("ranks")
            .addColumn("partitions")
            .addColumn("bytes")
            .addColumn("quantity")
            .addColumn("round")
            .addColumn("microseconds")
            .build()
            .withHeader();
    ObjectWriter writer = CsvMapper.builder().build().writerFor(Map.class).with(schema);
    try (SequenceWriter lines = writer.writeValues(file.toFile())) {
      for (Measurement measurement : report.measurements()) {
        for (int round = 0; round < measurement.samples().size(); round++) {
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("contender", measurement.contender());
          line.put("ranks", measurement.ranks());
          line.put("partitions", measurement.partitions());
          line.put("bytes", measurement.bytes());
          line.put("quantity", measurement.quantity());
          line.put("round", round);
          line.put("microseconds", measurement.samples().get(round));
          lines.write(line);
        }
      }
    }
  }
}
