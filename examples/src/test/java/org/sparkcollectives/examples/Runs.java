package org.sparkcollectives.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs an example in this JVM, on Spark's local master, as its command line would. */
public final class Runs {

  private Runs() {}

  /**
   * What an example left.
   *
   * @param exitCode 0 for success, 2 for bad input
   * @param output what it wrote to standard output and error
   */
  public record Run(int exitCode, String output) {

    /**
     * The number in the last match of a pattern in the output.
     *
     * @param pattern a regular expression with one group
     * @return the number
     */
    public double lastNumber(String pattern) {
      Matcher matcher = Pattern.compile(pattern).matcher(output);
      double number = Double.NaN;
      while (matcher.find()) {
        number = Double.parseDouble(matcher.group(1));
      }
      if (Double.isNaN(number)) {
        throw new AssertionError("No " + pattern + " in:\n" + output);
      }
      return number;
    }
  }

  /**
   * Runs an example to its end.
   *
   * @param cores the number of tasks at a time
   * @param example the example
   * @param arguments its command line
   * @return exit code and output
   */
  public static Run local(int cores, Callable<Integer> example, String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream systemOut = System.out;
    PrintStream systemErr = System.err;
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    System.setProperty("spark.master", "local[" + cores + "]");
    System.setProperty("spark.ui.enabled", "false");
    System.setOut(stream);
    System.setErr(stream);
    int code;
    try {
      code = scala.Console.withOut(stream, () -> ExampleMain.execute(example, arguments));
    } finally {
      System.setOut(systemOut);
      System.setErr(systemErr);
    }
    return new Run(code, bytes.toString(StandardCharsets.UTF_8));
  }
}
