package org.sparkcollectives.tools.internal.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.sparkcollectives.error.CollectiveException;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The command {@code collectives}; ends with 0, with 1 for violations found, with 2 for bad input
 * and what else a message explains, with 3 for an error of its own.
 */
@Command(
    name = "collectives",
    mixinStandardHelpOptions = true,
    versionProvider = JarVersion.class,
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
      VerifyCommand.class,
      AutoComplete.GenerateCompletion.class
    })
public final class CollectivesCommand implements Runnable {
  /** The exit status after an error that nobody expected, of which the trace is printed. */
  static final int CRASHED = 3;

  /** After how long a command says that it is still at work. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  /** Commands that say how far they are. */
  private static final Set<String> TELLING = Set.of("calibrate", "verify");

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
    return execute(new CommandLine(new CollectivesCommand()), out, err, arguments);
  }

  /** The same by a command line that may have more commands. */
  static int execute(
      CommandLine commandLine, PrintWriter out, PrintWriter err, String... arguments) {
    commandLine.setOut(out);
    commandLine.setErr(err);
    for (CommandLine each : commandLine.getSubcommands().values()) {
      each.getCommandSpec().versionProvider(new JarVersion());
    }
    commandLine.setExecutionStrategy(parsed -> patiently(parsed, err, SILENCE));
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          try {
            return recover(exception, arguments);
          } catch (CollectiveException e) {
            err.println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
          } catch (Exception e) {
            e.printStackTrace(err);
            return CRASHED;
          }
        });
    try {
      return commandLine.execute(arguments);
    } catch (Error e) { // such as too little memory for a picture
      e.printStackTrace(err);
      return CRASHED;
    }
  }

  /** Runs a command, and says that it is at work where it takes long and does not say so itself. */
  static int patiently(ParseResult parsed, PrintWriter err, Duration silence) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    requireValues(last);
    String name = last.commandSpec().name();
    if (TELLING.contains(name)) {
      return new CommandLine.RunLast().execute(parsed);
    }
    StillAtWork line = new StillAtWork(name, err, silence);
    try {
      return new CommandLine.RunLast().execute(parsed);
    } finally {
      line.end();
    }
  }

  /** Refuses lists of commas alone, which would pass for options that are not given. */
  private static void requireValues(ParseResult command) {
    for (OptionSpec option : command.matchedOptions()) {
      if (option.getValue() instanceof Collection<?> list && list.isEmpty()) {
        throw new CommandLine.ExecutionException(
            command.commandSpec().commandLine(),
            option.longestName(),
            OptionErrors.emptyList(option.longestName()));
      }
    }
  }

  /** Runs what needs Spark's classes in a process that has them; throws everything else on. */
  private static int recover(Exception exception, String[] arguments) throws Exception {
    if (exception instanceof NeedsSparkException needs) {
      return SparkProcess.run(needs, System.getenv(), arguments);
    }
    throw exception;
  }
}
