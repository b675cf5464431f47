package org.sparkcollectives.benchmarks.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.benchmarks.report.Volume;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.spark.internal.calibrate.ClusterCalibration;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.testing.StandaloneCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run spark}: the sum of vectors on every executor, Spark's way and ours. */
@Command(
    name = "spark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Collectives of vectors against treeAggregate and broadcast, on a standalone cluster: on the"
            + " loopback interface, or with --rate on hosts with network cards.")
public final class SparkCommand implements Callable<Integer> {

  /** Vectors on each executor when the memory of a call on several is measured. */
  private static final int MEMORY_PARTITIONS = 4;

  /** The setting that names the costs of messages. */
  private static final String PROFILE = "spark.collectives.cost.profile";

  private static final long BYTES_PER_RUN = 128L << 20;
  private static final long BYTES_PER_RUN_ON_CARDS = 32L << 20;
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
      names = "--placement",
      split = ",",
      description = {
        "Vectors that each executor has cached, such as 2,1,1,0, instead of --partitions spread",
        "evenly: as after a lost executor or a load that was not even. Without targets and broadcast,",
        "unless each has one."
      })
  private List<Integer> placement = List.of();

  @Option(
      names = "--compare",
      split = ",",
      defaultValue = "allreduce,reduce,broadcast",
      description = {
        "What is compared (default: ${DEFAULT-VALUE}).",
        "step: a vector to the executors, and the sum back; broadcast: one vector per executor only."
      })
  private List<Contenders.Kind> kinds = List.of();

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
      names = "--first-rounds",
      defaultValue = "25",
      description =
          "Rounds on vectors of one element before all others, which warm up the JVMs (default:"
              + " ${DEFAULT-VALUE}).")
  private int firstRounds;

  @Mixin private final ClusterOptions on = new ClusterOptions();

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
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public SparkCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec)
        .check("--elements", 1, elements)
        .check("--placement", 0, placement)
        .check("--rounds", 1, rounds)
        .check("--warm-up", 0, warmUp)
        .check("--first-rounds", 0, firstRounds)
        .check("--memory-elements", 0, memoryElements);
    if (!placement.isEmpty() && placement.size() != on.executors()) {
      throw new ParameterException(
          spec.commandLine(),
          "--placement names "
              + placement.size()
              + " executors, and there are "
              + on.executors()
              + ". Give as many numbers as executors.");
    }
    if (!placement.isEmpty() && placement.stream().allMatch(count -> count == 0)) {
      throw new ParameterException(
          spec.commandLine(),
          "--placement gives no executor a vector, so that nothing can be summed up. Give a number"
              + " of 1 or more.");
    }
    for (int count : placement.isEmpty() ? partitions : List.<Integer>of()) {
      if (count < on.executors()) {
        throw new ParameterException(
            spec.commandLine(),
            "--partitions "
                + count
                + " are fewer than the "
                + on.executors()
                + " executors, of which each is to have a vector. Give as many partitions as executors or"
                + " more, or say with --placement which executors have none.");
      }
    }
    requireComparisons();
    try (Network network = on.network(output::progress)) {
      if (network.outside()) {
        return network.again(spec.root().userObject().getClass(), output.arguments());
      }
      Environment environment =
          output.environment(
              org.apache.spark.package$.MODULE$.SPARK_VERSION(), on.label(network), output.name());
      try (StandaloneCluster cluster = on.start(network, output::progress)) {
        output.deliver(measure(cluster, network.hasCards(), environment));
      }
    }
    return 0;
  }

  private void requireComparisons() {
    boolean any =
        placement.isEmpty()
            ? partitions.stream()
                .anyMatch(
                    count ->
                        takes(count == on.executors())
                            && elements.stream().anyMatch(length -> measured(count, length)))
            : takes(Vectors.onePerExecutor(placement));
    if (!any) {
      throw new ParameterException(
          spec.commandLine(),
          "These options leave nothing to compare: more partitions than the "
              + on.executors()
              + " executors are for vectors up to "
              + Tables.bytes(MOST_BYTES_OF_MANY_PARTITIONS)
              + ", and broadcast is for one vector per executor. Give other --partitions, --elements"
              + " or --placement, or something else to --compare.");
    }
  }

  /** Whether any of what is compared takes vectors that lie so. */
  private boolean takes(boolean onePerExecutor) {
    return kinds.stream().anyMatch(kind -> onePerExecutor || kind != Contenders.Kind.BROADCAST);
  }

  /** Whether vectors of this length are measured in so many partitions. */
  private boolean measured(int count, int length) {
    return count <= on.executors() || (long) length * Double.BYTES <= MOST_BYTES_OF_MANY_PARTITIONS;
  }

  private Report measure(StandaloneCluster cluster, boolean cards, Environment environment)
      throws IOException {
    Map<String, String> settings = described(cards);
    if (cards) {
      conf.putIfAbsent("spark.executor.extraJavaOptions", ClusterOptions.EXECUTOR_OPTIONS);
      settings.put("Spark settings", conf.toString());
      String profile = conf.get(PROFILE);
      settings.put(
          "cost model",
          profile == null ? described(calibrated(cluster).network()) : "that of " + profile);
    }
    List<Measurement> measurements = new ArrayList<>();
    List<Volume> volumes = new ArrayList<>();
    Map<String, String> findings = new LinkedHashMap<>();
    try (JavaSparkContext context = new JavaSparkContext(settings(cluster, "comparison"))) {
      long bytesPerRun = cards ? BYTES_PER_RUN_ON_CARDS : BYTES_PER_RUN;
      List<Comparison> comparisons = new ArrayList<>();
      for (Contenders.Kind kind : kinds) {
        List<Contender> contenders = Contenders.of(kind, context, bytesPerRun);
        comparisons.add(new Comparison(on.executors(), contenders, output::progress));
      }
      try (Vectors shortest = Vectors.cached(context, on.executors(), on.executors(), 1, seed)) {
        comparisons.forEach(comparison -> comparison.warmUp(shortest, firstRounds));
      }
      for (int length : elements) {
        compare(context, comparisons, length);
      }
      for (Comparison comparison : comparisons) {
        measurements.addAll(comparison.measurements());
        volumes.addAll(cards ? comparison.volumes() : List.of());
        findings.putAll(comparison.findings());
      }
    }
    List<Target> targets = new ArrayList<>();
    if (kinds.contains(Contenders.Kind.ALLREDUCE) && Vectors.onePerExecutor(placement)) {
      targets.addAll(
          cards
              ? Targets.onHosts(measurements, volumes, on.executors())
              : Targets.of(measurements, on.executors()));
    }
    if (memoryElements > 0) {
      MemoryUse memory = memory(cluster);
      targets.addAll(memory.targets());
      findings.putAll(memory.findings());
    }
    return new Report(
        output.name(),
        environment,
        settings,
        Contenders.timed(),
        measurements,
        volumes,
        findings,
        targets);
  }

  /** Measures what messages cost, as a user of the cluster would, and sets that. */
  private CostModel calibrated(StandaloneCluster cluster) throws IOException {
    output.progress("measuring what messages cost");
    try (JavaSparkContext context = new JavaSparkContext(settings(cluster, "calibration"))) {
      CostModel model =
          ClusterCalibration.measure(context, on.executors(), "benchmarks/run spark", step -> {});
      Path profile = cluster.logs().resolve("profile.json");
      Files.writeString(profile, CostProfile.write(model), StandardCharsets.UTF_8);
      conf.put(PROFILE, profile.toUri().toString());
      return model;
    }
  }

  private static String described(LevelCost network) {
    return String.format(
        Locale.ROOT,
        "measured in Spark before: α = %.1f µs, β = %.3f ns per byte, gap = %.1f µs",
        network.alphaNanos() / 1e3,
        network.betaNanosPerByte(),
        network.gapNanos() / 1e3);
  }

  private MemoryUse memory(StandaloneCluster cluster) {
    MemoryUse memory = new MemoryUse(output::progress);
    int executors = on.executors();
    try (JavaSparkContext context = new JavaSparkContext(settings(cluster, "memory"))) {
      try (Vectors vectors = Vectors.cached(context, executors, executors, memoryElements, seed)) {
        memory.inside(vectors);
        memory.calls(vectors, executors, 1);
      }
      int many = MEMORY_PARTITIONS * executors;
      try (Vectors vectors = Vectors.cached(context, executors, many, memoryElements, seed)) {
        memory.calls(vectors, executors, 2);
      }
    }
    return memory;
  }

  private void compare(JavaSparkContext context, List<Comparison> comparisons, int length) {
    if (!placement.isEmpty()) {
      try (Vectors vectors = Vectors.placed(context, placement, length, seed)) {
        comparisons.forEach(comparison -> comparison.measure(vectors, warmUp, rounds));
      }
      return;
    }
    for (int count : partitions) {
      if (!measured(count, length)) {
        output.progress(
            Comparison.setting((long) length * Double.BYTES, count)
                + " are left out: more partitions than executors are for vectors up to "
                + Tables.bytes(MOST_BYTES_OF_MANY_PARTITIONS));
        continue;
      }
      try (Vectors vectors = Vectors.cached(context, on.executors(), count, length, seed)) {
        comparisons.forEach(comparison -> comparison.measure(vectors, warmUp, rounds));
      }
    }
  }

  private Map<String, String> described(boolean cards) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("cluster", on.described(cards));
    settings.put("data", "uniformly distributed doubles in [0, 1), seed " + seed);
    if (!placement.isEmpty()) {
      settings.put("vectors cached in each executor", placement.toString());
    }
    settings.put(
        "rounds",
        firstRounds
            + " on vectors of one element before all others, then for each size "
            + warmUp
            + " to warm up, "
            + rounds
            + " that count, contenders in turn, in an order drawn anew in each round");
    settings.put("Spark settings", conf.isEmpty() ? "Spark's defaults" : conf.toString());
    return settings;
  }

  private SparkConf settings(StandaloneCluster cluster, String name) {
    SparkConf settings = on.settings(cluster, name);
    conf.forEach(settings::set);
    return settings;
  }
}
