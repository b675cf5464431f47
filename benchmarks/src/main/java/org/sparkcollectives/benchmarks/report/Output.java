package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands of all benchmarks share: where a report goes, and lines of progress. */
public final class Output {

  @Option(
      names = "--machine",
      defaultValue = "",
      description = "Label of this machine in the results (default: its system and cores).")
  private String machine = "";

  @Option(
      names = "--results",
      description = "Folder to write the results below (default: nothing is written).")
  private @Nullable Path results;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  private final long start = System.nanoTime();

  /** Made by picocli. */
  public Output() {}

  /**
   * Describes this machine and process.
   *
   * @param spark version of Spark, or an empty string
   * @return the description, with the command line of this run
   */
  public Environment environment(String spark) {
    return environment(spark, "");
  }

  /**
   * Describes this machine and process, and the network that the run set up.
   *
   * @param spark version of Spark, or an empty string
   * @param network what is added to the machine's label
   * @return the description, with the command line of this run
   */
  public Environment environment(String spark, String network) {
    List<String> arguments = arguments();
    String label = machine.isEmpty() ? Environment.defaultLabel() : machine;
    return Environment.here(
        label + network, "benchmarks/run " + String.join(" ", arguments), spark);
  }

  /**
   * The command line of this run.
   *
   * @return the arguments, of which the benchmark's name is the first
   */
  public List<String> arguments() {
    return spec().root().commandLine().getParseResult().originalArgs();
  }

  /**
   * Writes a line of progress to standard error.
   *
   * @param line what has been done
   */
  public void progress(String line) {
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    PrintWriter err = spec().commandLine().getErr();
    err.printf("[%4d s] %s%n", seconds, line);
    err.flush();
  }

  /**
   * Prints a report, and writes its files where that was asked for.
   *
   * @param report what a benchmark found
   * @throws IOException if a file cannot be written
   */
  public void deliver(Report report) throws IOException {
    print(Tables.of(report));
    if (results != null) {
      progress("written to " + ResultFiles.write(report, results));
    }
  }

  /**
   * Prints what a run found.
   *
   * @param text Markdown
   */
  public void print(String text) {
    PrintWriter out = spec().commandLine().getOut();
    out.println(text);
    out.flush();
  }

  /**
   * The folder that the files of a run belong to.
   *
   * @param environment where and when the run took place
   * @return the folder, which is there, or null where no files were asked for
   * @throws IOException if it cannot be made
   */
  public @Nullable Path folder(Environment environment) throws IOException {
    return results == null ? null : ResultFiles.folder(results, environment);
  }

  private CommandSpec spec() {
    CommandSpec command = spec;
    if (command == null) {
      throw new IllegalStateException("picocli has not filled the command");
    }
    return command;
  }
}
