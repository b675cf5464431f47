package org.sparkcollectives.benchmarks.chaos.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.chaos.KindConverter;
import org.sparkcollectives.benchmarks.chaos.Outcome;
import org.sparkcollectives.benchmarks.chaos.Outcome.End;
import org.sparkcollectives.benchmarks.chaos.Outcomes;
import org.sparkcollectives.benchmarks.chaos.TableReport;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Folders;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run chaos-spark}: faults at random moments of random calls on RDDs. */
@Command(
    name = "chaos-spark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes faults happen in a cluster of Spark at random moments of random calls, and checks what",
      "comes of each: a right result or a clear exception in time, the next call, what is left.",
      "Needs Linux, and no root."
    })
public final class ClusterChaosCommand implements Callable<Integer> {

  @Option(
      names = "--faults",
      defaultValue = "200",
      description = "How many faults (default: ${DEFAULT-VALUE}).")
  private int faults;

  @Option(names = "--seed", description = "What they are drawn from (default: at random).")
  private @Nullable Long seed;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description =
          "Executors, 2 or more, one process of one core each (default: ${DEFAULT-VALUE}).")
  private int executors;

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      converter = Converter.class,
      description = "Kinds of faults (default: all).")
  private List<ClusterKind> kinds = Arrays.asList(ClusterKind.values());

  @Option(
      names = "--timeout",
      defaultValue = "10",
      paramLabel = "SECONDS",
      description = "How long a rank may wait for others (default: ${DEFAULT-VALUE}).")
  private long timeoutSeconds;

  @Option(
      names = "--slack",
      defaultValue = "1",
      paramLabel = "FACTOR",
      description =
          "By what the time of a call with a fault is multiplied, which is the timeout and a"
              + " second, and a minute where executors are lost (default: ${DEFAULT-VALUE}; more"
              + " for slow machines).")
  private double slack;

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public ClusterChaosCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec)
        .check("--faults", 1, faults)
        .check("--executors", 2, executors)
        .check("--timeout", 1, timeoutSeconds)
        .positive("--slack", slack);
    Environment environment = output.environment(org.apache.spark.package$.MODULE$.SPARK_VERSION());
    long from = seed == null ? new Random().nextLong() : seed;
    output.progress("seed " + from);
    List<Outcome> outcomes;
    try (ClusterTrials trials =
        new ClusterTrials(executors, Duration.ofSeconds(timeoutSeconds), slack, Folders.logs())) {
      trials.warmUp();
      outcomes =
          Outcomes.of(
              ClusterFault.of(faults, from, kinds, executors), trials::run, output::progress);
    }
    TableReport report =
        Outcomes.report(
            output.name(),
            environment,
            Map.of(
                "seed", Long.toString(from),
                "executors", Integer.toString(executors),
                "timeout", timeoutSeconds + " s",
                "slack", Double.toString(slack)),
            ClusterKind.values(),
            List.of(End.RIGHT, End.FAILED, End.MISSED),
            outcomes);
    output.deliver(report);
    return report.complaints().isEmpty() ? 0 : 1;
  }

  /** Reads the name of a kind. */
  private static final class Converter extends KindConverter<ClusterKind> {
    /** Made by picocli. */
    Converter() {
      super(ClusterKind.values());
    }
  }
}
