package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that one run of a benchmark found.
 *
 * @param benchmark its name
 * @param environment where and how it ran
 * @param settings what it was told and what it set, by name
 * @param timed what exactly each quantity's clock covers, by quantity
 * @param measurements the samples
 * @param volumes what the driver's network card carried; none where it has no card of its own
 * @param findings further observations, such as hashes of results, by name
 * @param targets the bounds beside the measured values
 */
public record Report(
    String benchmark,
    Environment environment,
    Map<String, String> settings,
    Map<String, String> timed,
    List<Measurement> measurements,
    List<Volume> volumes,
    Map<String, String> findings,
    List<Target> targets)
    implements Result {

  /** Copies the lists, and the maps in their order. */
  public Report {
    settings = new LinkedHashMap<>(settings);
    timed = new LinkedHashMap<>(timed);
    measurements = List.copyOf(measurements);
    volumes = List.copyOf(volumes);
    findings = new LinkedHashMap<>(findings);
    targets = List.copyOf(targets);
  }

  /**
   * A report of a benchmark without a driver.
   *
   * @param benchmark its name
   * @param environment where and how it ran
   * @param settings what it was told and what it set, by name
   * @param timed what exactly each quantity's clock covers, by quantity
   * @param measurements the samples
   * @param findings further observations, by name
   * @param targets the bounds beside the measured values
   */
  public Report(
      String benchmark,
      Environment environment,
      Map<String, String> settings,
      Map<String, String> timed,
      List<Measurement> measurements,
      Map<String, String> findings,
      List<Target> targets) {
    this(benchmark, environment, settings, timed, measurements, List.of(), findings, targets);
  }

  @Override
  public String title() {
    return "benchmarks/run " + benchmark;
  }

  @Override
  public String markdown() {
    return Tables.of(this);
  }

  @Override
  public void write(Path folder) throws IOException {
    ResultFiles.write(this, folder);
  }

  @Override
  public void addTo(HtmlPage page) throws IOException {
    ReportHtml.addTo(page, this);
  }
}
