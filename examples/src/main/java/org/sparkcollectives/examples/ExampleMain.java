package org.sparkcollectives.examples;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What the command lines of all examples have in common. */
public final class ExampleMain {

  private static final int FAILED = 1;
  private static final int BAD_INPUT = 2;

  private ExampleMain() {}

  /**
   * Runs an example and, when it does not succeed, ends this process with its exit code.
   *
   * @param example the example, with picocli's annotations
   * @param arguments its command line
   */
  public static void run(Callable<Integer> example, String... arguments) {
    int code = execute(example, arguments);
    if (code != 0) {
      System.exit(code);
    }
  }

  /**
   * Runs an example. What goes wrong stands on standard error: bad input as one message, all else
   * with its stack trace.
   *
   * @param example the example, with picocli's annotations
   * @param arguments its command line
   * @return 0 for success, 1 for a failure, 2 for bad input
   */
  public static int execute(Callable<Integer> example, String... arguments) {
    CommandLine command = new CommandLine(example);
    CommandSpec spec = command.getCommandSpec();
    spec.remove(spec.findOption("--version")); // an example has none
    return command
        .setExecutionExceptionHandler((failure, line, parsed) -> explain(failure, line.getErr()))
        .execute(arguments);
  }

  private static int explain(Throwable failure, PrintWriter err) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UserError) {
        err.println(cause.getMessage());
        return BAD_INPUT;
      }
    }
    failure.printStackTrace(err);
    return FAILED;
  }
}
