package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

  @Option(
      names = "--report",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Name of the report and its files (default: the benchmark's).")
  private String report = "";

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Page with tables and charts to write (default: none).")
  private @Nullable Path page;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  private final long start = System.nanoTime();

  /** Made by picocli. */
  public Output() {}

  /**
   * The report's name.
   *
   * @return that of the command line, or else the benchmark's
   */
  public String name() {
    return name("");
  }

  /**
   * The report's name.
   *
   * @param kind what is added to the benchmark's name
   * @return that of the command line, or else the benchmark's with the addition
   */
  public String name(String kind) {
    return report.isEmpty() ? spec().name() + kind : report;
  }

  /**
   * Describes this machine and process.
   *
   * @param spark version of Spark, or an empty string
   * @return the description, with the command line of this run
   * @throws ParameterException if there are files of a report of this name
   */
  public Environment environment(String spark) {
    return environment(spark, "", name());
  }

  /**
   * Describes this machine and process, and the network that the run set up.
   *
   * @param spark version of Spark, or an empty string
   * @param network what is added to the machine's label
   * @param name the report's name
   * @return the description, with the command line of this run
   * @throws ParameterException if the name has folders, or there are files of a report of this name
   */
  public Environment environment(String spark, String network, String name) {
    if (!Path.of(name).equals(Path.of(name).getFileName())) {
      throw new ParameterException(
          spec().commandLine(),
          "--report takes a name without folders, not '"
              + name
              + "'. The folder is that of --results.");
    }
    List<String> arguments = arguments();
    String label = machine.isEmpty() ? Environment.defaultLabel() : machine;
    Environment here =
        Environment.here(label + network, "benchmarks/run " + String.join(" ", arguments), spark);
    if (results != null) {
      Path folder = ResultFiles.path(results, here);
      if (Files.exists(folder.resolve(name + ".json"))) {
        throw new ParameterException(
            spec().commandLine(),
            folder
                + " has a report "
                + name
                + " of another run. Name this one by --report, or move the other.");
      }
    }
    return here;
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
   * Prints a result, and writes its files and its page where that was asked for.
   *
   * @param result what a benchmark found
   * @throws IOException if a file cannot be written
   */
  public void deliver(Result result) throws IOException {
    PrintWriter out = spec().commandLine().getOut();
    out.println(result.markdown());
    out.flush();
    if (results != null) {
      Path folder = ResultFiles.folder(results, result.environment());
      result.write(folder);
      progress("written to " + folder);
    }
    if (page != null) {
      HtmlPage.write(List.of(result), page);
      progress("written to " + page);
    }
  }

  private CommandSpec spec() {
    CommandSpec command = spec;
    if (command == null) {
      throw new IllegalStateException("picocli has not filled the command");
    }
    return command;
  }
}
