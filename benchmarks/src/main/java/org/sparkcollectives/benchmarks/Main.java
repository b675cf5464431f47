package org.sparkcollectives.benchmarks;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.chaos.ChaosCommand;
import org.sparkcollectives.benchmarks.chaos.FuzzCommand;
import org.sparkcollectives.benchmarks.chaos.SoakCommand;
import org.sparkcollectives.benchmarks.chaos.spark.ClusterChaosCommand;
import org.sparkcollectives.benchmarks.charts.ChartsCommand;
import org.sparkcollectives.benchmarks.cluster.ClusterCommand;
import org.sparkcollectives.benchmarks.cluster.MpiCommand;
import org.sparkcollectives.benchmarks.jmh.JmhCommand;
import org.sparkcollectives.benchmarks.loopback.LoopbackCommand;
import org.sparkcollectives.benchmarks.loopback.MemoryCommand;
import org.sparkcollectives.benchmarks.scale.ManyRanksCommand;
import org.sparkcollectives.benchmarks.scale.ScaleCommand;
import org.sparkcollectives.benchmarks.spark.FirstCallCommand;
import org.sparkcollectives.benchmarks.spark.SparkCommand;
import org.sparkcollectives.error.InvalidInputException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The benchmarks' command line, behind {@code benchmarks/run}. */
@Command(
    name = "benchmarks/run",
    mixinStandardHelpOptions = true,
    description = "Measures collectives, alone and against what Spark brings.",
    subcommands = {
      SparkCommand.class,
      FirstCallCommand.class,
      JmhCommand.class,
      LoopbackCommand.class,
      MemoryCommand.class,
      ManyRanksCommand.class,
      ClusterCommand.class,
      MpiCommand.class,
      ChaosCommand.class,
      ClusterChaosCommand.class,
      SoakCommand.class,
      FuzzCommand.class,
      ChartsCommand.class,
      ScaleCommand.class,
      ReportCommand.class
    })
public final class Main implements Runnable {

  private static final String TRAINING = "org.sparkcollectives.benchmarks.ml.TrainingCommand";

  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  /** Without a benchmark's name: lists them. */
  @Override
  public void run() {
    if (spec != null) {
      spec.commandLine().usage(spec.commandLine().getOut());
    }
  }

  /**
   * Runs a benchmark and ends the JVM with its exit code.
   *
   * @param args the benchmark's name and arguments
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line, not yet run. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    try {
      line.addSubcommand(Class.forName(TRAINING));
    } catch (ClassNotFoundException e) {
      // built for a line of Spark without MLlib
    }
    withoutVersion(line.getCommandSpec());
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Main::explained);
  }

  /** Benchmarks have no version: a report names the commit. */
  private static void withoutVersion(CommandSpec command) {
    command.remove(command.findOption("--version"));
    command.subcommands().values().forEach(each -> withoutVersion(each.getCommandSpec()));
  }

  /** Of wrong input, which explains itself, the message is all that is printed. */
  private static int explained(Exception exception, CommandLine command, ParseResult parsed)
      throws Exception {
    if (exception instanceof InvalidInputException) {
      command.getErr().println(exception.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
    throw exception;
  }
}
