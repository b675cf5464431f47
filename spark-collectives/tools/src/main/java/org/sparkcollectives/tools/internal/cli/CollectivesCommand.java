package org.sparkcollectives.tools.internal.cli;

import java.io.PrintWriter;
import org.sparkcollectives.error.CollectiveException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code collectives}; ends with 0, with 1 for violations found, with 2 for bad input.
 */
@Command(
    name = "collectives",
    mixinStandardHelpOptions = true,
    version = "spark-collectives",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Lists, prints, draws, prices, simulates and verifies the schedules of collective"
            + " operations.",
    subcommands = {
      ListCommand.class,
      ScheduleCommand.class,
      DrawCommand.class,
      CalibrateCommand.class,
      ExplainCommand.class,
      PriceCommand.class,
      SimulateCommand.class,
      VerifyCommand.class
    })
public final class CollectivesCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Makes the command; picocli fills it. */
  public CollectivesCommand() {}

  /** Without a subcommand there is nothing to do. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is missing: give calibrate, draw, explain, list, price, schedule, simulate or"
            + " verify");
  }

  /**
   * Runs the command.
   *
   * @param out takes what was asked for
   * @param err takes progress and messages
   * @param arguments the command line
   * @return the exit status
   */
  public static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine commandLine = new CommandLine(new CollectivesCommand());
    commandLine.setOut(out);
    commandLine.setErr(err);
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          try {
            return recover(exception, arguments);
          } catch (CollectiveException e) {
            command.getErr().println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
          }
        });
    return commandLine.execute(arguments);
  }

  /** Runs what needs Spark's classes in a process that has them; throws everything else on. */
  private static int recover(Exception exception, String[] arguments) throws Exception {
    if (exception instanceof NeedsSparkException needs) {
      return SparkProcess.run(needs, System.getenv(), arguments);
    }
    throw exception;
  }
}
