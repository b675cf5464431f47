package org.sparkcollectives.spark.internal.calibrate;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.util.CollectionAccumulator;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.internal.calibrate.ConnectionSearch;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.spark.internal.conf.ProfileFiles;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.job.ClusterSlots;

/** The calibration of a running cluster: {@link Calibration} among ranks on its executors. */
public final class ClusterCalibration {
  /** So long no executor may come or go before the cluster counts as all there. */
  private static final Duration QUIET = Duration.ofSeconds(5);

  private static final Duration WAIT = Duration.ofMinutes(2);
  private static final int POLL_MILLIS = 200;

  private ClusterCalibration() {}

  /**
   * Starts an application, measures, and writes a profile. How many connections two ranks that
   * share no memory should have is found first, if the settings do not say it. Whether the profile
   * can be written is checked before anything is measured.
   *
   * @param master the master's URL
   * @param settings settings of Spark
   * @param output where to, any path that Hadoop knows
   * @param command the command line, for the profile
   * @param progress is told each step as it begins, from any thread
   * @param result is told the profile, as a {@link CostProfile} writes it, before it is written
   * @throws InvalidInputException if no application starts or the profile cannot be written
   * @throws IOException if the library's own jar cannot be read
   */
  public static void run(
      String master,
      Map<String, String> settings,
      String output,
      String command,
      Consumer<String> progress,
      Consumer<String> result)
      throws IOException {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("collectives calibrate")
            .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
            .set("spark.scheduler.maxRegisteredResourcesWaitingTime", WAIT.toSeconds() + "s")
            .set("spark.executor.heartbeatInterval", "1s"); // brings what rank 0 says
    settings.forEach(conf::set);
    conf.set("spark.jars", jars(conf.get("spark.jars", ""), ownJar()));
    progress.accept("an application on " + master + " starts");
    try (JavaSparkContext context = application(conf)) {
      context.setLogLevel("WARN");
      ProfileFiles.requireWritable(output, context.hadoopConfiguration());
      int ranks = slots(context.sc());
      int connections = connections(context, ranks, progress);
      CostModel model = measure(context, ranks, command, progress);
      String profile = CostProfile.write(model, connections);
      result.accept(profile);
      ProfileFiles.write(profile, output, context.hadoopConfiguration());
    }
  }

  private static JavaSparkContext application(SparkConf conf) {
    try {
      return new JavaSparkContext(conf);
    } catch (Exception e) { // Spark throws checked ones, too, without saying so
      throw InvalidInputException.of(
          "no application starts on " + conf.get("spark.master"),
          ErrorText.reason(e),
          "give a master as for spark-submit, such as spark://host:7077, and settings that Spark"
              + " takes",
          e);
    }
  }

