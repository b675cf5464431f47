package org.sparkcollectives.tools;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.tools.internal.cli.CollectivesCommand;
import picocli.CommandLine;

/**
 * The command line: lists, prints, draws, verifies, explains, prices and simulates algorithms, and
 * calibrates clusters.
 */
public final class Main {
  private Main() {}

  /**
   * Runs a command and ends the process: with 0, with 1 for violations found, with 2 for bad input
   * or an output that takes no more, with 3 for an error of its own.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    PrintWriter out = utf8(System.out);
    PrintWriter err = utf8(System.err);
    int status = CollectivesCommand.execute(out, err, arguments);
    System.exit(ended(out, err, status));
  }

  /** Flushes what a command wrote; its exit status, or 2 if that is not all written. */
  static int ended(PrintWriter out, PrintWriter err, int status) {
    boolean lost = out.checkError();
    if (lost) {
      err.println(
          ErrorText.of(
              "the output is not complete",
              "standard output takes no more, as of a full disk or a reader that has ended",
              "give it a place that takes all"));
    }
    return err.checkError() || lost ? CommandLine.ExitCode.USAGE : status;
  }

  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
