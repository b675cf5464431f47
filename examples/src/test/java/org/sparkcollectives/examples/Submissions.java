package org.sparkcollectives.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkcollectives.examples.Runs.Run;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.testing.StandaloneCluster;

/** Submits the packed examples to a standalone cluster, as spark-submit does. */
public final class Submissions implements AutoCloseable {

  private static final Path LOGS =
      Path.of(System.getProperty("cluster.logs", "target/cluster-logs"));

  private static final Pattern JAR =
      Pattern.compile("spark-collectives-examples_[0-9.]+-[0-9.]+(-SNAPSHOT)?\\.jar$");

  private final StandaloneCluster cluster = StandaloneCluster.start(LOGS, 1, 4, 4096);

  /** A cluster of one worker with room for two executors of two cores. */
  public Submissions() {}

  /**
   * Runs an example on two executors of two cores.
   *
   * @param mainClass the example's main class
   * @param arguments its command line
   * @return exit code and output
   */
  public Run submit(String mainClass, String... arguments) {
    Map<String, String> settings =
        Map.of(
            "spark.jars",
                libraryJars().stream().map(Path::toString).collect(Collectors.joining(",")),
            "spark.ui.enabled", "false",
            "spark.sql.shuffle.partitions", "4",
            "spark.cores.max", "4",
            "spark.executor.cores", "2",
            "spark.executor.memory", "1024m",
            "spark.scheduler.minRegisteredResourcesRatio", "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime", "120s");
    StandaloneCluster.Submitted end =
        cluster.submit(
            mainClass, examplesJar(), settings, List.of(arguments), Duration.ofMinutes(5));
    return new Run(end.exitCode(), end.output());
  }

  @Override
  public void close() {
    cluster.close();
  }

  /**
   * The library's jars.
   *
   * @return that for users, and that for training where MLlib is
   */
  public static List<Path> libraryJars() {
    Path library = locationOf(JavaCollectives.class);
    try {
      return List.of(library, locationOf(Class.forName("org.sparkcollectives.ml.LinearSVC")));
    } catch (ClassNotFoundException e) {
      return List.of(library);
    }
  }

  /**
   * The jar beside the folder of its classes.
   *
   * @return the examples
   */
  public static Path examplesJar() {
    Path target = Objects.requireNonNull(locationOf(ExampleMain.class).getParent());
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> JAR.matcher(file.toString()).find())
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no jar of the examples in " + target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path locationOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
