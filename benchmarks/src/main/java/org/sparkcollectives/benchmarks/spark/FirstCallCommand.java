package org.sparkcollectives.benchmarks.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.spark.launcher.JavaModuleOptions;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.report.AtEnd;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.testing.JavaProcess;
import org.sparkcollectives.testing.StandaloneCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run first-call}: the first call of applications, Spark's way and ours. */
@Command(
    name = "first-call",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "What the first call of an application takes, with all that is loaded and opened for it:"
            + " an application for each, with a driver and executors of its own, in turns.")
public final class FirstCallCommand implements Callable<Integer> {
  private static final long SEED = 20261122;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** How many times as long as Spark's first call ours may take. */
  private static final double SLOWER = 2;

  /** Spark's way, and ours that is compared with it. */
  private static final Map<String, String> PAIRS =
      Map.of("treeAggregate", "twoTreeReduce", Contenders.TREE, Contenders.ONE_CALL);

  @Option(
      names = "--applications",
      defaultValue = "7",
      description = "Applications of each contender and size (default: ${DEFAULT-VALUE}).")
  private int applications;

  @Option(
      names = "--elements",
      split = ",",
      defaultValue = "1,131072",
      description = "Vector lengths in doubles (default: ${DEFAULT-VALUE}).")
  private List<Integer> elements = List.of();

  @Mixin private final ClusterOptions on = new ClusterOptions();
  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public FirstCallCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec).check("--applications", 1, applications).check("--elements", 1, elements);
    try (Network network = on.network(output::progress)) {
      if (network.outside()) {
        return network.again(spec.root().userObject().getClass(), output.arguments());
      }
      Environment environment =
          output.environment(
              org.apache.spark.package$.MODULE$.SPARK_VERSION(), on.label(network), output.name());
      try (StandaloneCluster cluster = on.start(network, output::progress)) {
        List<Measurement> measurements = new ArrayList<>();
        for (int length : elements) {
          measurements.addAll(measure(cluster, length));
        }
        output.deliver(
            new Report(
                output.name(),
                environment,
                Map.of("cluster", on.described(network.hasCards())),
                Map.of(
                    Measurement.END_TO_END,
                    "on the driver, the application's first call of a collective or aggregation,"
                        + " and for those that end with “broadcast” or “AllReduce” the job that"
                        + " reads the result; jobs that make and count the vectors ran before"),
                measurements,
                List.of(),
                Map.of(),
                targets(measurements)));
      }
    }
    return 0;
  }

  private List<Measurement> measure(StandaloneCluster cluster, int length) throws IOException {
    List<String> turn = new ArrayList<>(PAIRS.keySet());
    turn.addAll(PAIRS.values());
    Map<String, List<Double>> micros = new LinkedHashMap<>();
    turn.forEach(name -> micros.put(name, new ArrayList<>()));
    Random random = new Random(SEED);
    for (int round = 1; round <= applications; round++) {
      Collections.shuffle(turn, random);
      for (String name : turn) {
        micros
            .computeIfAbsent(name, n -> new ArrayList<>())
            .add(application(cluster, name, length));
      }
      output.progress(
          Tables.bytes((long) length * Double.BYTES) + ": " + round + " of " + applications);
    }
    int executors = on.executors();
    long bytes = (long) length * Double.BYTES;
    return micros.entrySet().stream()
        .map(
            taken ->
                new Measurement(
                    taken.getKey(),
                    executors,
                    executors,
                    bytes,
                    Measurement.END_TO_END,
                    taken.getValue()))
        .toList();
  }

  /** Runs an application: how many microseconds its call took. */
  private double application(StandaloneCluster cluster, String contender, int length)
      throws IOException {
    List<String> options =
        new ArrayList<>(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+", -1)));
    Arrays.stream(on.settings(cluster, "first-call").getAll())
        .forEach(setting -> options.add("-D" + setting._1() + "=" + setting._2()));
    List<String> arguments =
        List.of(
            contender,
            String.valueOf(on.executors()),
            String.valueOf(length),
            String.valueOf(SEED));
    List<String> command = JavaProcess.command(options, FirstCall.class, arguments);
    try (JavaProcess driver = JavaProcess.start(command).within(LIMIT)) {
      AtEnd killed = new AtEnd("end of the driver", driver::close);
      try {
        double nanos = Double.parseDouble(driver.expect(FirstCall.RESULT));
        driver.awaitEnd(); // its executors end before the next application's begin
        return nanos / 1e3;
      } finally {
        killed.close();
      }
    }
  }

  private List<Target> targets(List<Measurement> measurements) {
    List<Target> targets = new ArrayList<>();
    for (Measurement spark : measurements) {
      String ours = PAIRS.get(spark.contender());
      for (Measurement own : measurements) {
        if (own.contender().equals(ours) && own.bytes() == spark.bytes()) {
          targets.add(
              Target.faster(
                  Tables.bytes(own.bytes()) + ": first " + ours + " against " + spark.contender(),
                  Summary.of(spark.samples()).median() / Summary.of(own.samples()).median(),
                  1 / SLOWER));
        }
      }
    }
    return targets;
  }
}
