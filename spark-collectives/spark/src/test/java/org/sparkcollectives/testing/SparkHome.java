package org.sparkcollectives.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * What the processes of a cluster are started from: an installation with the jars of a class path,
 * and a configuration. Class folders, the library's own jars and those of tools are kept apart, as
 * the application's.
 */
final class SparkHome {
  private static final String LOGGING =
      """
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      appender.console.type = Console
      appender.console.name = console
      appender.console.target = SYSTEM_ERR
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex
      """;

  /**
   * Jars that are none of Spark's, and that of Spark Connect, whose server no cluster of tests has.
   * What is left is the same in every module, which therefore share an installation; a module with
   * a jar that is not named here has one of its own. Of Commons Logging it is the version that
   * charts bring: Spark 3.5 has an older one.
   */
  private static final Pattern TOOLS =
      Pattern.compile(
          "(apiguardian|archunit|batik|byte-buddy|commons-logging-1\\.3|hadoop-client-minicluster"
              + "|hamcrest|jackson-dataformat-csv|java-diff-utils|jfreechart|jline|jmh|jopt-simple"
              + "|jspecify|junit|opentest4j|picocli|scala-compiler|scalactic|scalatest"
              + "|spark-connect|xmlgraphics)[-_.].*");

  private final Path folder;
  private final Installation installation;
  private final List<Path> application;

  /**
   * Makes the folder.
   *
   * @param folder where; created
   * @param classPath jars and class folders, as in {@code java.class.path}
   * @param settings Spark's settings of master and workers
   */
  SparkHome(Path folder, List<Path> classPath, Map<String, String> settings) throws IOException {
    this.folder = folder;
    List<Path> own = new ArrayList<>();
    List<Path> jars = new ArrayList<>();
    for (Path entry : classPath) {
      Path file = entry.toAbsolutePath().normalize();
      String name = file.getFileName().toString();
      boolean others = name.startsWith("spark-collectives") || TOOLS.matcher(name).matches();
      if (Files.isDirectory(file) || (others && Files.exists(file))) {
        own.add(file);
      } else if (name.endsWith(".jar") && Files.exists(file)) {
        jars.add(file);
      }
    }
    application = List.copyOf(own);
    Collections.sort(jars); // each module has them in an order of its own
    Path conf = Files.createDirectories(folder.resolve("conf"));
    installation = Installation.of(folder.resolve("spark"), jars);
    Files.writeString(conf.resolve("log4j2.properties"), LOGGING);
    StringBuilder defaults = new StringBuilder();
    settings.forEach((key, value) -> defaults.append(key).append(' ').append(value).append('\n'));
    Files.writeString(conf.resolve("spark-defaults.conf"), defaults);
  }

  /** The jars and folders of this JVM's class path. */
  static List<Path> classPathOfThisJvm() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .toList();
  }

  /** Class folders and jars that are not Spark's, as one class path. */
  String applicationClassPath() {
    return application.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * What a JVM of this cluster that lives for seconds is started with, as Spark's settings say it.
   */
  String quickStart() {
    return quoted(options());
  }

  /** Words in quotes, which Spark takes apart again, wherever a folder's name has a blank. */
  static String quoted(List<String> words) {
    return words.stream()
        .map(word -> "\"" + word.replaceAll("[\"\\\\]", "\\\\$0") + "\"")
        .collect(Collectors.joining(" "));
  }

  /** Whether such a JVM has the classes of an archive. */
  boolean hasArchive() {
    return installation.hasArchive();
  }

  private List<String> options() {
    List<String> options = new ArrayList<>(installation.quickStart());
    Path logging = folder.resolve("conf").resolve("log4j2.properties");
    options.add("-Dlog4j2.configurationFile=" + logging.toUri());
    return options;
  }

  /** A master or worker, with little memory and as few threads as possible. */
  ProcessBuilder daemon(
      StandaloneCluster.Host host, Path log, String heap, String mainClass, List<String> arguments)
      throws IOException {
    List<String> options = List.of("-Xmx" + heap, "-Dspark.master.rest.enabled=false");
    return java(host, log, options, mainClass, arguments);
  }

  /** The driver of a submitted application. */
  ProcessBuilder application(
      StandaloneCluster.Host host, Path log, String heap, String mainClass, List<String> arguments)
      throws IOException {
    return java(host, log, List.of("-Xmx" + heap), mainClass, arguments);
  }

  /** A Java process of one of Spark's main classes, its output into a file. */
  private ProcessBuilder java(
      StandaloneCluster.Host host,
      Path log,
      List<String> options,
      String mainClass,
      List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(host.launcher());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options());
    command.addAll(options);
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+", -1)));
    command.add("-cp");
    command.add(installation.classPath());
    command.add(mainClass);
    command.add("--properties-file");
    command.add(folder.resolve("conf").resolve("spark-defaults.conf").toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeIf(
            key ->
                key.startsWith("SPARK_")
                    || key.startsWith("HADOOP_")
                    || key.equals("JDK_JAVA_OPTIONS"));
    environment.put("SPARK_HOME", installation.folder().toString());
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", host.address());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    return builder.redirectErrorStream(true).redirectOutput(log.toFile());
  }

  /** Removes the folder; the jars that it links to stay. */
  void delete() {
    try {
      Installation.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path folder() {
    return folder;
  }
}
