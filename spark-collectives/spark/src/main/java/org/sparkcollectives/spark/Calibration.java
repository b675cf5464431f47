package org.sparkcollectives.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.cost.Provenance;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.internal.cost.LineFit;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.spark.internal.conf.ProfileFiles;

/** Measures the cost model of a running cluster. */
public final class Calibration {
  /** Where noise says otherwise, the gap is this part of α at least, and at most that. */
  private static final double LEAST_GAP = 0.01;

  private static final double MOST_GAP = 0.9;

  private Calibration() {}

  /**
   * Starts an application, measures, and writes a profile.
   *
   * @param master the master's URL
   * @param settings settings of Spark
   * @param output where to, any path that Hadoop knows
   * @param command the command line, for the profile
   * @return the model measured
   * @throws IOException if the profile cannot be written
   */
  public static CostModel run(
      String master, Map<String, String> settings, String output, String command)
      throws IOException {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("collectives calibrate")
            .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
            .setIfMissing("spark.jars", ownJar());
    settings.forEach(conf::set);
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      CostModel model = measure(context, context.defaultParallelism(), command);
      ProfileFiles.write(model, output, context.hadoopConfiguration());
      return model;
    }
  }

  /**
   * Measures with the executors of an application. Levels that its ranks do not have keep the
   * numbers of the built-in model.
   *
   * @param context the application
   * @param ranks how many ranks, at least 2 and at most as many as there are slots
   * @param command the command line, for the profile
   * @return the model; its provenance names the levels that were not measured
   * @throws org.sparkcollectives.error.InvalidInputException if there are fewer than 2 ranks
   */
  public static CostModel measure(JavaSparkContext context, int ranks, String command) {
    if (ranks < 2) {
      throw SparkErrors.tooFewToCalibrate(ranks);
    }
    List<Integer> numbers = IntStream.range(0, ranks).boxed().toList();
    List<Probes.Sample> samples =
        JavaCollectives.of(context.parallelize(numbers, ranks))
            .collectively((communicator, elements) -> Probes.run(communicator).iterator())
            .collect();
    CostModel known = CostModel.DEFAULT;
    return new CostModel(
        fit(samples, Level.PROCESS, known.process()),
        fit(samples, Level.HOST, known.host()),
        fit(samples, Level.NETWORK, known.network()),
        samples.stream()
            .filter(sample -> sample.kind() == Probes.Kind.COMBINING)
            .mapToDouble(sample -> sample.nanos() / sample.bytes())
            .findFirst()
            .orElse(known.gammaNanosPerByte()),
        true,
        known.contention(),
        new Provenance(
            "%d ranks%s; driver on %s %s, %s, %d cores"
                .formatted(
                    ranks,
                    notMeasured(samples),
                    System.getProperty("os.name"),
                    System.getProperty("os.version"),
                    System.getProperty("os.arch"),
                    Runtime.getRuntime().availableProcessors()),
            LocalDate.now(ZoneOffset.UTC).toString(),
            command));
  }

  private static LevelCost fit(List<Probes.Sample> samples, Level level, LevelCost otherwise) {
    List<LineFit.Point> points = new ArrayList<>();
    double streamed = Double.NaN;
    for (Probes.Sample sample : samples) {
      double bytes = sample.bytes() + (double) CostModel.HEADER_BYTES;
      if (sample.level() == level && sample.kind() == Probes.Kind.MESSAGE) {
        points.add(new LineFit.Point(bytes, sample.nanos()));
      } else if (sample.level() == level && sample.kind() == Probes.Kind.STREAMED) {
        streamed = sample.nanos();
      }
    }
    if (points.isEmpty()) {
      return otherwise;
    }
    // Where noise makes one of the two negative, the shortest or the longest message bounds it.
    LineFit line = LineFit.of(points);
    Comparator<LineFit.Point> size = Comparator.comparingDouble(LineFit.Point::x);
    LineFit.Point shortest = Collections.min(points, size);
    LineFit.Point longest = Collections.max(points, size);
    double alpha = line.alpha() > 0 ? line.alpha() : shortest.nanos();
    double beta = line.beta() > 0 ? line.beta() : longest.nanos() / longest.x();
    double gap = streamed - beta * (Double.BYTES + CostModel.HEADER_BYTES);
    return new LevelCost(alpha, beta, Math.max(LEAST_GAP * alpha, Math.min(MOST_GAP * alpha, gap)));
  }

  private static String notMeasured(List<Probes.Sample> samples) {
    List<String> missing =
        Arrays.stream(Level.values())
            .filter(
                level ->
                    samples.stream()
                        .noneMatch(
                            sample ->
                                sample.level() == level && sample.kind() == Probes.Kind.MESSAGE))
            .map(Level::slug)
            .toList();
    return missing.isEmpty() ? "" : "; built-in, not measured: " + String.join(", ", missing);
  }

  /** The library as a jar, for executors. */
  private static String ownJar() throws IOException {
    Path place = placeOf(Calibration.class);
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
