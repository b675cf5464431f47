package org.sparkcollectives.benchmarks;

import org.sparkcollectives.benchmarks.jmh.JmhCommand;
import org.sparkcollectives.benchmarks.loopback.LoopbackCommand;
import org.sparkcollectives.benchmarks.spark.SparkCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks' command line, behind {@code benchmarks/run}. */
@Command(
    name = "benchmarks/run",
    mixinStandardHelpOptions = true,
    description = "Measures collectives, alone and against what Spark brings.",
    subcommands = {SparkCommand.class, JmhCommand.class, LoopbackCommand.class})
public final class Main {
  private Main() {}

  /**
   * Runs a benchmark and ends the JVM with its exit code.
   *
   * @param args the benchmark's name and arguments
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
