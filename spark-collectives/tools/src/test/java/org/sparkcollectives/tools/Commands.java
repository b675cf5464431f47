package org.sparkcollectives.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs programs and the built jar as a user would, without the variables of this process's user.
 */
final class Commands {
  private static final long MOST_SECONDS = 240;
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** With one of the last three a JVM begins its standard error with what it has read there. */
  private static final List<String> OF_THIS_USER =
      List.of(
          "SPARK_HOME",
          "HADOOP_CONF_DIR",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "_JAVA_OPTIONS");

  private Commands() {}

  /**
   * What a program wrote.
   *
   * @param status its exit status
   * @param out its standard output
   * @param err its standard error
   */
  record Result(int status, String out, String err) {}

  /** The jar that the build made. */
  static Path jar() {
    Path jar =
        Path.of(
                System.getProperty(
                    "tools.jar", "target/spark-collectives-tools_2.13-0.1.0-SNAPSHOT.jar"))
            .toAbsolutePath();
    assertTrue(Files.isRegularFile(jar), jar + " is not built");
    return jar;
  }

  /** The launcher of the JVM that runs the tests, for a JVM that lives for seconds. */
  static List<String> java() {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(QUICK_START);
    return words;
  }

  /** The same for the JVMs that a process starts, which say so in their standard error. */
  static Map<String, String> quickStart() {
    return Map.of("JAVA_TOOL_OPTIONS", String.join(" ", QUICK_START));
  }

  /** Runs {@code java -jar} with the jar. */
  static Result jar(Path folder, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of("-jar", jar().toString()));
    command.addAll(List.of(arguments));
    return run(folder, environment, command);
  }

  /**
   * Runs a program to its end.
   *
   * @param folder where it runs; its output goes to files below
   * @param environment variables that it has beside this process's
   */
  static Result run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    Map<String, String> variables = new HashMap<>(environment);
    builder.environment().keySet().removeAll(OF_THIS_USER);
    builder.environment().putAll(variables);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      Result result =
          new Result(
              ended ? process.exitValue() : -1, Files.readString(out), Files.readString(err));
      assertTrue(ended, () -> command + " did not end: " + result);
      return result;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
