package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import org.sparkcollectives.benchmarks.chaos.TableReport;
import org.sparkcollectives.benchmarks.report.Result;
import org.sparkcollectives.benchmarks.report.ResultFiles;
import org.sparkcollectives.benchmarks.scale.ScaleReport;
import org.sparkcollectives.schedule.Level;

/** The JSON files of earlier runs, of all benchmarks. */
public final class SavedResults {
  private SavedResults() {}

  /**
   * Reads a result.
   *
   * @param file the JSON of a run
   * @return what it found
   * @throws IOException if there is no such file
   * @throws IllegalArgumentException if the file holds no result
   */
  public static Result read(Path file) throws IOException {
    try {
      JsonNode json = ResultFiles.reader().readTree(file.toFile());
      if (json.has("measurements")) {
        return ResultFiles.read(json);
      } else if (json.has("rows")) {
        return ResultFiles.reader().treeToValue(withCalibration(json), ClusterReport.class);
      } else if (json.has("table")) {
        return ResultFiles.reader().treeToValue(json, TableReport.class);
      } else if (json.has("cells")) {
        return ResultFiles.reader().treeToValue(json, ScaleReport.class);
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          file + " holds no result: " + e.getOriginalMessage() + ".", e);
    }
    throw new IllegalArgumentException(
        file + " holds no result: it has neither measurements nor rows, a table or cells.");
  }

  /** Hosts without network cards, for which there is no bound, are processes of one host. */
  private static JsonNode withCalibration(JsonNode json) throws JsonProcessingException {
    ObjectMapper reader = ResultFiles.reader();
    JsonNode calibration = json.path("calibration");
    if (json instanceof ObjectNode report && calibration.has("parameters")) {
      boolean cards = json.path("rows").path(0).hasNonNull("boundMicros");
      EarlierCalibration earlier = reader.treeToValue(calibration, EarlierCalibration.class);
      report.set(
          "calibration", reader.valueToTree(earlier.upgraded(cards ? Level.NETWORK : Level.HOST)));
    }
    return json;
  }
}
