package org.sparkcollectives.tools.internal.cli;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;

/**
 * The same command line in a process that has Spark's classes as well: those of the installation
 * that {@code SPARK_HOME} names, or of the class path in the system property {@value #CLASS_PATH}.
 */
final class SparkProcess {
  /** The system property with Spark's class path where there is no installation. */
  static final String CLASS_PATH = "collectives.spark.classpath";

  /** The class that a process begins with; it uses this package, not the reverse. */
  private static final String MAIN = "org.sparkcollectives.tools.Main";

  private static final String HOME = "SPARK_HOME";
  private static final String HADOOP = "HADOOP_CONF_DIR";
  private static final String OPTIONS = "org.apache.spark.launcher.JavaModuleOptions";
  private static final String LOGGING =
      "-Dlog4j2.configurationFile=classpath:org/sparkcollectives/tools/internal/cli/log4j2.properties";

  private SparkProcess() {}

  /**
   * Runs a command line again, with this process's standard streams.
   *
   * @param needs what cannot be done here
   * @param environment the variables of this process
   * @param arguments the command line
   * @return its exit status
   * @throws CollectiveException if Spark is not to be found
   */
  static int run(NeedsSparkException needs, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = command(needs, environment, arguments);
    Process process = new ProcessBuilder(command).inheritIO().start();
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    int status = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(end);
    return status;
  }

  /** The process's command line. */
  static List<String> command(
      NeedsSparkException needs, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> spark = classPath(needs, environment);
    List<String> classPath = new ArrayList<>(List.of(System.getProperty("java.class.path")));
    String hadoop = environment.get(HADOOP);
    if (hadoop != null && !hadoop.isEmpty()) {
      classPath.add(hadoop);
    }
    classPath.addAll(spark);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(moduleOptions(needs, spark));
    command.add(LOGGING);
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), MAIN));
    command.addAll(List.of(arguments));
    return command;
  }

  private static List<String> classPath(NeedsSparkException needs, Map<String, String> environment)
      throws IOException {
    String home = environment.get(HOME);
    if (home != null && !home.isEmpty()) {
      return jars(needs, home);
    }
    String given = System.getProperty(CLASS_PATH, "");
    if (given.isEmpty()) {
      throw missing(
          needs, "its classes are not on the class path, and " + HOME + " is not set", null);
    }
    return List.of(given.split(File.pathSeparator, -1));
  }

  private static List<String> jars(NeedsSparkException needs, String home) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(home, "jars"))) {
      return files.map(Path::toString).filter(name -> name.endsWith(".jar")).sorted().toList();
    } catch (IOException | InvalidPathException e) {
      throw missing(needs, HOME + " is '" + home + "', which has no folder jars", e);
    }
  }

  /** What Spark needs opened, as its own launcher has it. */
  private static List<String> moduleOptions(NeedsSparkException needs, List<String> classPath)
      throws IOException {
    URL[] urls = new URL[classPath.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = url(classPath.get(i));
    }
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Object options =
          Class.forName(OPTIONS, true, loader).getMethod("defaultModuleOptions").invoke(null);
      return List.of(String.valueOf(options).trim().split("\\s+", -1));
    } catch (ReflectiveOperationException e) {
      throw missing(needs, "there is no Spark of 3.3 or later in " + classPath, e);
    }
  }

  private static URL url(String entry) throws MalformedURLException {
    return Path.of(entry).toUri().toURL();
  }

  private static CollectiveException missing(
      NeedsSparkException needs, String cause, @Nullable Throwable original) {
    return InvalidInputException.of(
        needs.getMessage() + " without Spark",
        cause,
        "set "
            + HOME
            + " to an installation of Spark, or give this jar to spark-submit with --class "
            + MAIN,
        original);
  }
}
