package org.sparkcollectives.benchmarks.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.testing.StandaloneCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code benchmarks/run spark}: the sum of vectors on every executor, Spark's way and ours. */
@Command(
    name = "spark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "All-reduce against treeAggregate + broadcast, on a standalone cluster.")
public final class SparkCommand implements Callable<Integer> {
  private static final Path LOGS = Path.of("target", "benchmark-logs");
  private static final long MOST_BYTES_OF_MANY_PARTITIONS = 8L << 20;

  @Option(
      names = "--elements",
      split = ",",
      defaultValue = "1,128,131072,1048576,8388608",
      description = "Vector lengths in doubles (default: ${DEFAULT-VALUE}).")
  private List<Integer> elements = List.of();

  @Option(
      names = "--partitions",
      split = ",",
      defaultValue = "4,16",
      description = {
        "Numbers of partitions, one vector each (default: ${DEFAULT-VALUE}).",
        "More than executors: for vectors up to 8 MiB only."
      })
  private List<Integer> partitions = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "11",
      description = "Rounds that count (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up",
      defaultValue = "4",
      description = "Rounds before these (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description = "Executors, one process of one core each (default: ${DEFAULT-VALUE}).")
  private int executors;

  @Option(
      names = "--executor-memory",
      defaultValue = "2048",
      description = "Heap of an executor in MiB (default: ${DEFAULT-VALUE}).")
  private int executorMemoryMiB;

  @Option(
      names = "--memory-elements",
      defaultValue = "8388608",
      description = "Vector length for the memory, 0 to leave it out (default: ${DEFAULT-VALUE}).")
  private int memoryElements;

  @Option(
      names = "--seed",
      defaultValue = "20261121",
      description = "Where the random numbers start (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--conf", description = "A setting of Spark, KEY=VALUE; may be repeated.")
  private final Map<String, String> conf = new LinkedHashMap<>();

  @Mixin private final Output output = new Output();

  /** Made by picocli. */
  public SparkCommand() {}

  @Override
  public Integer call() throws IOException {
    Environment environment = output.environment(org.apache.spark.package$.MODULE$.SPARK_VERSION());
    output.progress("starting a master and " + executors + " workers");
    try (StandaloneCluster cluster =
        StandaloneCluster.start(LOGS, executors, 1, executorMemoryMiB)) {
      List<Measurement> measurements;
      Map<String, String> findings = new LinkedHashMap<>();
      try (JavaSparkContext context = new JavaSparkContext(settings(cluster, "comparison"))) {
        Comparison comparison =
            new Comparison(executors, Contenders.all(context), output::progress);
        for (int length : elements) {
          compare(context, comparison, length);
        }
        measurements = comparison.measurements();
        findings.putAll(comparison.findings());
      }
      List<Target> targets = new ArrayList<>(Targets.of(measurements, executors));
      if (memoryElements > 0) {
        MemoryUse memory = memory(cluster);
        targets.addAll(memory.targets());
        findings.putAll(memory.findings());
      }
      output.deliver(
          new Report(
              "spark",
              environment,
              described(),
              Contenders.timed(),
              measurements,
              findings,
              targets));
    }
    return 0;
  }

  private MemoryUse memory(StandaloneCluster cluster) {
    try (JavaSparkContext context = new JavaSparkContext(settings(cluster, "memory"));
        Vectors vectors = Vectors.cached(context, executors, executors, memoryElements, seed)) {
      return new MemoryUse(vectors, output::progress);
    }
  }

  private void compare(JavaSparkContext context, Comparison comparison, int length) {
    for (int count : partitions) {
      if (count > executors && (long) length * Double.BYTES > MOST_BYTES_OF_MANY_PARTITIONS) {
        continue;
      }
      try (Vectors vectors = Vectors.cached(context, executors, count, length, seed)) {
        comparison.measure(vectors, warmUp, rounds);
      }
    }
  }

  private Map<String, String> described() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        "cluster",
        "standalone on this machine; "
            + executors
            + " executors of one core and "
            + executorMemoryMiB
            + " MiB each, the driver in a JVM of its own");
    settings.put("data", "uniformly distributed doubles in [0, 1), seed " + seed);
    settings.put("rounds", warmUp + " to warm up, " + rounds + " that count, contenders in turn");
    settings.put("Spark settings", conf.isEmpty() ? "Spark's defaults" : conf.toString());
    return settings;
  }

  private SparkConf settings(StandaloneCluster cluster, String name) {
    SparkConf settings = cluster.conf(name, executors, 1, executorMemoryMiB + "m");
    conf.forEach(settings::set);
    return settings;
  }
}
