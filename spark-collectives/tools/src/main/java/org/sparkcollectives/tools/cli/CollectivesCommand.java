package org.sparkcollectives.tools.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
        "Lists, prints, draws, prices and verifies the schedules of collective operations.",
    subcommands = {
      ListCommand.class,
      ScheduleCommand.class,
      DrawCommand.class,
      CalibrateCommand.class,
      ExplainCommand.class,
      PriceCommand.class,
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
        "a command is missing: give calibrate, draw, explain, list, price, schedule or verify");
  }

  /**
   * Runs the command and ends the process.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    PrintWriter out = utf8(System.out);
    PrintWriter err = utf8(System.err);
    int status = execute(out, err, arguments);
    out.flush();
    err.flush();
    System.exit(status);
  }

  /**
   * Runs the command.
   *
   * @param out takes what was asked for
   * @param err takes progress and messages
   * @param arguments the command line
   * @return the exit status
   */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine commandLine = new CommandLine(new CollectivesCommand());
    commandLine.setOut(out);
    commandLine.setErr(err);
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          if (exception instanceof CollectiveException) {
            command.getErr().println(exception.getMessage());
            return CommandLine.ExitCode.USAGE;
          }
          throw exception;
        });
    return commandLine.execute(arguments);
  }

  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
