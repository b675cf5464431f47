package org.sparkcollectives.benchmarks.report;

import java.nio.file.Path;

/** Folders of this repository, which are the same whatever folder a benchmark runs in. */
public final class Folders {
  /** The property with the benchmarks' folder, which the script {@code benchmarks/run} sets. */
  public static final String HOME = "benchmarks.home";

  private Folders() {}

  /**
   * The folder of the benchmarks.
   *
   * @return an absolute path; {@code benchmarks} in the folder of this process without {@link
   *     #HOME}
   */
  public static Path home() {
    return Path.of(System.getProperty(HOME, "benchmarks")).toAbsolutePath();
  }

  /**
   * Where the logs of clusters go.
   *
   * @return an absolute path, not yet created
   */
  public static Path logs() {
    return home().resolve(Path.of("target", "benchmark-logs"));
  }

  /**
   * The data of the examples.
   *
   * @return an absolute path
   */
  public static Path data() {
    return home().resolveSibling(Path.of("examples", "data"));
  }

  /**
   * Where the documents have their charts.
   *
   * @return an absolute path
   */
  public static Path charts() {
    return home().resolveSibling(Path.of("docs", "charts"));
  }
}