  /**
   * All slots of a cluster. A master that does not know how many an application will have, as a
   * standalone one without {@code spark.cores.max}, begins before the first executor is there.
   */
  private static int slots(SparkContext context) {
    ResourceProfile profile = context.resourceProfileManager().defaultResourceProfile();
    long begun = System.nanoTime();
    long changed = begun;
    int slots = ClusterSlots.slots(context, profile).total();
    while (!context.isLocal()
        && System.nanoTime() - begun < WAIT.toNanos()
        && (slots == 0 || System.nanoTime() - changed < QUIET.toNanos())) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AbortedException.interrupted(e);
      }
      int now = ClusterSlots.slots(context, profile).total();
      changed = now == slots ? changed : System.nanoTime();
      slots = now;
    }
    return slots;
  }

  /**
   * How many connections two ranks that share no memory should have, or are set to have. Later jobs
   * of the application work with that number.
   */
  private static int connections(JavaSparkContext context, int ranks, Consumer<String> progress) {
    SparkConf conf = context.sc().conf(); // the one that each call reads, not a copy
    int set = CollectiveConf.of(conf).connections();
    if (conf.contains(Settings.CONNECTIONS.key()) || ranks < 2) {
      return set;
    }
    int found =
        ConnectionSearch.search(
            count -> {
              conf.set(Settings.CONNECTIONS.key(), Integer.toString(count));
              return ofRankZero(context, ranks, ConnectionSearch::nanosPerByte);
            },
            progress);
    conf.set(Settings.CONNECTIONS.key(), Integer.toString(found));
    return found;
  }

  /** What rank 0 makes of something that all ranks do. */
  private static <T> T ofRankZero(
      JavaSparkContext context, int ranks, SerializableFunction<Communicator, T> work) {
    List<Integer> numbers = IntStream.range(0, ranks).boxed().toList();
    return JavaCollectives.of(context.parallelize(numbers, ranks))
        .collectively(
            (communicator, elements) -> {
              T made = work.apply(communicator);
              return communicator.rank() == 0
                  ? List.of(made).iterator()
                  : Collections.<T>emptyIterator();
            })
        .collect()
        .get(0);
  }

  /** What ranks do. */
  @FunctionalInterface
  private interface SerializableFunction<A, T> extends Serializable {
    T apply(A argument);
  }

  /**
   * Measures with the executors of an application. Levels that its ranks do not have keep the
   * numbers of the built-in model.
   *
   * @param context the application
   * @param ranks how many ranks, at least 2 and at most as many as there are slots
   * @param command the command line, for the profile
   * @param progress is told each step soon after it has begun, from any thread
   * @return the model; its provenance names the levels that were not measured
   * @throws InvalidInputException if there are fewer than 2 ranks
   */
  public static CostModel measure(
      JavaSparkContext context, int ranks, String command, Consumer<String> progress) {
    if (ranks < 2) {
      throw new InvalidInputException(
          ErrorText.of(
              "the cluster cannot be calibrated",
              "messages are measured between two ranks, and there are slots for " + ranks,
              "give it executors of at least 2 cores in all"),
          null);
    }
    progress.accept(ranks + " ranks measure");
    try (TaskLines lines = TaskLines.open(context.sc(), progress)) {
      CollectionAccumulator<String> told = lines.ofTasks();
      String profile =
          ofRankZero(
              context,
              ranks,
              communicator -> {
                Consumer<String> tell = communicator.rank() == 0 ? told::add : step -> {};
                return CostProfile.write(Calibration.measure(communicator, command, tell).model());
              });
      return CostProfile.read(profile, "rank 0");
    }
  }

  /**
   * What executors load classes from.
   *
   * @param given the jars that are given, with commas between them
   * @param own the library's own
   * @return the given ones and the library's own, unless one of its name is among them
   */
  static String jars(String given, String own) {
    String name = own.substring(own.lastIndexOf('/') + 1);
    for (String jar : given.split(",", -1)) {
      if (jar.substring(jar.lastIndexOf('/') + 1).equals(name)) {
        return given;
      }
    }
    return given.isEmpty() ? own : given + "," + own;
  }

  /** The library as a jar, for executors. */
  private static String ownJar() throws IOException {
    Path place = placeOf(ClusterCalibration.class);
    return Files.isDirectory(place)
        ? packed(List.of(place, placeOf(CostModel.class))).toString()
        : place.toString();
  }

  private static Path placeOf(Class<?> type) throws IOException {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("the library's own place is unknown", e);
    }
  }

  private static Path packed(List<Path> folders) throws IOException {
    Path jar = Files.createTempFile("spark-collectives", ".jar");
    jar.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream target = new JarOutputStream(out)) {
      for (Path classes : folders) {
        try (Stream<Path> files = Files.walk(classes)) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            String name = classes.relativize(file).toString();
            String entry = name.replace(file.getFileSystem().getSeparator(), "/");
            target.putNextEntry(new JarEntry(entry));
            Files.copy(file, target);
          }
        }
      }
    }
    return jar;
  }
}
