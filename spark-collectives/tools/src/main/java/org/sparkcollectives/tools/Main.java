package org.sparkcollectives.tools;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.sparkcollectives.tools.internal.cli.CollectivesCommand;

/**
 * The command line: lists, prints, draws, verifies, explains, prices and simulates algorithms, and
 * calibrates clusters.
 */
public final class Main {
  private Main() {}

  /**
   * Runs a command and ends the process: with 0, with 1 for violations found, with 2 for bad input.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    PrintWriter out = utf8(System.out);
    PrintWriter err = utf8(System.err);
    int status = CollectivesCommand.execute(out, err, arguments);
    out.flush();
    err.flush();
    System.exit(status);
  }

  private static PrintWriter utf8(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
